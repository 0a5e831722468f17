"""Which releases a bag can be moved to by hand, and the bags after that."""

from dataclasses import replace
from typing import Final

from core.capabilities.fair_shares.changes import BagsChange
from core.vocabulary.say.words import DAY, HOUR, MINUTE
from dashboard.screens.fair_shares.inputs import BagsInputs

_STEPS: Final = 120
"""So many dates are on the slider at most, or about so many days."""
_NICE: Final = (
    *(1.0, 5.0, 15.0),
    *(minutes * MINUTE for minutes in (1, 5, 15, 30)),
    *(hours * HOUR for hours in (1, 3, 6, 12)),
)
_USUAL: Final = 8 * HOUR
"""The span of bags that are all released at once."""


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
    wanted = span / _STEPS
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
