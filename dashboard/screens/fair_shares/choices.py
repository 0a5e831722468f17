"""The stretches that can be chosen: from well below the best possible one to well above it."""

import math
from dataclasses import dataclass
from typing import Final

from core.capabilities.fair_shares.shares import FairShares

_STEPS: Final = 100
_BELOW: Final = 0.5
_ABOVE: Final = 2.0


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
    """The stretches to choose from for an answer; what was chosen stays within them. None: the
    best.
    """
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
