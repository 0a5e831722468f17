"""How means are written that come from samples: with their intervals, if these are known."""

from typing import Final

from core.vocabulary.intervals import Interval
from core.vocabulary.say.phrases import points, points_up
from core.vocabulary.say.units import Unit
from core.vocabulary.say.words import Sense, amount, settled, share

NO_UNIT: Final = Unit("", 1.0)


def share_within(interval: Interval) -> str:
    """A share with its interval, in tenths of a percent: "78.3 ± 0.5 %"; the mean alone if one
    sample does not say how sure it is.
    """
    if not interval.known:
        return share(interval.mean, Sense.PLAIN)
    return f"{points(interval.mean)} ± {points_up(interval.half_width)} %"


def mean_within(interval: Interval, unit: Unit = NO_UNIT) -> str:
    """A mean in a unit with its interval, as "45.9 ± 7.4", without the symbol of the unit; the
    mean alone if one sample does not say how sure it is.
    """
    mean = amount(interval.mean / unit.size, Sense.PLAIN)
    if not interval.known:
        return mean
    width = settled(interval.half_width, abs(interval.mean)) / unit.size
    return f"{mean} ± {amount(width, Sense.UPPER_BOUND, digits=2)}"
