"""The shortest schedule that at no moment draws more than a cap, with a bound, checked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.engines.peak.considered import MOST_TASKS, best_runs
from core.engines.peak.mixes import Cap, Mix, best_mix
from core.engines.peak.one_by_one import (
    WakingOrder,
    may_draw_less_than_idle,
    one_by_one,
    waking_order,
)
from core.engines.peak.pacing import MachineSets, Run, paced, schedule_of, seconds_of
from core.engines.recover import assign, round_rows
from core.engines.relaxed import MAKESPAN, lower_bound, soonest
from core.vocabulary.budget import never
from core.vocabulary.power import peak_power
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import SUM_ROUNDING


@dataclass(frozen=True, eq=False)
class PeakProof:
    """No schedule that at no moment draws more than `watts` takes less than `seconds`; infinity if
    there is none.
    """

    watts: float
    seconds: float


@dataclass(frozen=True, eq=False)
class Capped:
    """The shortest schedule found that keeps a cap at every moment, if there is one, and a proof
    of how much shorter one could be.
    """

    proof: PeakProof
    schedule: Schedule | None


def keeps(schedule: Schedule, watts: float) -> bool:
    """Whether a schedule at no moment draws more than so many watts."""
    return peak_power(schedule) <= watts + SUM_ROUNDING * abs(watts)


def least_peak(system: System) -> tuple[float, int | None]:
    """Watts below which no schedule can stay at every moment, and the task type that needs them;
    none if there are no tasks, or if it is because machines with tasks to come are on.
    """
    cap = Cap.of(system, np.inf)
    return _least_peak(cap, _order(cap, never))


def _order(cap: Cap, should_stop: Callable[[], bool]) -> WakingOrder | None:
    """The order in which machines wake that decides about a cap, if there are such."""
    if not cap.system.may_sleep or may_draw_less_than_idle(cap):
        return None
    return waking_order(cap, should_stop)


def _least_peak(cap: Cap, order: WakingOrder | None) -> tuple[float, int | None]:
    system = cap.system
    lonely = np.where(system.task_counts > 0, cap.lonely, -np.inf)
    task = int(lonely.argmax())
    if not system.tasks:
        return system.total_idle_power, None
    if order is not None:
        together = system.total_idle_power + order.least
        if together > lonely[task] * (1 + SUM_ROUNDING):
            return together, None
    return float(lonely[task]), task


def cap_peak(
    system: System,
    watts: float,
    known: Sequence[Schedule] = (),
    should_stop: Callable[[], bool] = never,
) -> Capped:
    """The shortest schedule found that at no moment draws more than so many watts; those `known`
    are tried first. The result does not depend on the speed of the computer, unless it is stopped.
    """
    cap = Cap.of(system, watts)
    fastest_first = sorted(known, key=lambda one: one.makespan)
    best = next((schedule for schedule in fastest_first if keeps(schedule, watts)), None)
    order = None if best is not None else _order(cap, should_stop)
    if best is None and _least_peak(cap, order)[0] > watts + SUM_ROUNDING * abs(watts):
        return Capped(PeakProof(watts, np.inf), None)
    mix = best_mix(cap)
    bound = max(mix.bound, _soonest_of_whole_tasks(cap))
    if best is not None and best.makespan <= bound * (1 + SUM_ROUNDING):
        return Capped(PeakProof(watts, bound), best)
    found: list[tuple[MachineSets, list[Run]]] = []
    choices = [MachineSets.of_types(cap, mix), MachineSets.of_schedule(cap, _plan(cap, mix))]
    if fastest_first and fastest_first[0] is not best:
        choices.append(MachineSets.of_schedule(cap, fastest_first[0]))
    for pool in choices:
        runs = paced(system, pool, should_stop, bound)
        if runs is not None:
            found.append((pool, runs))
    if system.tasks <= MOST_TASKS:
        pool = choices[0]
        shortest = min((runs for _, runs in found), key=seconds_of, default=None)
        counts = system.task_counts.tolist()
        runs, complete = best_runs(pool, counts, shortest, should_stop, bound)
        if runs is not None and runs is not shortest:
            found.append((pool, runs))
        if complete and not may_draw_less_than_idle(cap):
            least = np.inf if runs is None else seconds_of(runs) * (1 - system.tasks * SUM_ROUNDING)
            bound = max(bound, least)
    if not found and order is not None and order.peak <= cap.spare:
        found.append((choices[0], one_by_one(choices[0], system.task_counts.tolist(), order)))
    if found:
        pool, runs = min(found, key=lambda one: seconds_of(one[1]))
        if best is None or seconds_of(runs) < best.makespan:
            best = schedule_of(system, pool, runs)
    return Capped(PeakProof(watts, bound), best)


def _soonest_of_whole_tasks(cap: Cap) -> float:
    """A lower bound on the makespan (s) where tasks are whole, on the pairs that can run."""
    system, possible = cap.system, cap.open
    if system.apc is None or not possible.any(axis=1).all():
        return 0.0
    etc = np.where(possible, system.etc, np.inf)
    left = replace(system, etc=etc, apc=np.where(possible, system.apc, np.nan))
    return soonest(left, lower_bound(left, MAKESPAN).value)


def _plan(cap: Cap, mix: Mix) -> Schedule:
    """The schedule of whole tasks that is nearest to a mix, at any power."""
    system = cap.system
    placed = mix.work / np.where(np.isfinite(system.etc), system.etc, np.inf)
    known = placed.sum(axis=1)
    fallback = np.where(cap.open, 1 / system.etc, 0.0)
    placed = np.where((known > 0)[:, None], placed, fallback)
    placed *= (system.task_counts / np.maximum(placed.sum(axis=1), np.finfo(float).tiny))[:, None]
    return assign(system, round_rows(placed, system.task_counts))
