"""The answer of a study to a wish, for people and for programs."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.engines.front.data import unverified
from core.engines.front.study import Pick, Possible, Study
from core.engines.front.tariff import Tariff
from core.engines.front.wish import Deadline, EnergyBudget, ExchangeRate, PowerCap, StatedWish, Wish
from core.shells.cli.answer import SUCCESS, UNMET, UNVERIFIED, Answer
from core.vocabulary.power import peak_power
from core.vocabulary.problems import Problem
from core.vocabulary.say.columns import (
    VERIFIED,
    exact_duration,
    exact_energy,
    exact_money,
    exact_power,
    exact_value,
    gap_in_words,
    size_in_words,
    table,
    took,
)
from core.vocabulary.say.phrases import estimates_as_dict, peak_in_words
from core.vocabulary.say.words import Sense, amount

_POSSIBLE: Final = {Possible.YES: "met", Possible.UNKNOWN: "unknown", Possible.NO: "no"}


@dataclass(frozen=True, slots=True)
class _WishQuestion:
    """The wish as it was stated, and the tariff of one in money."""

    stated: StatedWish
    tariff: Tariff | None
    wish: Wish

    @property
    def minimised(self) -> str:
        """The value to minimise, in words."""
        match self.wish:
            case Deadline():
                return "energy"
            case ExchangeRate():
                return "energy and time together"
            case _:
                return "makespan"

    @property
    def limit(self) -> str:
        """The limit of the wish in words."""
        match self.wish:
            case Deadline(seconds):
                return f"within {exact_duration(seconds, Sense.TYPED)}"
            case PowerCap(watts):
                return f"drawing at most {exact_power(watts, Sense.TYPED)} on average"
            case ExchangeRate(rate):
                return f"where a second is worth {amount(rate, Sense.TYPED, 'J')}"
            case EnergyBudget(joules):
                if self.tariff is None:
                    return f"with at most {exact_energy(joules, Sense.TYPED)}"
                money = exact_money(self.stated.amount, Sense.TYPED)
                return f"for {money}, at most {exact_energy(joules, Sense.EARNED)}"
            case _:
                raise TypeError(f"no flag asks for {self.wish}")


def wish_answer(
    name: str,
    stated: StatedWish,
    tariff: Tariff | None,
    study: Study,
    picked: Pick,
    seconds: Mapping[str, float],
) -> Answer:
    """The answer with the picked schedule; if it does not meet the wish, the status is `UNMET`."""
    asked = _WishQuestion(stated, tariff, picked.wish)
    schedule, system = picked.schedule, study.system
    met = picked.possible is Possible.YES
    problems = () if met else (_unmet(name, asked, study, picked),)
    if not study.verified:
        problems = (unverified(name), *problems)
    wish: dict[str, object] = {
        "kind": stated.flag,
        "asked": stated.amount,
        "possible": _POSSIBLE[picked.possible],
        "value": picked.value,
        "bound": _finite(picked.bound),
        "gap": _finite(picked.gap),
        "slower_than_fastest": picked.slower_than_fastest,
        "dearer_than_thriftiest": picked.dearer_than_thriftiest,
    }
    if isinstance(asked.wish, PowerCap):
        wish["peak_power"] = peak_power(schedule)
    if asked.tariff:
        wish["cost"] = asked.tariff.cost(schedule.energy)
        wish["carbon"] = asked.tariff.carbon(schedule.energy)
    return Answer(
        {
            "method": study.method,
            "lower_bound": wish["bound"],
            "makespan": schedule.makespan,
            "energy": schedule.energy,
            "gap": wish["gap"],
            "tasks": system.tasks,
            "machines": system.machines,
            **estimates_as_dict(system),
            "seconds": dict(seconds),
            "verified": study.verified,
            "wish": wish,
        },
        _report(name, asked, study, picked, seconds),
        problems,
        UNVERIFIED if not study.verified else SUCCESS if met else UNMET,
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _unmet(name: str, asked: _WishQuestion, study: Study, picked: Pick) -> Problem:
    """The problem of a wish that is not met: the nearest schedule found, and what is possible."""
    least_energy, least_makespan = study.proven.thriftiest, study.proven.soonest
    match asked.wish:
        case Deadline():
            limit = asked.wish.time_limit
            found = f"takes {exact_duration(picked.schedule.makespan, Sense.SPENT, limit)}"
            least = f"takes less than {exact_duration(least_makespan, Sense.LOWER_BOUND, limit)}"
        case PowerCap():
            limit, watts = asked.wish.power_limit, study.proven.least_power
            found = f"draws {exact_power(_average_power(picked), Sense.SPENT, limit)}"
            least = f"draws less than {exact_power(watts, Sense.LOWER_BOUND, limit)} on average"
        case _:
            found = f"needs {_energy_and_cost(asked, picked.schedule.energy, Sense.SPENT)}"
            least = f"needs less than {_energy_and_cost(asked, least_energy, Sense.LOWER_BOUND)}"
    if picked.possible is Possible.NO and study.proofs.settled is not None:
        verdict = "proven impossible: all possible schedules were considered"
    elif picked.possible is Possible.NO:
        verdict = f"proven impossible: no schedule {least}"
    else:
        value = exact_value(asked.minimised, picked.bound, Sense.LOWER_BOUND)
        verdict = f"not proven impossible, but its {asked.minimised} would be at least {value}"
    return Problem(
        name, "", "", f"no schedule {asked.limit} was found; the nearest {found}; {verdict}"
    )


def _report(
    name: str, asked: _WishQuestion, study: Study, picked: Pick, seconds: Mapping[str, float]
) -> str:
    schedule = picked.schedule
    met = picked.possible is Possible.YES
    rows = [
        ("system", size_in_words(study.system)),
        ("makespan", exact_duration(schedule.makespan, Sense.SPENT, asked.wish.time_limit)),
        ("energy", _energy_and_cost(asked, schedule.energy, Sense.SPENT)),
    ]
    if isinstance(asked.wish, PowerCap):
        power = exact_power(_average_power(picked), Sense.SPENT, asked.wish.power_limit)
        peak = exact_power(peak_power(schedule), Sense.SPENT, asked.wish.power_limit)
        rows += [("on average", power), ("peak", peak)]
    rows += [
        ("wish", "met" if met else f"NOT met: {picked.possible.value}; this is the nearest found"),
        ("gap", gap_in_words(picked.gap) if met else "none, because the wish is not met"),
        ("given up", _given_up(picked)),
        ("verified", VERIFIED[study.verified]),
        ("took", took(seconds)),
    ]
    first = f"{name}: least {asked.minimised} {asked.limit}"
    if met and isinstance(asked.wish, PowerCap):
        first += f"; {peak_in_words(peak_power(schedule), asked.wish.power_limit)}"
    return f"{first}\n{table(rows)}"


def _given_up(picked: Pick) -> str:
    return (
        f"{exact_duration(picked.slower_than_fastest, Sense.PLAIN)} against the fastest schedule "
        f"found, {exact_energy(picked.dearer_than_thriftiest, Sense.PLAIN)} against the thriftiest"
    )


def _energy_and_cost(asked: _WishQuestion, joules: float, sense: Sense) -> str:
    """The energy and, with a tariff, its cost and emissions."""
    said = exact_energy(joules, sense, asked.wish.energy_limit)
    if not asked.tariff:
        return said
    carbon = asked.tariff.carbon(joules)
    emitted = f", {amount(carbon, sense)} kg of CO2" if carbon else ""
    money = exact_money(asked.tariff.cost(joules), sense, asked.stated.amount)
    return f"{said}, which costs {money}{emitted}"


def _average_power(picked: Pick) -> float:
    makespan = picked.schedule.makespan
    return picked.schedule.energy / makespan if makespan else 0.0
