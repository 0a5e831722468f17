"""Jobs of a day one by one: placed near where the linear program has them, then moved to where
they cost least.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import NamedTuple

import numpy as np

from core.capabilities.centre.day import DayJobs
from core.capabilities.centre.placing import GroupArrays
from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import NoScheduleFound
from core.vocabulary.tolerances import SAME, SUM_ROUNDING


class NoRoom(NoScheduleFound):
    """A job found no free servers."""

    def __init__(self) -> None:
        super().__init__("not all jobs found free servers; give more servers or a longer day")


def wanted_starts(jobs: DayJobs, group: IntArray, start: IntArray, amount: FloatArray) -> IntArray:
    """A start for each whole job, in the order of groups: shares of starts are cut into as many
    equal parts as a group has jobs, and each job gets the middle of one.
    """
    total = np.bincount(group, amount, len(jobs))
    share = amount * (jobs.count / np.maximum(total, SUM_ROUNDING))[group]
    order = np.lexsort((start, group))
    reached = np.cumsum(share[order])
    middles = np.arange(jobs.total) + 0.5
    found = np.minimum(np.searchsorted(reached, middles), len(order) - 1)
    return np.asarray(start[order][found])


def placed(
    jobs: DayJobs, each: IntArray, wanted: IntArray, counts: IntArray, taken: IntArray
) -> IntArray:
    """A start for each job (of group `each[j]`) as near to the wanted one as servers are free, of
    which `taken[k, t]` are not, and if possible not later than that if it would then be late. Jobs
    are placed in the order of these, or where that leaves one without, the largest first, or by
    their due dates. Raises `NoRoom`.
    """
    table = GroupArrays.of(jobs)
    size = (jobs.length * jobs.width)[each]
    on_time = np.floor(jobs.due - jobs.length).astype(np.int64)[each]
    any_time = np.full(len(each), taken.shape[1])
    by_wanted, by_size = np.argsort(wanted, kind="stable"), np.lexsort((wanted, -size))
    for latest in (np.maximum(wanted, on_time), any_time):
        for order in (by_wanted, by_size, np.lexsort((wanted, on_time))):
            start = _place(order, each, (wanted, latest), table, counts, taken.copy())
            if start.min(initial=0) >= 0:
                return np.asarray(start)
    raise NoRoom


@Kernel
def _place(order, each, starts, jobs, counts, busy):
    """A start of each job, whose servers get `busy`; -1 of the first for which there are none."""
    release, length, width, kind = jobs.release, jobs.length, jobs.width, jobs.kind
    wanted, last = starts
    start = np.zeros(len(order), np.int64)
    steps = busy.shape[1]
    for job in order:
        group = each[job]
        long, wide, line = length[group], width[group], busy[kind[group]]
        most = counts[kind[group]] - wide
        latest = min(steps - long, last[job])
        best, run = -1, 0
        for step in range(release[group], latest + long):
            run = run + 1 if line[step] <= most else 0
            begin = step - long + 1
            if run >= long and (best < 0 or abs(begin - wanted[job]) < abs(best - wanted[job])):
                best = begin
            if best >= 0 and begin >= wanted[job]:
                break
        if best < 0 or best > latest:
            start[job] = -1
            return start
        start[job] = best
        for step in range(best, best + long):
            line[step] += wide
    return start


@Kernel
def cost_of(table, step, power):
    """What a power costs in a step."""
    energy, grid, left, over, beyond, green, target, most = table[step]
    cost = energy * power
    cost += grid * (power - green) if power > green else left * (power - green)
    if power > target:
        cost += over * (power - target)
    if power > most:
        cost += beyond * (power - most)
    return cost


class MovePrices(NamedTuple):
    """What a move costs: a step of lateness, a watt that cools in each step, and power in each step
    (a line of `StepCosts.table`). A server of each kind at work draws so many watts more.
    """

    late: float
    heat: FloatArray
    table: FloatArray
    watts: FloatArray


@Kernel
def sweep(order, each, start, jobs, counts, now, prices):
    """Move each job (of group `each[j]`) in this order to where it costs least, with so many busy
    servers of each kind and so much power `now`; how much was saved, and how many steps more of
    lateness are then allowed in all. If that is negative, none are.
    """
    busy, power, slack = now
    late, heat, table, watts = prices
    release, length, width, kind, due = (
        jobs.release,
        jobs.length,
        jobs.width,
        jobs.kind,
        jobs.due,
    )
    steps = len(power)
    ahead, free = np.empty(steps + 1), np.empty(steps + 1, np.int64)
    saved = 0.0
    for job in order:
        group, old = each[job], start[job]
        long, wide, line = length[group], width[group], busy[kind[group]]
        most, draws = counts[kind[group]] - wide, wide * watts[kind[group]]
        first = release[group]
        for step in range(old, old + long):
            line[step] -= wide
            power[step] -= draws
        ahead[first], free[first] = 0.0, 0
        for step in range(first, steps):
            cost = cost_of(table, step, power[step] + draws) - cost_of(table, step, power[step])
            ahead[step + 1] = ahead[step] + cost + heat[step] * draws
            free[step + 1] = free[step] + 1 if line[step] <= most else 0
        was_late = max(0.0, old + long - due[group])
        staying = ahead[old + long] - ahead[old] + late * was_late
        best, least, best_late = old, staying - SUM_ROUNDING - SAME * abs(staying), was_late
        for end in range(first + long, steps + 1):
            if free[end] < long:
                continue
            is_late = max(0.0, end - due[group])
            if is_late - was_late > max(slack, 0.0):
                break
            cost = ahead[end] - ahead[end - long] + late * is_late
            if cost < least:
                best, least, best_late = end - long, cost, is_late
        if best != old:
            saved += staying - least
            slack -= best_late - was_late
            start[job] = best
        for step in range(best, best + long):
            line[step] += wide
            power[step] += draws
    return saved, slack


@Kernel
def staying_awake(executing, starts, watts_awake, watts_starting, price):
    """Servers of a kind that are awake in each step: one that has nothing to do stays so where that
    costs less than sleeping and a start of so many steps.

    Of each further server, the steps in which it has nothing to do are known: those in which fewer
    execute.
    """
    steps = len(executing)
    awake = executing.copy()
    ahead = np.zeros(steps + 1)
    for step in range(steps):
        ahead[step + 1] = ahead[step] + price[step]
    most = executing.max()
    for server in range(most):
        begin = 0
        for step in range(steps):
            if executing[step] > server:
                if step > begin:
                    idle = (ahead[step] - ahead[begin]) * watts_awake
                    from_step = step - starts
                    again = (ahead[step] - ahead[max(from_step, 0)]) * watts_starting
                    if from_step < begin or idle <= again:
                        awake[begin:step] += 1
                begin = step + 1
    return awake
