"""The answer about accepted tasks, for people and for programs."""

import math
from collections.abc import Mapping

import numpy as np

from core.capabilities.profit.accept import Acceptance
from core.capabilities.profit.answer_words import MoneyRate, cap_row, gap_in_money
from core.vocabulary.say.columns import (
    VERIFIED,
    exact_duration,
    exact_energy,
    exact_money,
    exact_power,
    size_in_words,
    table,
    took,
)
from core.vocabulary.say.phrases import peak_in_words
from core.vocabulary.say.words import Sense, counted

_MOST_LISTED = 20


def part_as_data(part: Acceptance, period: float, money: MoneyRate) -> dict[str, object]:
    """The answer as data, in seconds, joules and watts; null where nothing is accepted."""
    system, schedule = part.system, part.schedule
    return {
        "upper_bound": money.of(part.bound.value),
        "profit": money.of(part.profit),
        "gap": money.of(part.gap),
        "deadline": period,
        "accepted": {
            task.name: number
            for task, number in zip(system.task_types, part.accepted.tolist(), strict=True)
        },
        "earns": part.profit * period,
        "energy": None if schedule is None else schedule.energy,
        "makespan": None if schedule is None else schedule.makespan,
        "average_power": part.power,
        "peak_power": part.peak,
        "cap_price": money.of(part.bound.cap_value),
        "verified": part.verified,
        "unit": money.unit,
        "tasks": system.tasks,
        "machines": system.machines,
    }


def part_report(
    name: str,
    part: Acceptance,
    period: float,
    money: MoneyRate,
    day: list[tuple[str, str]],
    seconds: Mapping[str, float],
) -> str:
    """Which tasks to accept, what they earn until the deadline, and the upper bound, in words."""
    system, schedule = part.system, part.schedule
    earned = exact_money(part.profit * period, Sense.EARNED)
    rows = [
        ("system", size_in_words(system)),
        ("deadline", exact_duration(period, Sense.TYPED)),
        *_accepted(part),
        ("earns", f"{earned} until the deadline, {money.said(part.profit, Sense.EARNED)}"),
        ("at most", f"{money.said(part.bound.value, Sense.UPPER_BOUND)}, by any schedule"),
        ("gap", gap_in_money(part.bound.value, part.gap, money)),
    ]
    if schedule is not None:
        rows += [
            ("makespan", exact_duration(schedule.makespan, Sense.SPENT, period)),
            ("energy", exact_energy(schedule.energy, Sense.SPENT)),
        ]
    rows += [
        ("on average", f"{_power(part)} until the deadline"),
        ("peak", exact_power(part.peak, Sense.SPENT, part.bound.terms.cap)),
        *cap_row(part.bound, money),
        *day,
        ("verified", VERIFIED[part.verified]),
        ("took", took(seconds)),
    ]
    total = int(part.accepted.sum())
    meaning = f"accept {total:,} of {system.tasks:,} tasks" if total else "accept no tasks"
    peak = peak_said(part)
    return f"{name}: {meaning}{f'; {peak}' if peak else ''}\n{table(rows)}"


def peak_said(part: Acceptance) -> str:
    """A clause on the peak of the accepted tasks; empty without any or without a power cap."""
    terms = part.bound.terms
    if part.schedule is None or math.isinf(terms.power_cap):
        return ""
    return peak_in_words(terms.metered(part.peak), terms.power_cap)


def _power(part: Acceptance) -> str:
    return exact_power(part.power, Sense.SPENT, part.bound.terms.cap)


def _accepted(part: Acceptance) -> list[tuple[str, str]]:
    """A row for each accepted task type, those with most accepted tasks first."""
    types = part.system.task_types
    taken = int(np.count_nonzero(part.accepted))
    listed = np.argsort(-part.accepted, kind="stable")[: min(taken, _MOST_LISTED)].tolist()
    rows = [
        ("accept", f"{int(part.accepted[i]):,} of {types[i].count:,} {types[i].name}")
        for i in listed
    ]
    if more := taken - len(rows):
        rows.append(("", f"some of {counted(more, 'more task type')} (see --json)"))
    if taken < len(types):
        rows.append(("", f"none of {counted(len(types) - taken, 'other task type')}"))
    return rows
