"""Wishes as a person states them, and the answer of a study in one sentence."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from core.front.proven import Proven
from core.front.wish import Deadline, EnergyBudget, ExchangeRate, PowerCap, Wish
from core.pick import Pick, Possible, pick
from core.relaxed import Front
from core.schedule import Schedule
from core.study import Study
from core.words import ROUNDING, Sense, amount, difference, duration, power, share
from dashboard.logic.axis import Axis
from dashboard.logic.time_unit import unit_for
from dashboard.logic.trade_offs import Standing

Kind = Literal["deadline", "budget", "cap", "rate"]
KINDS: Final[dict[Kind, str]] = {
    "deadline": "Deadline",
    "budget": "Budget",
    "cap": "Average power",
    "rate": "Exchange rate",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A wish: its kind, and how much in SI units (s, J, W, J/s)."""

    kind: Kind
    amount: float

    @property
    def wish(self) -> Wish:
        makers: dict[Kind, type[Deadline | EnergyBudget | PowerCap | ExchangeRate]] = {
            "deadline": Deadline,
            "budget": EnergyBudget,
            "cap": PowerCap,
            "rate": ExchangeRate,
        }
        return makers[self.kind](self.amount)

    def words(self, axis: Axis) -> str:
        """The wish itself, as the title of what answers it."""
        if self.kind == "deadline":
            return f"Done within {duration(self.amount, Sense.TYPED)}"
        if self.kind == "budget":
            return f"At most {axis.say(self.amount, Sense.TYPED)}"
        if self.kind == "cap":
            return f"At most {power(self.amount, Sense.TYPED)} on average"
        return f"A second is worth {amount(self.amount, Sense.TYPED, 'J')}"


@dataclass(frozen=True, slots=True)
class Unit:
    """How the amount of a wish is entered."""

    symbol: str
    size: float


def unit_of(kind: Kind, front: Front, axis: Axis) -> Unit:
    if kind == "deadline":
        unit = unit_for(float(front.makespan[0]))
        return Unit(unit.symbol, unit.seconds)
    if kind == "budget":
        return Unit(axis.unit, axis.joules(1.0))
    return Unit("kW", 1e3) if kind == "cap" else Unit("J/s", 1.0)


def usual(kind: Kind, front: Front, unit: Unit) -> Asked:
    """A wish from the middle of the front, to begin with."""
    energy, makespan = front.points.mean(axis=0).tolist()
    amounts: dict[Kind, float] = {
        "deadline": makespan,
        "budget": energy,
        "cap": energy / makespan,
        "rate": _mean_rate(front),
    }
    entered = float(f"{amounts[kind] / unit.size:.3g}")
    return Asked(kind, entered * unit.size)


def _mean_rate(front: Front) -> float:
    (low, slow), (high, fast) = front.points[0], front.points[-1]
    return float((high - low) / (slow - fast)) if slow > fast else 1.0


@dataclass(frozen=True, eq=False, slots=True)
class Reply:
    """What a study answers to a wish: a sentence, whether the wish is met, and the pick."""

    pick: Pick
    sentence: str

    @property
    def met(self) -> bool:
        return self.pick.possible is Possible.YES


def reply(study: Study, asked: Asked, axis: Axis) -> Reply:
    found = pick(study, asked.wish)
    if found.possible is Possible.YES:
        against = gives_up(study, found.schedule, axis, found.wish)
        return Reply(found, f"{against} {_proven(found)}")
    joules, seconds = study.points[found.index]
    nearest = _took(joules, seconds, axis, found.wish)
    if asked.kind == "cap":
        drawn = power(joules / seconds, Sense.SPENT, found.wish.power_limit)
        nearest = f"{drawn} on average, in {nearest}"
    if found.possible is Possible.NO:
        return Reply(found, f"{_limit(study, asked, axis)} The nearest is {nearest}.")
    if asked.kind == "cap":
        least = duration(found.bound, Sense.LOWER_BOUND)
        return Reply(
            found,
            f"Only schedules of {least} or longer can meet this, slower than those of least "
            f"energy. The nearest is {nearest}.",
        )
    return Reply(
        found,
        f"No schedule found meets this, though that is not proven impossible: the nearest is "
        f"{nearest}. More seconds of polish may find one.",
    )


def gives_up(study: Study, schedule: Schedule, axis: Axis, wish: Wish | None = None) -> str:
    """A schedule against both ends of what a study achieved, if that is more than the bound; and
    against the limits of the wish that it answers.
    """
    joules, seconds = schedule.energy, schedule.makespan
    done = f"Done in {_took(joules, seconds, axis, wish)}"
    if not len(study.achieved):
        return f"{done}."
    slower = difference(seconds, float(study.achieved[-1, 1]))
    dearer = difference(joules, float(study.achieved[0, 0]))
    if slower <= 0 and dearer <= 0:
        return f"{done}: the fastest and the thriftiest."
    if slower <= 0:
        return f"{done}: the fastest, for {_more(study, dearer, axis)} more than the thriftiest."
    if dearer <= 0:
        return f"{done}: the thriftiest, {duration(slower, Sense.PLAIN)} slower than the fastest."
    return (
        f"{done}: {duration(slower, Sense.PLAIN)} slower than the fastest, and "
        f"{_more(study, dearer, axis)} more than the thriftiest."
    )


def _more(study: Study, joules: float, axis: Axis) -> str:
    least = float(study.achieved[0, 0])
    part = f" ({share(joules / least, Sense.PLAIN)})" if least > 0 else ""
    return f"{axis.say(joules, Sense.PLAIN)}{part}"


def _took(joules: float, seconds: float, axis: Axis, wish: Wish | None) -> str:
    """Time and energy of a schedule, beside the limits of a wish."""
    time = duration(seconds, Sense.SPENT, None if wish is None else wish.time_limit)
    return (
        f"{time} with {axis.say(joules, Sense.SPENT, None if wish is None else wish.energy_limit)}"
    )


def _proven(found: Pick) -> str:
    if found.gap <= ROUNDING:
        return "Proven: none that meets the wish is better."
    return (
        f"Proven: within {share(found.gap, Sense.UPPER_BOUND)} of the best that can meet the wish."
    )


def proven_near(proven: Proven, schedule: Schedule, axis: Axis) -> str:
    """How near a schedule is to what is proven, both ways."""
    standing = Standing.of(proven, np.array([[schedule.energy, schedule.makespan]]))
    quantity = axis.title.lower()
    dearer = share(standing.energy_gap[0], Sense.UPPER_BOUND)
    slower = share(standing.time_gap[0], Sense.UPPER_BOUND)
    return (
        f"Proven: within {dearer} of the least {quantity} for this time, and within {slower} of "
        f"the least time for this {quantity}."
    )


def _limit(study: Study, asked: Asked, axis: Axis) -> str:
    """Why a wish is impossible: what is possible."""
    proven = study.proven
    if study.settled is not None:
        return "Impossible: all schedules there are were considered, and none meets this."
    if asked.kind == "deadline":
        least = duration(proven.soonest, Sense.LOWER_BOUND, asked.wish.time_limit)
        return f"Impossible: no schedule can be done in less than {least}."
    if asked.kind == "budget":
        least = axis.say(proven.thriftiest, Sense.LOWER_BOUND, asked.wish.energy_limit)
        return f"Impossible: no schedule can take less than {least}."
    least = power(proven.least_power, Sense.LOWER_BOUND, asked.wish.power_limit)
    return f"Impossible: no schedule can draw less than {least} on average."
