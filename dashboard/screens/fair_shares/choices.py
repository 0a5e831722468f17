"""What the sliders offer: stretches around the best possible one, and releases of a bag."""

import math
from dataclasses import dataclass, replace
from typing import Final

from core.capabilities.fair_shares.shares import BagsChange, FairShares
from core.vocabulary.say.words import DAY, HOUR, MINUTE
from dashboard.screens.fair_shares.inputs import BagsInputs

_STEPS: Final = 100
_BELOW: Final = 0.5
_ABOVE: Final = 2.0
_DATES: Final = 120
"""So many dates are on the slider at most, or about so many days."""
_NICE: Final = (
    *(1.0, 5.0, 15.0),
    *(minutes * MINUTE for minutes in (1, 5, 15, 30)),
    *(hours * HOUR for hours in (1, 3, 6, 12)),
)
_USUAL: Final = 8 * HOUR
"""The span of bags that are all released at once."""


@dataclass(frozen=True, slots=True)
class StretchChoices:
    """From `low` to `high` by `step`; `best` is the smallest step that is possible, and `now` the
    one that is chosen. `least` is the best possible stretch, which no step has exactly.
    """

    low: float
    high: float
    step: float
    best: float
    now: float
    least: float

    @property
    def is_best(self) -> bool:
        return self.now == self.best

    @property
    def exact(self) -> float:
        """The stretch that is meant."""
        return self.least if self.is_best else self.now

    @property
    def decimals(self) -> int:
        return max(-math.floor(math.log10(self.step)), 0)


def stretch_choices(found: FairShares, chosen: float | None) -> StretchChoices:
    """The stretches to choose from; what was chosen stays within them, None is the best."""
    least = found.now.plan_stretch
    power = math.floor(math.log10(least / _STEPS))
    step = 10.0**power
    digits = max(-power, 0)

    def at(value: float) -> float:
        return round(value, digits)

    best = at(math.ceil(least / step * (1 - 1e-12)) * step)
    low = at(max(math.floor(best * _BELOW / step), 1) * step)
    high = at(math.ceil(best * _ABOVE / step) * step)
    now = best if chosen is None else at(min(max(round(chosen / step) * step, low), high))
    return StretchChoices(low, high, step, best, now, least)


def releases_of(inputs: BagsInputs) -> list[float]:
    """The release of each task type (s), and last that of one more bag, if there is one."""
    more = inputs.change.bag
    return [*(bag.release for bag in inputs.bags), *(() if more is None else (more.release,))]


def choices_of(usual: BagsInputs, release: float) -> list[float]:
    """The releases to choose from (s), by rising time: from the first one until half of the span
    after the last one, as files say them. `release` is one of them.
    """
    dates = [bag.release for bag in usual.bags]
    first, span = min(dates), (max(dates) - min(dates)) or _USUAL
    step = _step(1.5 * span)
    low, high = min(first, release), max(first + 1.5 * span, release)
    if high - low > 3 * span:  # far away; its neighbourhood is enough
        low, high = release - span, release + span
    begin = low // step
    count = round((high - begin * step) / step) + 1
    grid = [(begin + k) * step for k in range(count)]
    return sorted({*(date for date in grid if low <= date <= high), release})


def _step(span: float) -> float:
    """The step between the dates within a span (s)."""
    wanted = span / _DATES
    days = max(round(wanted / DAY), 1) * DAY
    return next((step for step in _NICE if step >= wanted), days)


def moved(inputs: BagsInputs, place: int, release: float) -> BagsInputs:
    """The bags with one at another release; it is a place in `releases_of`."""
    if place == len(inputs.bags):
        return replace(inputs, change=_with_release(inputs.change, release))
    bags = list(inputs.bags)
    bags[place] = replace(bags[place], release=release)
    untyped = {row: text for row, text in inputs.untyped.items() if row != place}
    return replace(inputs, bags=tuple(bags), untyped=untyped)


def _with_release(change: BagsChange, release: float) -> BagsChange:
    bag = change.bag
    return change if bag is None else replace(change, bag=bag._replace(release=release))
