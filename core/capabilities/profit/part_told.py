"""What is said of part of one batch, and of when to start one on a day of changing prices."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from core.capabilities.profit.accept import Acceptance
from core.capabilities.profit.day import Day, Start
from core.capabilities.profit.told import (
    MOST_LISTED,
    cap_said,
    powers,
    rate_unit_said,
    with_peak,
)
from core.shells.told.told import KeyFigure, Told, ToldTable
from core.vocabulary.say.money import Money
from core.vocabulary.say.phrases import peak_in_words
from core.vocabulary.say.words import Sense, clock, counted, duration, energy, share
from core.vocabulary.tolerances import SAME

NO_BATCH: Final = Told("There is no batch to start: running nothing is best.", data={"day": None})


def told_of_part(part: Acceptance, deadline: float, money: Money) -> Told:
    """All that is said of the tasks to accept until a deadline (s)."""
    terms, schedule = part.bound.terms, part.schedule
    peak, system = terms.metered(part.peak), part.system
    capped = schedule is not None and math.isfinite(terms.power_cap)
    return Told(
        with_peak(
            _accepted(part, deadline, money), peak_in_words(peak, terms.power_cap) if capped else ""
        ),
        tuple(cap_said(part.bound.cap_value, money)),
        tuple(_part_figures(part, money)),
        (_accepted_table(part),) if part.accepted.any() else (),
        {
            "upper_bound": money.rate(part.bound.value),
            "profit": money.rate(part.profit),
            "gap": money.rate(part.gap),
            "deadline": deadline,
            "accepted": dict(zip(system.task_names, part.accepted.tolist(), strict=True)),
            "earns": part.profit * deadline,
            "energy": None if schedule is None else schedule.energy,
            "makespan": None if schedule is None else schedule.makespan,
            "average_power": part.power,
            "peak_power": part.peak,
            "cap_price": money.rate(part.bound.cap_value),
            "verified": part.verified,
            "unit": rate_unit_said(money),
            "tasks": system.tasks,
            "machines": system.machines,
        },
    )


def _accepted(part: Acceptance, deadline: float, money: Money) -> str:
    """How many tasks to accept, and the money earned until the deadline."""
    accepted, offered = int(part.accepted.sum()), part.system.tasks
    until = f"within {duration(deadline, Sense.TYPED)}"
    sense = Sense.EARNED if part.profit >= 0 else Sense.SPENT
    earns = money.say(abs(part.profit) * deadline, sense)
    most = money.say(part.bound.value * deadline, Sense.UPPER_BOUND)
    if not accepted:
        idle = f"idle machines cost {earns}" if part.profit < 0 else "idle machines cost nothing"
        return f"Accept no tasks: no task earns money {until}, and {idle}."
    verb = "earns" if part.profit >= 0 else "loses"
    which = "all" if accepted == offered else f"{accepted:,} of"
    said = f"Accept {which} {offered:,} tasks. This {verb} {earns} {until}"
    if part.gap <= SAME * max(abs(part.bound.value), abs(part.profit)):
        return f"{said}, and no choice can earn more."
    if part.bound.value > 0 and part.profit > 0:
        below = share(part.gap / part.bound.value, Sense.UPPER_BOUND)
        return f"{said}, at most {below} below the best."
    return f"{said}; no choice can earn more than {most}."


def _part_figures(part: Acceptance, money: Money) -> Iterator[KeyFigure]:
    yield KeyFigure(
        "Upper bound",
        money.say_rate(part.bound.value, Sense.UPPER_BOUND),
        "It is proven that no choice of tasks earns more.",
    )
    yield KeyFigure(
        "Found",
        money.say_rate(part.profit, Sense.EARNED),
        f"Any other choice earns at most {money.say_rate(part.gap, Sense.UPPER_BOUND)} more.",
    )
    if part.schedule is not None:
        yield KeyFigure(
            "Makespan",
            duration(part.schedule.makespan, Sense.SPENT, 1 / part.bound.rate),
            "When the last accepted task is done.",
        )
        yield KeyFigure(
            "Energy",
            energy(part.schedule.energy, Sense.SPENT),
            "The energy of the machines until then, idle power included.",
        )
    yield from powers(part.power, part.peak, part.bound.terms.cap, "machines")


def _accepted_table(part: Acceptance) -> ToldTable:
    """The accepted task types, those with most accepted tasks first."""
    types = part.system.task_types
    taken = int(np.count_nonzero(part.accepted))
    listed = np.argsort(-part.accepted, kind="stable")[: min(taken, MOST_LISTED)].tolist()
    notes = []
    if more := taken - len(listed):
        notes.append(f"Some of {counted(more, 'more task type')} (see --json).")
    if taken < len(types):
        notes.append(f"None of {counted(len(types) - taken, 'other task type')}.")
    return ToldTable.of_columns(
        "Tasks to accept",
        {
            "Task type": [types[i].name for i in listed],
            "Accept": [f"{int(part.accepted[i]):,}" for i in listed],
            "Of": [f"{types[i].count:,}" for i in listed],
        },
        note=" ".join(notes),
    )


def told_of_day(day: Day, chosen: Start, money: Money) -> Told:
    """What is said of one batch that begins at this time of the day."""
    starts = (("start", chosen), ("best", day.best), ("worst", day.worst))
    data = {
        name: {"second": start.second, "electricity": start.cost, "profit": day.profit(start)}
        for name, start in starts
    }
    return Told(_start_said(day, chosen, money), data={"day": data})


def _start_said(day: Day, chosen: Start, money: Money) -> str:
    """When to start, and how much dearer or cheaper other times are."""
    best, worst, cost = day.best, day.worst, money.say(chosen.cost, Sense.SPENT)
    if worst.cost - best.cost <= SAME * abs(worst.cost):
        return f"Start at any time: electricity costs {cost} at every hour."
    earned = day.profit(chosen)
    outcome = (
        f"earns {money.say(earned, Sense.EARNED)}"
        if earned >= 0
        else f"loses {money.say(-earned, Sense.SPENT)}"
    )
    said = f"Start at {clock(chosen.second)}: electricity then costs {cost}, and the batch "
    said += f"{outcome}."
    if chosen.cost > best.cost * (1 + SAME):
        less = money.say(chosen.cost - best.cost, Sense.PLAIN)
        said += f" A start at {clock(best.second)} would cost {less} less."
    if chosen.cost < worst.cost * (1 - SAME):
        more = money.say(worst.cost - chosen.cost, Sense.PLAIN)
        said += f" A start at {clock(worst.second)} would cost {more} more."
    return said
