"""Judges schedules that were computed, and rows of schedule files."""

import math

import numpy as np

from core.engines.verify.peak import peak_again
from core.engines.verify.recount import AGREEMENT, ROUNDING, Groups, TaskRuns, machine_key
from core.engines.verify.timeline import check_entries, check_timeline, check_times
from core.engines.verify.verdict import (
    DURATIONS,
    KEEPS_CAP,
    MACHINES_EXIST,
    MACHINES_ONCE,
    NO_GAP,
    NO_OVERLAP,
    NO_TASK_TWICE,
    POSSIBLE_PAIRS,
    SAME_ENERGY,
    SAME_MAKESPAN,
    TASKS_ONCE,
    Faults,
    Verdict,
)
from core.vocabulary.ranges import MACHINE_COUNT
from core.vocabulary.schedule import Schedule, StatedBlocks
from core.vocabulary.system import System


def verify(schedule: Schedule, system: System, never_above: float = math.inf) -> Verdict:
    """Whether the counts, the timeline and the stated figures of a schedule are right.

    It takes time by the groups of machines, not by the numbers of machines and tasks.

    Parameters
    ----------
    schedule : Schedule
        The schedule.
    system : System
        The system that it is said to be for.
    never_above : float
        Watts that all machines together must not exceed at any moment.

    Returns
    -------
    Verdict
        What was checked, all that is wrong, and makespan (s) and energy (J), computed again.

    Examples
    --------
    >>> system = load_sample("two-by-two")
    >>> schedule: Schedule = solve(system).schedule
    >>> verdict: Verdict = verify(schedule, system)
    >>> verdict.ok
    True
    """
    faults = Faults("schedule")
    timed = schedule.may_wait
    checks: tuple[str, ...] = (
        TASKS_ONCE,
        MACHINES_ONCE,
        POSSIBLE_PAIRS,
        DURATIONS,
        NO_OVERLAP,
    )
    checks += () if timed else (NO_GAP,)
    checks += (SAME_MAKESPAN,) if system.apc is None else (SAME_MAKESPAN, SAME_ENERGY)
    checks += () if math.isinf(never_above) else (KEEPS_CAP,)
    if not _fits(schedule, system):
        faults.add("", "", "its groups are not for this system; make the schedule again")
        none = np.zeros(0, np.int64)
        work = TaskRuns(Groups(system, none, none, none), none, none, none)
        return _verdict(faults, checks, work, makespan=0.0, energy=work.energy(0.0))
    groups = Groups.of_schedule(schedule, system)
    group, task_type = np.nonzero(schedule.tasks)
    work = TaskRuns(groups, group, task_type, schedule.tasks[group, task_type])
    _check_machines(faults, groups)
    _check_tasks(faults, work)
    _check_pairs(faults, work)
    waiting = check_timeline(faults, schedule, groups, may_wait=timed)
    blocks = schedule.blocks()
    makespan = max(blocks.end.tolist(), default=0.0) if timed else max(work.loads)
    energy = work.energy(makespan, waiting)
    if not math.isinf(never_above):
        peak = peak_again(blocks, groups)
        if not peak <= never_above * (1 + AGREEMENT):
            say = f"is {peak:.12g} W at some moment, above the cap of {never_above:.12g} W"
            faults.add("", "power", say)
    _check_claim(faults, "makespan", "s", schedule.makespan, makespan)
    if energy is not None:
        # Idle time is a difference of two sums, so its rounding error is multiplied by idle power.
        slack = ROUNDING * makespan * groups.rest_power
        _check_claim(faults, "energy", "J", schedule.energy_if_known, energy, slack)
    return _verdict(faults, checks, work, makespan, energy, math.fsum(waiting.tolist()))


def verify_stated(blocks: StatedBlocks, system: System, *, part: bool = False) -> Verdict:
    """Whether the rows of a schedule file, in which anything may be wrong, are a schedule of
    `system`, or, with `part`, of a part of its tasks.

    Machines without a row are idle, or asleep if machines are switched off. Waiting between blocks
    is not a fault; it counts as idle, because the machine is on.
    """
    faults = Faults("schedule")
    tasks = NO_TASK_TWICE if part else TASKS_ONCE
    checks = (tasks, MACHINES_EXIST, POSSIBLE_PAIRS, DURATIONS, NO_OVERLAP)
    placeable, timed = check_entries(faults, blocks, system)
    key = machine_key(blocks.machine_type, blocks.machine)
    rows = np.flatnonzero(placeable)
    rows = rows[np.argsort(key[rows], kind="stable")]
    at_work, group = np.unique(key[rows], return_inverse=True)
    groups = Groups.of_machines(at_work, system)
    work = TaskRuns(groups, group, blocks.task_type[rows], blocks.count[rows])
    _check_tasks(faults, work, part=part)
    _check_pairs(faults, work)
    timed = timed[rows]
    waiting = check_times(faults, blocks, rows[timed], work.only(timed), may_wait=True)
    makespan = float(blocks.end[rows[timed]].max(initial=0.0))
    energy = work.energy(makespan, waiting)
    return _verdict(faults, checks, work, makespan, energy, math.fsum(waiting.tolist()))


def _fits(schedule: Schedule, system: System) -> bool:
    """Whether the arrays of a schedule can be read as groups of the system."""
    kinds, machines, tasks = schedule.machine_type, schedule.machines, schedule.tasks
    return bool(
        len(kinds) == len(machines) > 0
        and tasks.shape == (len(machines), len(system.task_types))
        and ((kinds >= 0) & (kinds < len(system.machine_types))).all()
        and ((machines >= 1) & (machines <= MACHINE_COUNT.high)).all()
        and (tasks >= 0).all()
    )


def _check_machines(faults: Faults, groups: Groups) -> None:
    there = [0] * len(groups.system.machine_types)
    for kind, machines in zip(groups.machine_type.tolist(), groups.machines.tolist(), strict=True):
        there[kind] += machines
    for machine, count in zip(groups.system.machine_types, there, strict=True):
        if count != machine.count:
            say = f"{count:,} machines are there, but the system has {machine.count:,}; correct it"
            faults.add(machine.name, "machines", say)


def _check_tasks(faults: Faults, work: TaskRuns, *, part: bool = False) -> None:
    """Report missing tasks and tasks that are too many; with `part`, only the latter."""
    for task, placed in zip(work.groups.system.task_types, work.placed, strict=True):
        if placed < task.count and not part:
            say = f"{task.count - placed:,} of {task.count:,} tasks are missing; add them"
            faults.add(task.name, "count", say)
        elif placed > task.count:
            say = (
                f"{placed:,} tasks are there, but the system has {task.count:,}; remove "
                f"{placed - task.count:,}"
            )
            faults.add(task.name, "count", say)


def _check_pairs(faults: Faults, work: TaskRuns) -> None:
    groups = work.groups
    faults.each(
        ~work.possible,
        "task_type",
        lambda r: groups.name(work.group[r]),
        lambda r: (
            f"cannot run tasks of type {groups.system.task_names[work.task_type[r]]}; move "
            f"these {work.count[r]:,} to a machine that can"
        ),
    )


def _check_claim(
    faults: Faults,
    what: str,
    unit: str,
    claimed: float | None,
    recomputed: float,
    slack: float = 0.0,
) -> None:
    tolerance = AGREEMENT * abs(recomputed) + slack
    # Written so that NaN agrees with nothing.
    if claimed is None or not abs(claimed - recomputed) <= tolerance:
        said = "unknown" if claimed is None else f"{claimed:.12g} {unit}"
        faults.add("", what, f"is said to be {said}, but adds up to {recomputed:.12g} {unit}")


def _verdict(
    faults: Faults,
    checks: tuple[str, ...],
    work: TaskRuns,
    makespan: float,
    energy: float | None,
    waiting: float = 0.0,
) -> Verdict:
    groups = work.groups
    return Verdict(
        problems=tuple(faults.problems),
        checks=checks,
        tasks=sum(work.placed),
        machines=sum(groups.machines[np.unique(work.group)].tolist()),
        makespan=makespan,
        energy=energy,
        busy_seconds=math.fsum((groups.machines[work.group] * work.seconds).tolist()),
        idle_seconds=math.fsum(work.idle_seconds(makespan).tolist()),
        waiting_seconds=waiting,
    )
