"""Wishes as people type them, and where they are in the plane."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.engines.front.axis import Axis, units_of
from core.engines.front.proven import Proven
from core.engines.front.replies import Reply, wish_title
from core.engines.front.wish import StatedWish, WishParameter
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.quantities import ENERGY, POWER, Quantity
from core.vocabulary.say.units import Unit, time_unit
from core.vocabulary.say.words import Sense, amount, duration, rounded, share
from core.vocabulary.schedule import Schedule
from dashboard.parts.fields.idle_power import Corners
from dashboard.parts.fields.typed import TIMES, amount_typed, duration_typed
from dashboard.screens.trade_offs.figures import Standing
from dashboard.workspace.trade_off_settings import WISH_AMOUNT

_DIGITS: Final = 6
_OF_ENERGY: Final = tuple(unit for quantity in ("kWh", "MJ") for unit in units_of(quantity))


@dataclass(frozen=True, slots=True)
class Line:
    """The line on which a wish is just met: all points (j, s) of joules and seconds for which
    `joules * j + seconds * s` is `total`. One factor may be 0.
    """

    title: str
    joules: float
    seconds: float
    total: float

    @property
    def has_handle(self) -> bool:
        """Whether it has a handle to drag, which also names it."""
        return self.joules <= 0 or self.seconds <= 0

    def within(self, corners: Corners) -> FloatArray:
        """Its two ends within the corners; empty if it does not cross them."""
        (left, bottom), (right, top) = corners.low, corners.high
        if self.seconds == 0:
            at = self.total / self.joules
            ends = [[at, bottom], [at, top]]
        elif self.joules == 0:
            at = self.total / self.seconds
            ends = [[left, at], [right, at]]
        else:
            ends = [[x, (self.total - self.joules * x) / self.seconds] for x in (left, right)]
            ends += [[(self.total - self.seconds * y) / self.joules, y] for y in (bottom, top)]
        points = np.array(ends)
        slack = 1e-9 * (corners.high - corners.low)
        seen = (points >= corners.low - slack) & (points <= corners.high + slack)
        crossing: FloatArray = points[seen.all(axis=1)]
        return crossing[np.lexsort(crossing.T)][[0, -1]] if len(crossing) else crossing


def line_of(stated: StatedWish, axis: Axis, answer: Reply | None) -> Line | None:
    """The line of a wish. For an exchange rate it goes through the schedule that answers the wish;
    None if there is none.
    """
    title = wish_title(stated, axis)
    match stated.kind:
        case "deadline":
            return Line(title, 0.0, 1.0, stated.amount)
        case "budget" | "money":
            return Line(title, 1.0, 0.0, stated.si_amount(axis.per_joule))
        case "cap":
            return Line(title, 1.0, -stated.amount, 0.0)
        case "peak":
            return None  # energy and makespan do not say it
        case "rate":
            value = None if answer is None else answer.pick.value
            return None if value is None else Line(title, 1.0, stated.amount, value)


@dataclass(frozen=True, slots=True)
class Entry:
    """The field for the amount of a wish: its label, and an example."""

    label: str
    example: str


_LONGER: Final = Quantity("percentage", {"%": 0.01}, "10 %")


def entry_of(kind: WishParameter, unit: Unit) -> Entry:
    entries: dict[WishParameter, Entry] = {
        "deadline": Entry("Done within", f"{TIMES}, or 10 % longer than the fastest"),
        "budget": Entry("Use at most", f"3 {unit.symbol}"),
        "cap": Entry("Average power at most", "4 kW"),
        "peak": Entry("Power at every moment at most", "20 kW"),
        "money": Entry("Spend at most", f"2.50 {unit.symbol}"),
        "rate": Entry("One second is worth", "500 J/s"),
    }
    return entries[kind]


def typed(text: str, kind: WishParameter, unit: Unit, fastest: float) -> StatedWish:
    """The wish with a typed amount; a percentage of time is that much longer than the `fastest`
    schedule (s). Raises `ValueError` that says what to type instead.
    """
    example = entry_of(kind, unit).example
    own = {unit.symbol: unit.size}
    if kind == "deadline" and text.rstrip().endswith("%"):
        longer = fastest * (1 + amount_typed(text, _LONGER, "%"))
        value = rounded(longer, Sense.SPENT)
    elif kind == "deadline":
        value = duration_typed(text, unit.symbol, unit.size)
    elif kind == "budget" and unit.symbol in _OF_ENERGY:
        quantity = Quantity("energy", {**ENERGY.units, **own}, example)
        value = amount_typed(text, quantity, unit.symbol)
    elif kind in ("cap", "peak"):
        value = amount_typed(text, replace(POWER, example=example), unit.symbol)
    else:
        value = amount_typed(text, Quantity("amount", own, example), unit.symbol)
    return StatedWish(kind, WISH_AMOUNT.nearest(value))


def as_typed(stated: StatedWish, unit: Unit) -> str:
    """The amount as a person would type it."""
    if stated.kind == "deadline":
        return duration(stated.amount, Sense.TYPED)
    return amount(
        rounded(stated.amount / unit.size, Sense.PLAIN, _DIGITS), Sense.TYPED, unit.symbol
    )


def unit_of(kind: WishParameter, front: Front, axis: Axis) -> Unit:
    if kind == "deadline":
        return time_unit(float(front.makespan[0]))
    if kind == "budget":
        return Unit(axis.unit, axis.joules(1.0))
    if kind == "money":
        return Unit(axis.unit, 1.0)
    return Unit("kW", 1e3) if kind in ("cap", "peak") else Unit("J/s", 1.0)


def usual(kind: WishParameter, front: Front, unit: Unit, axis: Axis) -> StatedWish:
    """A wish from the middle of the front, as a start."""
    energy, makespan = front.points.mean(axis=0).tolist()
    amounts: dict[WishParameter, float] = {
        "deadline": makespan,
        "budget": energy,
        "cap": energy / makespan,
        "peak": energy / makespan,
        "money": axis.of(energy),
        "rate": _mean_rate(front),
    }
    entered = rounded(amounts[kind] / unit.size, Sense.PLAIN, 3)
    return StatedWish(kind, entered * unit.size)


def _mean_rate(front: Front) -> float:
    (low, slow), (high, fast) = front.points[0], front.points[-1]
    return float((high - low) / (slow - fast)) if slow > fast else 1.0


def proven_near(proven: Proven, schedule: Schedule, axis: Axis) -> str:
    """The gaps of a schedule, in energy and in time."""
    standing = Standing.of(proven, np.array([[schedule.energy, schedule.makespan]]))
    quantity = axis.title.lower()
    dearer = share(standing.energy_gap[0], Sense.UPPER_BOUND)
    slower = share(standing.time_gap[0], Sense.UPPER_BOUND)
    return (
        f"Proven: the gap is at most {dearer} in {quantity} at the same time, and at most {slower} "
        f"in time with the same {quantity}."
    )
