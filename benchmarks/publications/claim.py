"""A claim of a publication, the value found here, and whether both agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.vocabulary.arrays import FloatArray

# What words about growth mean: the run time grows like x to a power in this range.
FLAT: Final = (-0.1, 0.1)
LINEAR: Final = (0.8, 1.2)
SUPER_LINEAR: Final = (1.1, np.inf)
CUBIC: Final = (2.5, 3.5)
RISING_SLOWLY: Final = (0.05, 0.5)
FALLING: Final = (-np.inf, -0.05)
RISING: Final = (0.05, np.inf)

NEAR: Final = 0.02
"""A schedule that exceeds the bound by at most this share is nearly indistinguishable from it."""

UNMEASURED: Final = "no number was published"


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim about a figure: in words, the published value, the value here, the verdict.

    `difference` says how much the two values differ, in words or numbers. A claim is `ours` if the
    publication does not make it: an aim of Wattfront, or a published sentence applied to
    Wattfront's method. Such claims are counted separately. A claim that `cannot_fail` is a theorem:
    it checks the code, not the publication. A claim that repeats one of another figure has the name
    of that figure in `again`, and is counted there. A claim `of_row` compares one number of a
    printed table; such claims are counted separately. A claim is `undecided` if what was drawn is
    too little to say whether it holds. `cause` says why a claim does not hold: what was tried to
    find out, and the result.
    """

    claim: str
    published: str
    here: str
    holds: bool
    difference: str = UNMEASURED
    ours: bool = False
    cannot_fail: bool = False
    again: str = ""
    cause: str = ""
    of_row: bool = False
    undecided: bool = False

    @property
    def verdict(self) -> str:
        said = "holds" if self.holds else "does not hold"
        if self.undecided:
            said = "undecided"
        if self.again:
            return f"{said}, as in {self.again}"
        return f"{said}, a theorem" if self.cannot_fail else said


def growth(x: FloatArray, y: FloatArray) -> float:
    """The power of x like which y grows: the slope of the straight line through the logarithms.

    Points where y is 0 are left out; NaN if fewer than two remain.
    """
    there = y > 0
    if there.sum() < 2:
        return float("nan")
    return float(np.polyfit(np.log(x[there]), np.log(y[there]), 1)[0])


def growth_claim(
    claim: str,
    published: str,
    x: FloatArray,
    y: FloatArray,
    allowed: tuple[float, float],
    cause: str = "",
) -> Claim:
    """A claim about how y grows with x, which holds if the power is in the allowed range."""
    power = growth(x, y)
    low, high = allowed
    return Claim(
        claim,
        published,
        f"goes with {power_said(power)}",
        low <= power <= high,
        f"{power_said(power)} against {_range(allowed)}",
        cause=cause,
    )


def power_said(power: float) -> str:
    return f"power {round(power, 2) + 0.0:.2f}"


def percent(share: float, digits: int = 1) -> str:
    """A share (0.013) as a person writes it (1.3 %)."""
    return f"{100 * share:.{digits}f} %"


def points(here: float, published: float) -> str:
    """The difference of two shares, in percentage points."""
    return f"{100 * (here - published):+.1f} percentage points"


def times(ratio: float) -> str:
    return f"{ratio:,.0f} times" if ratio >= 20 else f"{ratio:.2g} times"


def duration(seconds: float) -> str:
    """Seconds as text, in a unit that makes the number short."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def counted(claims: Sequence[Claim]) -> tuple[str, int, int]:
    """How many of the publication's claims hold, in words (with those of rows and ours separately)
    and as numbers: those that hold, and all, without rows and ours.

    Repeated claims count once. What is undecided does not count as holding.
    """
    claims = [claim for claim in claims if not claim.again]
    published = [claim for claim in claims if not claim.ours and not claim.of_row]
    holding = _holding(published)
    said = [f"{holding} of {len(published)} hold"] if published else []
    if open_ := sum(claim.undecided for claim in published):
        said[0] += f", {open_} {'is' if open_ == 1 else 'are'} undecided"
    if rows := [claim for claim in claims if claim.of_row]:
        said.append(f"of single rows, {_holding(rows)} of {len(rows)}")
    if ours := [claim for claim in claims if claim.ours]:
        said.append(f"of ours, {_holding(ours)} of {len(ours)}")
    return "; ".join(said), holding, len(published)


def _holding(claims: Sequence[Claim]) -> int:
    return sum(claim.holds and not claim.undecided for claim in claims)


def _range(allowed: tuple[float, float]) -> str:
    low, high = allowed
    if np.isinf(low):
        return f"at most {high:g}"
    if np.isinf(high):
        return f"at least {low:g}"
    return f"{low:g} to {high:g}"
