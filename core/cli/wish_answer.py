"""What a study answers to a wish, for people and for programs."""

import math
from collections.abc import Mapping
from typing import Final

from core.cli.answer import SUCCESS, UNMET, UNVERIFIED, Answer
from core.cli.size import size_in_words
from core.cli.study_data import unverified
from core.cli.wishes import Asked
from core.cli.words import (
    VERIFIED,
    exact_duration,
    exact_energy,
    exact_power,
    gap_in_words,
    table,
    took,
    value_of,
)
from core.front.wish import Deadline, PowerCap
from core.pick import Pick, Possible
from core.problems import Problem
from core.study import Study

_POSSIBLE: Final = {Possible.YES: "met", Possible.UNKNOWN: "unknown", Possible.NO: "no"}


def wish_answer(
    name: str, asked: Asked, study: Study, picked: Pick, seconds: Mapping[str, float]
) -> Answer:
    """The schedule picked, or the one nearest to the wish: then the status is `UNMET`."""
    schedule, system = picked.schedule, study.system
    met = picked.possible is Possible.YES
    problems = () if met else (_unmet(name, asked, study, picked),)
    if not study.verified:
        problems = (unverified(name), *problems)
    wish: dict[str, object] = {
        "kind": asked.kind,
        "asked": asked.amount,
        "possible": _POSSIBLE[picked.possible],
        "value": picked.value,
        "bound": _finite(picked.bound),
        "gap": _finite(picked.gap),
        "slower_than_fastest": picked.slower_than_fastest,
        "dearer_than_thriftiest": picked.dearer_than_thriftiest,
    }
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


def _unmet(name: str, asked: Asked, study: Study, picked: Pick) -> Problem:
    """What is nearest to the wish, found and conceivable."""
    least_energy, least_makespan = study.front.lines.value[[0, -1]]
    match asked.wish:
        case Deadline():
            found = f"takes {exact_duration(picked.schedule.makespan)}"
            least = f"takes less than {exact_duration(least_makespan)}"
        case PowerCap():
            found = f"draws {exact_power(_average_power(picked))}"
            least = (
                f"draws less than idle machines do: {exact_power(study.system.total_idle_power)}"
            )
        case _:
            found = f"needs {_energy_and_cost(asked, picked.schedule.energy)}"
            least = f"needs less than {_energy_and_cost(asked, least_energy)}"
    if picked.possible is Possible.NO:
        verdict = f"proven impossible: no schedule {least}"
    else:
        value = value_of(asked.minimised, picked.bound)
        verdict = f"not proven impossible, but its {asked.minimised} would be at least {value}"
    return Problem(
        name, "", "", f"no schedule {asked.limit} was found, and the nearest {found}; {verdict}"
    )


def _report(
    name: str, asked: Asked, study: Study, picked: Pick, seconds: Mapping[str, float]
) -> str:
    schedule = picked.schedule
    met = picked.possible is Possible.YES
    rows = [
        ("system", size_in_words(study.system)),
        ("makespan", exact_duration(schedule.makespan)),
        ("energy", _energy_and_cost(asked, schedule.energy)),
    ]
    if isinstance(asked.wish, PowerCap):
        rows.append(("on average", exact_power(_average_power(picked))))
    rows += [
        ("wish", "met" if met else f"NOT met: {picked.possible.value}; this is the nearest found"),
        ("gap", gap_in_words(picked.gap) if met else "none, since the wish is not met"),
        ("given up", _given_up(picked)),
        ("verified", VERIFIED[study.verified]),
        ("took", took(seconds)),
    ]
    return f"{name}: least {asked.minimised} {asked.limit}\n{table(rows)}"


def _given_up(picked: Pick) -> str:
    return (
        f"{exact_duration(picked.slower_than_fastest)} against the fastest schedule found, "
        f"{exact_energy(picked.dearer_than_thriftiest)} against the thriftiest"
    )


def _energy_and_cost(asked: Asked, joules: float) -> str:
    said = exact_energy(joules)
    if not asked.tariff:
        return said
    carbon = asked.tariff.carbon(joules)
    emitted = f", {carbon:,.4g} kg of CO2" if carbon else ""
    return f"{said}, which costs {asked.tariff.cost(joules):,.6g}{emitted}"


def _average_power(picked: Pick) -> float:
    makespan = picked.schedule.makespan
    return picked.schedule.energy / makespan if makespan else 0.0
