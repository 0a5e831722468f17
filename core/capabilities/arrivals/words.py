"""Policies and their results in words."""

import math

from core.capabilities.arrivals.policies import POLICIES
from core.capabilities.arrivals.trials import ReplayComparison
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS
from core.engines.compute.many import RunsProgress
from core.vocabulary.intervals import Interval
from core.vocabulary.say.units import Unit
from core.vocabulary.say.within import share_within
from core.vocabulary.say.words import Sense, amount, counted, duration, share

_ALL_FAILED = 5


def policy_label(name: str) -> str:
    """The name of a policy or method for people."""
    return POLICIES[name].label if name in POLICIES else BAG_METHODS[name].label


def replay_progress(progress: RunsProgress) -> str:
    """`12 of 48 replays, about 12 s left`."""
    said = f"{progress.done:,} of {counted(progress.all, 'replay')}"
    if progress.left is None:
        return said
    return f"{said}, about {duration(max(math.ceil(progress.left), 1), Sense.PLAIN)} left"


def interval_in_words(interval: Interval) -> str:
    """`7,421 ± 31`, or the mean alone if one trial does not say how sure it is."""
    mean = amount(interval.mean, Sense.PLAIN)
    if not math.isfinite(interval.half_width):
        return mean
    return f"{mean} ± {amount(interval.half_width, Sense.PLAIN)}"


def in_percent(interval: Interval) -> str:
    """A share with its interval: "78.3 ± 0.4 %"; the mean alone if one trial does not say how sure
    it is.
    """
    if not math.isfinite(interval.half_width):
        return share(interval.mean, Sense.PLAIN)
    return share_within(interval.mean, interval.half_width)


def mean_in_unit(interval: Interval, unit: Unit) -> str:
    """A time or an energy with its interval: `45.9 ± 7.4 h`; the mean alone if one trial does not
    say how sure it is.
    """
    mean = amount(interval.mean / unit.size, Sense.PLAIN)
    if not math.isfinite(interval.half_width):
        return f"{mean} {unit.symbol}"
    width = amount(interval.half_width / unit.size, Sense.UPPER_BOUND, digits=2)
    return f"{mean} ± {width} {unit.symbol}"


def replay_failures(found: ReplayComparison) -> list[str]:
    """A sentence for each of the first replays that failed."""
    said = [f"the replay of {one.input} failed: {one.why}" for one in found.failed[:_ALL_FAILED]]
    more = len(found.failed) - _ALL_FAILED
    return [*said, f"... and {more} more"] if more > 0 else said
