"""Wishes as people type them, and the answer of a study in a sentence."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core import pick
from core.engines.front.proven import Proven
from core.engines.front.study import Pick, Possible, Study
from core.engines.front.wish import StatedWish, Wish, WishParameter
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.power import peak_power
from core.vocabulary.say.phrases import peak_in_words
from core.vocabulary.say.quantities import ENERGY, POWER, Quantity
from core.vocabulary.say.units import Unit, time_unit
from core.vocabulary.say.words import (
    Sense,
    amount,
    as_sentence,
    difference,
    duration,
    power,
    rounded,
    share,
)
from core.vocabulary.schedule import Schedule
from core.vocabulary.tolerances import SAME
from dashboard.parts.fields.idle_power import Corners
from dashboard.parts.fields.typed import TIMES, amount_typed, duration_typed
from dashboard.screens.trade_offs.figures import Standing
from dashboard.workspace.axis import Axis, units_of
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


def wish_title(stated: StatedWish, axis: Axis) -> str:
    """The wish in words, as the title of its schedule. `axis` is the axis on which it is stated."""
    match stated.kind:
        case "deadline":
            return f"Done within {duration(stated.amount, Sense.TYPED)}"
        case "budget" | "money":
            return f"At most {axis.say(stated.si_amount(axis.per_joule), Sense.TYPED)}"
        case "cap":
            return f"At most {power(stated.amount, Sense.TYPED)} on average"
        case "rate":
            return f"One second is worth {amount(stated.amount, Sense.TYPED, 'J')}"


def line_of(stated: StatedWish, axis: Axis, answer: "Reply | None") -> Line | None:
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
        case "rate":
            value = None if answer is None else answer.pick.value
            return None if value is None else Line(title, 1.0, stated.amount, value)


@dataclass(frozen=True, slots=True)
class Entry:
    """The field for the amount of a wish: its label, and an example."""

    label: str
    example: str


def entry_of(kind: WishParameter, unit: Unit) -> Entry:
    entries: dict[WishParameter, Entry] = {
        "deadline": Entry("Done within", TIMES),
        "budget": Entry("Use at most", f"3 {unit.symbol}"),
        "cap": Entry("Average power at most", "4 kW"),
        "money": Entry("Spend at most", f"2.50 {unit.symbol}"),
        "rate": Entry("One second is worth", "500 J/s"),
    }
    return entries[kind]


def typed(text: str, kind: WishParameter, unit: Unit) -> StatedWish:
    """The wish with a typed amount. Raises `ValueError` that says what to type instead."""
    example = entry_of(kind, unit).example
    own = {unit.symbol: unit.size}
    if kind == "deadline":
        value = duration_typed(text, unit.symbol, unit.size)
    elif kind == "budget" and unit.symbol in _OF_ENERGY:
        quantity = Quantity("energy", {**ENERGY.units, **own}, example)
        value = amount_typed(text, quantity, unit.symbol)
    elif kind == "cap":
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
    return Unit("kW", 1e3) if kind == "cap" else Unit("J/s", 1.0)


def usual(kind: WishParameter, front: Front, unit: Unit, axis: Axis) -> StatedWish:
    """A wish from the middle of the front, as a start."""
    energy, makespan = front.points.mean(axis=0).tolist()
    amounts: dict[WishParameter, float] = {
        "deadline": makespan,
        "budget": energy,
        "cap": energy / makespan,
        "money": axis.of(energy),
        "rate": _mean_rate(front),
    }
    entered = rounded(amounts[kind] / unit.size, Sense.PLAIN, 3)
    return StatedWish(kind, entered * unit.size)


def _mean_rate(front: Front) -> float:
    (low, slow), (high, fast) = front.points[0], front.points[-1]
    return float((high - low) / (slow - fast)) if slow > fast else 1.0


@dataclass(frozen=True, eq=False, slots=True)
class Reply:
    """The answer of a study to a wish: the pick, and a sentence."""

    pick: Pick
    sentence: str

    @property
    def met(self) -> bool:
        return self.pick.possible is Possible.YES


def reply(study: Study, stated: StatedWish, axis: Axis) -> Reply:
    found = pick(study, stated.wish(axis.per_joule))
    if found.possible is Possible.YES:
        against = gives_up(study, found.schedule, axis, found.wish)
        peak = ""
        if stated.kind == "cap":
            peak = as_sentence(peak_in_words(peak_power(found.schedule), stated.amount)) + " "
        return Reply(found, f"{peak}{against} {_proven(found)}")
    joules, seconds = study.points[found.index]
    nearest = _took(joules, seconds, axis, found.wish)
    if stated.kind == "cap":
        drawn = power(joules / seconds, Sense.SPENT, found.wish.power_limit)
        nearest = f"{drawn} on average ({nearest})"
    if found.possible is Possible.NO:
        return Reply(found, f"{_limit(study, stated, axis)} The nearest schedule: {nearest}.")
    if stated.kind == "cap":
        least = duration(found.bound, Sense.LOWER_BOUND)
        return Reply(
            found,
            f"Only schedules of {least} or more can meet this: they are slower than the thriftiest "
            f"one. The nearest schedule found: {nearest}.",
        )
    return Reply(
        found,
        f"No schedule found meets this, but it is not proven impossible. The nearest schedule: "
        f"{nearest}. More seconds of polish may find one that meets it.",
    )


def gives_up(study: Study, schedule: Schedule, axis: Axis, wish: Wish | None = None) -> str:
    """A schedule compared with the fastest and the thriftiest of a study, if it has schedules.
    `wish` is the wish that the schedule answers.
    """
    joules, seconds = schedule.energy, schedule.makespan
    done = f"Done in {_took(joules, seconds, axis, wish)}"
    if not len(study.achieved):
        return f"{done}."
    slower = difference(seconds, float(study.achieved[-1, 1]))
    dearer = difference(joules, float(study.achieved[0, 0]))
    if slower <= 0 and dearer <= 0:
        return f"{done}: the fastest and the thriftiest schedule."
    if slower <= 0:
        return (
            f"{done}: the fastest schedule; it takes {_more(study, dearer, axis)} more than the "
            "thriftiest."
        )
    if dearer <= 0:
        return (
            f"{done}: the thriftiest schedule; it is {duration(slower, Sense.PLAIN)} slower than "
            "the fastest."
        )
    return (
        f"{done}: {duration(slower, Sense.PLAIN)} slower than the fastest schedule; it takes "
        f"{_more(study, dearer, axis)} more than the thriftiest."
    )


def _more(study: Study, joules: float, axis: Axis) -> str:
    least = float(study.achieved[0, 0])
    part = f" ({share(joules / least, Sense.PLAIN)})" if least > 0 else ""
    return f"{axis.say(joules, Sense.PLAIN)}{part}"


def _took(joules: float, seconds: float, axis: Axis, wish: Wish | None) -> str:
    """Time and energy of a schedule, rounded so that they agree with the limits of a wish."""
    time = duration(seconds, Sense.SPENT, None if wish is None else wish.time_limit)
    return (
        f"{time} with {axis.say(joules, Sense.SPENT, None if wish is None else wish.energy_limit)}"
    )


def _proven(found: Pick) -> str:
    if found.gap <= SAME:
        return "Proven: no schedule that meets the goal is better."
    return (
        f"Proven: the gap to the best schedule that meets the goal is at most "
        f"{share(found.gap, Sense.UPPER_BOUND)}."
    )


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


def _limit(study: Study, stated: StatedWish, axis: Axis) -> str:
    """Why a wish is impossible: the bound that excludes it."""
    proven = study.proven
    if study.proofs.settled is not None:
        return "Impossible: all possible schedules were considered, and none meets this."
    if stated.kind == "deadline":
        least = duration(proven.soonest, Sense.LOWER_BOUND, stated.wish(axis.per_joule).time_limit)
        return f"Impossible: no schedule takes less than {least}."
    if stated.kind in ("budget", "money"):
        least = axis.say(
            proven.thriftiest, Sense.LOWER_BOUND, stated.wish(axis.per_joule).energy_limit
        )
        return f"Impossible: no schedule takes less than {least}."
    least = power(proven.least_power, Sense.LOWER_BOUND, stated.wish(axis.per_joule).power_limit)
    return f"Impossible: no schedule draws less than {least} on average."
