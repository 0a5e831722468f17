"""What an administrator may wish for, and what the front proves about it.

A wish orders schedules: first by how far they are from meeting it, then by what is to be as small
as possible. Its `bound` is the least that any schedule meeting it can have, as far as is proven.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields

import numpy as np

from core.front.proven import Proven
from core.model.arrays import FloatArray
from core.model.tolerances import NOT_DIVISIBLE, SUM_ROUNDING
from core.relaxed import Front


@dataclass(frozen=True, slots=True)
class Wish(ABC):
    """Points are rows of (joules, seconds). Raises `ValueError` unless all amounts are finite."""

    def __post_init__(self) -> None:
        amounts = [getattr(self, field.name) for field in fields(self)]
        if not np.isfinite(np.hstack(amounts)).all():
            raise ValueError(f"{self} can be neither met nor missed; give finite numbers")

    @property
    def time_limit(self) -> float:
        """Seconds that are allowed, whatever the energy."""
        return np.inf

    @property
    def energy_limit(self) -> float:
        """Joules that are allowed, whatever the makespan."""
        return np.inf

    @property
    def power_limit(self) -> float:
        """Watts that are allowed on average until the makespan."""
        return np.inf

    def beyond(self, _: Front, /) -> bool:
        """Whether only schedules slower than the thriftiest might meet it."""
        return False

    @abstractmethod
    def excess(self, points: FloatArray) -> FloatArray:
        """How far each point is beyond what is allowed; 0 where the wish is met."""

    @abstractmethod
    def value(self, points: FloatArray) -> FloatArray:
        """What is to be as small as possible among those that meet it."""

    @abstractmethod
    def makespan(self, front: Front) -> float:
        """Seconds at which the front meets the wish best; where it cannot, those of the end that
        is nearest.
        """

    @abstractmethod
    def bound(self, proven: Proven) -> float:
        """No schedule that meets the wish has a smaller value; infinity if none can meet it."""


@dataclass(frozen=True, slots=True)
class Deadline(Wish):
    """Done within so many seconds, with the least energy.

    >>> pick(study(load_sample("two-by-two")), Deadline(seconds=12)).schedule.energy
    1360.0
    """

    seconds: float

    @property
    def time_limit(self) -> float:
        return self.seconds

    def excess(self, points: FloatArray) -> FloatArray:
        return _beyond(points[:, 1], self.seconds)

    def value(self, points: FloatArray) -> FloatArray:
        return points[:, 0]

    def makespan(self, front: Front) -> float:
        return float(np.clip(self.seconds, front.makespan[-1], front.makespan[0]))

    def bound(self, proven: Proven) -> float:
        return float(proven.least_energy(_most(self.seconds)))


@dataclass(frozen=True, slots=True)
class EnergyBudget(Wish):
    """With at most so many joules, as soon as possible.

    >>> pick(study(load_sample("two-by-two")), EnergyBudget(joules=1000)).schedule.makespan
    26.0
    """

    joules: float

    @property
    def energy_limit(self) -> float:
        return self.joules

    def excess(self, points: FloatArray) -> FloatArray:
        return _beyond(points[:, 0], self.joules)

    def value(self, points: FloatArray) -> FloatArray:
        return points[:, 1]

    def makespan(self, front: Front) -> float:
        return float(min(front.least_makespan(self.joules), front.makespan[0]))

    def bound(self, proven: Proven) -> float:
        return float(proven.least_makespan(_most(self.joules)))


@dataclass(frozen=True, slots=True)
class PowerCap(Wish):
    """At most so many watts on average until the makespan, as soon as possible.

    >>> pick(study(load_sample("two-by-two")), PowerCap(watts=60)).schedule.makespan
    20.0
    """

    watts: float

    @property
    def power_limit(self) -> float:
        return self.watts

    def excess(self, points: FloatArray) -> FloatArray:
        return _beyond(points[:, 0] / points[:, 1], self.watts)

    def value(self, points: FloatArray) -> FloatArray:
        return points[:, 1]

    def beyond(self, front: Front, /) -> bool:
        least = front.least_makespan_at_power(self.watts)
        return bool(front.makespan[0] < least < np.inf)

    def makespan(self, front: Front) -> float:
        return float(min(front.least_makespan_at_power(self.watts), front.makespan[0]))

    def bound(self, proven: Proven) -> float:
        return proven.least_makespan_at_power(_most(self.watts))


@dataclass(frozen=True, slots=True)
class ExchangeRate(Wish):
    """A second is worth so many joules: the least of energy and time together."""

    joules_per_second: float

    def excess(self, points: FloatArray) -> FloatArray:
        return np.zeros(len(points))

    def value(self, points: FloatArray) -> FloatArray:
        weighed: FloatArray = points @ np.array([1.0, self.joules_per_second])
        return weighed

    def makespan(self, front: Front) -> float:
        return float(front.makespan[self.value(front.points).argmin()])

    def bound(self, proven: Proven) -> float:
        return proven.least_weighed(self.joules_per_second)


@dataclass(frozen=True, slots=True)
class Near(Wish):
    """As near as possible to an energy and a makespan wished for: what is worse by the larger
    share of the front's extent counts.
    """

    joules: float
    seconds: float
    extent: tuple[float, float]

    @classmethod
    def on(cls, front: Front, joules: float, seconds: float) -> "Near":
        """Measured by the extent of this front."""
        across = np.abs(front.points[0] - front.points[-1])
        energy, makespan = np.where(across > 0, across, np.maximum(front.utopia, NOT_DIVISIBLE))
        return cls(joules, seconds, (float(energy), float(makespan)))

    def excess(self, points: FloatArray) -> FloatArray:
        return np.zeros(len(points))

    def value(self, points: FloatArray) -> FloatArray:
        shares: FloatArray = (points - [self.joules, self.seconds]) / self.extent
        largest: FloatArray = shares.max(axis=1)
        return largest

    def makespan(self, front: Front) -> float:
        return float(front.makespan[self.value(front.points).argmin()])

    def bound(self, proven: Proven) -> float:
        return proven.nearest(self.joules, self.seconds, self.extent)


def _beyond(amounts: FloatArray, allowed: float) -> FloatArray:
    beyond: FloatArray = np.where(amounts <= _most(allowed), 0.0, amounts - allowed)
    return beyond


def _most(allowed: float) -> float:
    """What still counts as allowed."""
    return allowed + SUM_ROUNDING * abs(allowed)
