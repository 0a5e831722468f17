"""Simulated annealing after evolution: jobs of each plan move, servers and cooling stay."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.placing import GroupArrays
from core.capabilities.centre.plan import DayPlan
from core.capabilities.centre.rivals.best_fit_hole import starts_of
from core.capabilities.centre.rivals.figures import DayArrays, account, execute
from core.engines.compute.compiled import Kernel
from core.engines.moea.dominance import dominated_by
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget
from core.vocabulary.tolerances import SAME

ROUNDS: Final = 12
"""So many times each plan is annealed, as published."""
MOVES: Final = 100
"""Moves at each temperature; the publication does not say how many."""


def temperatures() -> FloatArray:
    """From 1 on, 0.8 times the one before, until 1e-8 or less."""
    found = [1.0]
    while found[-1] > 1e-8:
        found.append(0.8 * found[-1])
    return np.array(found[:-1])


def annealed(
    day: CentreDay,
    plans: Sequence[DayPlan],
    *,
    moves: int = MOVES,
    budget: Budget | None = None,
    seed: int = 0,
    report: Callable[[int, int], None] | None = None,
) -> list[DayPlan]:
    """Each plan, or one that dominates it in excess, cost and lateness.

    Each time, one of the three is annealed that chance chooses; what comes of it stands only if it
    dominates what was before. A move takes a job to another start at which servers that are awake
    have nothing to do, and makes it neither too warm nor cooled too far. When the budget is spent,
    plans stay as they are then. `report` gets the plans done, and how many there are.
    """
    random, budget = np.random.default_rng(seed), budget or Budget()
    arrays, jobs, levels = DayArrays.of(day), GroupArrays.of(day.jobs), temperatures()
    found = []
    for number, plan in enumerate(plans, 1):
        fixed = _Fixed(
            arrays,
            jobs,
            np.ascontiguousarray(plan.awake, np.int64),
            _cooling_watts(day, plan),
            np.ascontiguousarray(plan.speed, float),
            plan.compressor.astype(float),
            np.repeat(plan.group, plan.count),
        )
        start = np.repeat(plan.start, plan.count)
        values = np.array(_valued(fixed, start)[:3])
        for _ in range(ROUNDS):
            if not len(start) or not budget.left or budget.should_stop():
                break
            tried = start.copy()
            _anneal(random, fixed, tried, int(random.integers(3)), levels, moves)
            new = np.array(_valued(fixed, tried)[:3])
            same = np.abs(new - values) <= SAME * np.abs(values)
            if dominated_by(np.where(same, values, new), values):
                start, values = tried, new
        group, begun, count = starts_of(fixed.group, start)
        found.append(replace(plan, group=group, start=begun, count=count))
        if report is not None:
            report(number, len(plans))
    return found


class _Fixed(NamedTuple):
    """What moves of jobs do not change; `group` is the group of each single job."""

    day: DayArrays
    jobs: GroupArrays
    awake: IntArray
    cooling_watts: FloatArray
    speed: FloatArray
    runs: FloatArray
    group: IntArray


def _cooling_watts(day: CentreDay, plan: DayPlan) -> FloatArray:
    cooling = day.centre.cooling
    return cooling.fan_power(plan.speed) + cooling.compressor_watts * plan.compressor


@Kernel
def _valued(fixed, start):
    """Excess, cost, lateness in steps, and by how much it is too warm or cooled too far."""
    busy = np.empty(fixed.awake.shape, np.int64)
    execute(busy, fixed.jobs, fixed.group, start)
    late = 0.0
    for place in range(len(start)):
        late += _late(fixed, place, start[place])
    excess, cost, beyond = _account(fixed, busy)
    return excess, cost, late, beyond


@Kernel
def _account(fixed, busy):
    return account(fixed.day, busy, fixed.awake, fixed.cooling_watts, fixed.speed, fixed.runs)


@Kernel
def _late(fixed, place, start):
    group = fixed.group[place]
    return max(start + fixed.jobs.length[group] - fixed.jobs.due[group], 0.0)


@Kernel
def _anneal(random, fixed, start, aim, levels, moves):
    """Change starts to the best that is seen of one aim, by the Metropolis rule on its share of
    what it is at first.
    """
    jobs, awake = fixed.jobs, fixed.awake
    steps = awake.shape[1]
    busy = np.empty(awake.shape, np.int64)
    execute(busy, jobs, fixed.group, start)
    excess, cost, late, _ = _valued(fixed, start)
    most = excess + SAME * abs(excess), cost + SAME * abs(cost), late
    now = excess if aim == 0 else cost if aim == 1 else late
    unit = abs(now) if now else 1.0
    best, found = now, start.copy()
    for level in levels:
        for _ in range(moves):
            place = int(random.random() * len(start))
            group, before = fixed.group[place], start[place]
            kind, width, length = jobs.kind[group], jobs.width[group], jobs.length[group]
            release = jobs.release[group]
            after = release + int(random.random() * (steps - length - release + 1))
            busy[kind, before : before + length] -= width
            fits = True
            for step in range(after, after + length):
                fits = fits and busy[kind, step] + width <= awake[kind, step]
            if fits:
                busy[kind, after : after + length] += width
                excess, cost, beyond = _account(fixed, busy)
                later = late - _late(fixed, place, before) + _late(fixed, place, after)
                new = excess if aim == 0 else cost if aim == 1 else later
                worse = (new - now) / unit
                sound = beyond == 0 and (aim == 0 or excess <= most[0])
                sound = sound and (aim == 1 or cost <= most[1]) and (aim == 2 or later <= most[2])
                if sound and (worse <= 0 or random.random() < np.exp(-worse / level)):
                    start[place], now, late = after, new, later
                    if now < best:
                        best = now
                        found[:] = start
                    continue
                busy[kind, after : after + length] -= width
            busy[kind, before : before + length] += width
    start[:] = found
