"""Verdicts on means of trials: what is about a number, ahead, or alike."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from benchmarks.publications.claim import UNMEASURED, Claim
from core.vocabulary.intervals import Interval

ABOUT: Final = 5.0
"""Percentage points: how far from a published number is still "about" it."""
ALIKE: Final = 2.0
"""Percentage points: what differs by less is "comparable"."""
POINTS: Final = "percentage points"


def said(interval: Interval, digits: int = 1) -> str:
    """A mean with half of the width of its interval."""
    mean = round(interval.mean, digits) + 0.0
    if np.isinf(interval.half_width):
        return f"{mean:.{digits}f}"
    return f"{mean:.{digits}f} ± {interval.half_width:.{digits}f}"


def signed(interval: Interval, digits: int = 1) -> str:
    """A difference of means, with its sign."""
    text = said(interval, digits)
    return text if text.startswith("-") else f"+{text}"


def decided(lead: Interval) -> str:
    """A difference with as many digits (at most 3) as show on which side of 0 its interval ends."""
    for digits in (1, 2):
        shown = np.round(lead.mean, digits) - np.round(lead.half_width, digits)
        if np.sign(np.round(shown, digits)) == np.sign(lead.low):
            return signed(lead, digits)
    return signed(lead, 3)


def listed(said_of: Mapping[str, str]) -> str:
    """What is said of each, by name."""
    return "; ".join(f"{name}: {text}" for name, text in said_of.items())


def about(claim: str, published: float, found: Mapping[str, Interval], cause: str = "") -> Claim:
    """Each mean is about the published percentage of the maximum."""
    worst = max((one.mean - published for one in found.values()), key=abs)
    most = "at most " if len(found) > 1 else ""
    return Claim(
        f"{claim} (read: within {ABOUT:g} {POINTS})",
        f"{published:g} %",
        listed({name: f"{said(one)} %" for name, one in found.items()}),
        abs(worst) <= ABOUT,
        f"{most}{worst:+.1f} {POINTS}",
        cause=cause,
    )


def ahead(
    claim: str,
    leads: Mapping[str, Interval],
    published: float | None = None,
    cause: str = "",
) -> Claim:
    """Each lead, in percentage points, lies above 0 with its whole interval.

    `published` is how large it is said to be.
    """
    least = min(leads.values(), key=lambda one: one.low)
    return Claim(
        f"{claim} (read: the interval of the paired difference lies above 0)",
        "more" if published is None else f"{published:g} %",
        listed({name: decided(one) for name, one in leads.items()}),
        least.low > 0,
        UNMEASURED if published is None else f"{least.mean - published:+.1f} {POINTS}",
        cause=cause,
    )


def alike(claim: str, leads: Mapping[str, Interval], cause: str = "") -> Claim:
    """No mean difference, in percentage points, is large."""
    worst = max(leads.values(), key=lambda one: abs(one.mean))
    return Claim(
        f"{claim} (read: means differ by less than {ALIKE:g} {POINTS})",
        "the same",
        listed({name: signed(one) for name, one in leads.items()}),
        abs(worst.mean) < ALIKE,
        f"{worst.mean:+.1f} {POINTS}",
        cause=cause,
    )
