"""Wishes of an administrator, and what is proven about them.

A wish orders schedules: first by how far they are from meeting it, then by the value that it
minimises. Its `bound` is a proven lower bound on that value for all schedules that meet it.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import ClassVar, Final, Literal

import numpy as np

from core.engines.front.proven import Proven
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import SUM_ROUNDING


@dataclass(frozen=True, slots=True)
class Wish(ABC):
    """Points are rows of (joules, seconds). Raises `ValueError` unless all amounts are finite."""

    minimised: ClassVar[int] = 1
    """The column of points that is to be small."""

    def __post_init__(self) -> None:
        amounts = [getattr(self, field.name) for field in fields(self)]
        if not np.isfinite(np.hstack(amounts)).all():
            raise ValueError(f"{self} is not a wish; give finite numbers")

    @property
    def time_limit(self) -> float:
        """The allowed seconds, for any energy."""
        return np.inf

    @property
    def energy_limit(self) -> float:
        """The allowed joules, for any makespan."""
        return np.inf

    @property
    def power_limit(self) -> float:
        """The allowed watts on average until the makespan."""
        return np.inf

    @property
    def peak_limit(self) -> float:
        """The allowed watts at every moment."""
        return np.inf

    def beyond(self, _: Front, /) -> bool:
        """Whether only schedules slower than the thriftiest may meet it."""
        return False

    @abstractmethod
    def excess(self, points: FloatArray) -> FloatArray:
        """How far each point exceeds the limit; 0 where the wish is met."""

    def value(self, points: FloatArray) -> FloatArray:
        """The value to minimise among points that meet the wish."""
        return points[:, self.minimised]

    @abstractmethod
    def makespan(self, front: Front) -> float:
        """The makespan at which the front meets the wish best; if it cannot, that of the nearest
        end.
        """

    @abstractmethod
    def bound(self, proven: Proven) -> float:
        """A lower bound on the value of schedules that meet the wish; infinity if none can."""


@dataclass(frozen=True, slots=True)
class Deadline(Wish):
    """The least energy within so many seconds.

    >>> pick(study(load_sample("two-by-two")), Deadline(seconds=12)).schedule.energy
    1360.0
    """

    minimised: ClassVar[int] = 0
    seconds: float

    @property
    def time_limit(self) -> float:
        return self.seconds

    def excess(self, points: FloatArray) -> FloatArray:
        return _excess(points[:, 1], self.seconds)

    def makespan(self, front: Front) -> float:
        return float(np.clip(self.seconds, front.makespan[-1], front.makespan[0]))

    def bound(self, proven: Proven) -> float:
        return float(proven.least_energy(_most(self.seconds)))


@dataclass(frozen=True, slots=True)
class EnergyBudget(Wish):
    """The shortest makespan with at most so many joules.

    >>> pick(study(load_sample("two-by-two")), EnergyBudget(joules=1000)).schedule.makespan
    26.0
    """

    joules: float

    @property
    def energy_limit(self) -> float:
        return self.joules

    def excess(self, points: FloatArray) -> FloatArray:
        return _excess(points[:, 0], self.joules)

    def makespan(self, front: Front) -> float:
        return float(min(front.least_makespan(self.joules), front.makespan[0]))

    def bound(self, proven: Proven) -> float:
        return float(proven.least_makespan(_most(self.joules)))


@dataclass(frozen=True, slots=True)
class _Cap(Wish):
    """A wish with a cap on power. Of the power at a moment (joules, seconds) say only the mean."""

    watts: float

    @property
    def power_limit(self) -> float:
        return self.watts

    def excess(self, points: FloatArray) -> FloatArray:
        return _excess(points[:, 0] / points[:, 1], self.watts)


@dataclass(frozen=True, slots=True)
class PowerCap(_Cap):
    """The shortest makespan with at most so many watts on average until it.

    >>> pick(study(load_sample("two-by-two")), PowerCap(watts=60)).schedule.makespan
    20.0
    """

    def beyond(self, front: Front, /) -> bool:
        least = front.least_makespan_at_power(self.watts)
        return bool(front.makespan[0] < least < np.inf)

    def makespan(self, front: Front) -> float:
        return float(min(front.least_makespan_at_power(self.watts), front.makespan[0]))

    def bound(self, proven: Proven) -> float:
        return proven.least_makespan_at_power(_most(self.watts))


@dataclass(frozen=True, slots=True)
class PeakCap(_Cap):
    """The shortest makespan at no moment above so many watts.

    >>> cap = PeakCap(watts=100)
    >>> answer = pick(study(load_sample("two-by-two"), Lp(wish=cap)), cap)
    >>> answer.schedule.makespan, round(answer.bound, 6)
    (18.0, 18.0)
    """

    @property
    def peak_limit(self) -> float:
        return self.watts

    def makespan(self, front: Front) -> float:
        return float(front.makespan[-1])

    def bound(self, proven: Proven) -> float:
        return proven.least_makespan_below(self.watts)


@dataclass(frozen=True, slots=True)
class ExchangeRate(Wish):
    """The least energy plus so many joules for each second of makespan."""

    joules_per_second: float

    def excess(self, points: FloatArray) -> FloatArray:
        return np.zeros(len(points))

    def value(self, points: FloatArray) -> FloatArray:
        # Not as one product with all points: that rounds a point differently among others.
        return points[:, 0] + self.joules_per_second * points[:, 1]

    def makespan(self, front: Front) -> float:
        return float(front.makespan[self.value(front.points).argmin()])

    def bound(self, proven: Proven) -> float:
        return proven.least_weighed(self.joules_per_second)


def _excess(amounts: FloatArray, allowed: float) -> FloatArray:
    return np.where(amounts <= _most(allowed), 0.0, amounts - allowed)


def _most(allowed: float) -> float:
    """The most that still counts as allowed."""
    return allowed + SUM_ROUNDING * abs(allowed)


WishParameter = Literal["deadline", "budget", "cap", "peak", "money", "rate"]


@dataclass(frozen=True, slots=True)
class WishKind:
    """`flag` is its name on the command line and in study files, `parameter` in the address of a
    page, and `label` on the page. If `in_money`, its amount is money, which a tariff converts to
    energy; other amounts are in SI units.
    """

    flag: str
    parameter: WishParameter
    label: str
    wish: type[Deadline | EnergyBudget | PowerCap | PeakCap | ExchangeRate]
    in_money: bool = False


WISH_KINDS: Final = (
    WishKind("deadline", "deadline", "Deadline", Deadline),
    WishKind("energy-budget", "budget", "Energy", EnergyBudget),
    WishKind("power-cap", "cap", "Power", PowerCap),
    WishKind("peak-cap", "peak", "Peak", PeakCap),
    WishKind("cost-budget", "money", "Money", EnergyBudget, in_money=True),
    WishKind("exchange-rate", "rate", "Worth of time", ExchangeRate),
)
"""In the order in which they are offered."""

SI_WISHES: Final = {kind.flag: kind.wish for kind in WISH_KINDS if not kind.in_money}
"""The wishes that need no tariff, by their flag."""

_KINDS: Final = {kind.parameter: kind for kind in WISH_KINDS}


@dataclass(frozen=True, slots=True)
class StatedWish:
    """A wish as a person states it, on a command line or on a page.

    `amount` is in SI units (s, J, W, J/s) or, if the kind is `in_money`, in money.
    """

    kind: WishParameter
    amount: float

    @property
    def flag(self) -> str:
        """The name of its kind on the command line and in study files."""
        return _KINDS[self.kind].flag

    def si_amount(self, per_joule: float = 0.0) -> float:
        """The amount in SI units. A kind in money needs `per_joule`, the money that a joule costs;
        raises `ValueError` if that is 0.
        """
        if not _KINDS[self.kind].in_money:
            return self.amount
        if not per_joule > 0:
            raise ValueError("if energy costs nothing, money is not a limit; give a price above 0")
        return self.amount / per_joule

    def wish(self, per_joule: float = 0.0) -> Wish:
        """The wish itself; `per_joule` is that of `si_amount`."""
        return _KINDS[self.kind].wish(self.si_amount(per_joule))
