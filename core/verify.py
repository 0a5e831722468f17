"""An independent judge: recomputes a schedule from the raw matrices and says what is wrong with it.

It shares no code with the solvers, nor with the arithmetic of `Schedule`, of which it reads the raw
arrays and the claims; what it adds up itself is in `core.recount`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.problems import Problem
from core.ranges import MACHINE_COUNT
from core.recount import Groups, Work, machine_key
from core.schedule import Schedule
from core.system import System

# Two results agree when they differ by at most this share of the recomputed one.
AGREEMENT: Final = 1e-9
# What rounding may do to a clock reading or to a difference of two sums, as a share of them.
ROUNDING: Final = 1e-12
LISTED_PER_CHECK: Final = 10

TASKS_ONCE: Final = "every task is placed exactly once"
NO_TASK_TWICE: Final = "no task is placed more than once"
MACHINES_ONCE: Final = "every machine of the system is there exactly once"
MACHINES_EXIST: Final = "every machine named is one of the system"
POSSIBLE_PAIRS: Final = "every task sits on a machine that can run it"
DURATIONS: Final = "every block of tasks lasts their number times the time of one"
NO_OVERLAP: Final = "no machine runs two tasks at once"
NO_GAP: Final = "no machine waits before its last task has ended"
SAME_MAKESPAN: Final = "the makespan is the longest of the machines' times, added up again"
SAME_ENERGY: Final = "the energy is that of all machines, at work and idle, added up again"


class StatedBlocks(Protocol):
    """The rows of a schedule file, right or wrong: each a block of equal tasks on one machine.

    Types are indices into those of the system; machines are numbered 1, 2, ... within their type;
    times are in seconds.
    """

    @property
    def machine_type(self) -> IntArray: ...
    @property
    def machine(self) -> IntArray: ...
    @property
    def task_type(self) -> IntArray: ...
    @property
    def count(self) -> IntArray: ...
    @property
    def start(self) -> FloatArray: ...
    @property
    def end(self) -> FloatArray: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was checked, what is wrong, and the figures as recomputed.

    `tasks` are those placed, `machines` those that run any of them. `makespan` is in seconds,
    `energy` in joules (None without APC). Busy, idle and waiting are machine-seconds up to the
    makespan over all machines of the system; waiting is the part of idle before a machine's last
    task. The figures mean something only if `ok`. Of each kind of fault at most `LISTED_PER_CHECK`
    are listed, followed by the number of the rest.
    """

    problems: tuple[Problem, ...]
    checks: tuple[str, ...]
    tasks: int
    machines: int
    makespan: float
    energy: float | None
    busy_seconds: float
    idle_seconds: float
    waiting_seconds: float

    @property
    def ok(self) -> bool:
        return not self.problems


def verify(schedule: Schedule, system: System) -> Verdict:
    """Whether the counts, the timeline and the claimed figures of a schedule hold for `system`.

    Its time depends on the groups of machines, not on the numbers of machines and tasks.
    """
    found = _Findings()
    checks: tuple[str, ...] = (
        TASKS_ONCE,
        MACHINES_ONCE,
        POSSIBLE_PAIRS,
        DURATIONS,
        NO_OVERLAP,
        NO_GAP,
    )
    checks += (SAME_MAKESPAN,) if system.apc is None else (SAME_MAKESPAN, SAME_ENERGY)
    if not _fits(schedule, system):
        found.add("", "", "its groups are not made for this system; make the schedule anew")
        none = np.zeros(0, np.int64)
        work = Work(Groups(system, none, none, none), none, none, none)
        return _verdict(found, checks, work, makespan=0.0, energy=work.energy(0.0))
    groups = Groups.of_schedule(schedule, system)
    group, task_type = np.nonzero(schedule.tasks)
    work = Work(groups, group, task_type, schedule.tasks[group, task_type])
    _check_machines(found, groups)
    _check_tasks(found, work)
    _check_pairs(found, work)
    _check_timeline(found, schedule, groups)
    makespan = max(work.loads)
    energy = work.energy(makespan)
    _check_claim(found, "makespan", "s", schedule.makespan, makespan)
    if energy is not None:
        # Idle time is a difference of two sums: what rounding leaves of it costs idle watts.
        slack = ROUNDING * makespan * groups.idle_power
        _check_claim(found, "energy", "J", schedule.energy_if_known, energy, slack)
    return _verdict(found, checks, work, makespan, energy)


def verify_stated(blocks: StatedBlocks, system: System, *, part: bool = False) -> Verdict:
    """Whether the rows of a schedule file, where anything may be wrong, are a schedule of `system`,
    or of `part` of its tasks.

    Machines without a row are idle. Waiting between blocks is no fault; it counts as idle.
    """
    found = _Findings()
    tasks = NO_TASK_TWICE if part else TASKS_ONCE
    checks = (tasks, MACHINES_EXIST, POSSIBLE_PAIRS, DURATIONS, NO_OVERLAP)
    placeable, timed = _check_entries(found, blocks, system)
    key = machine_key(blocks.machine_type, blocks.machine)
    rows = np.flatnonzero(placeable)
    rows = rows[np.argsort(key[rows], kind="stable")]
    at_work, group = np.unique(key[rows], return_inverse=True)
    groups = Groups.of_machines(at_work, system)
    work = Work(groups, group, blocks.task_type[rows], blocks.count[rows])
    _check_tasks(found, work, part=part)
    _check_pairs(found, work)
    timed = timed[rows]
    waiting = _check_times(found, blocks, rows[timed], work.only(timed), may_wait=True)
    makespan = float(blocks.end[rows[timed]].max(initial=0.0))
    return _verdict(found, checks, work, makespan, work.energy(makespan), waiting)


class _Findings:
    """Problems as they are found; of each kind the first few, and the number of the rest."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def add(self, row: str, column: str, message: str) -> None:
        self.problems.append(Problem("schedule", row, column, message))

    def each(
        self, faulty: BoolArray, column: str, row: Callable[[int], str], say: Callable[[int], str]
    ) -> None:
        positions = np.flatnonzero(faulty).tolist()
        for position in positions[:LISTED_PER_CHECK]:
            self.add(row(position), column, say(position))
        rest = len(positions) - LISTED_PER_CHECK
        if rest > 0:
            self.add("", column, f"and {rest:,} more like the one above")


def _fits(schedule: Schedule, system: System) -> bool:
    """Whether the arrays of a schedule can be read as groups of the system at all."""
    kinds, machines, tasks = schedule.machine_type, schedule.machines, schedule.tasks
    return bool(
        len(kinds) == len(machines) > 0
        and tasks.shape == (len(machines), len(system.task_types))
        and ((kinds >= 0) & (kinds < len(system.machine_types))).all()
        and ((machines >= 1) & (machines <= MACHINE_COUNT.high)).all()
        and (tasks >= 0).all()
    )


def _check_machines(found: _Findings, groups: Groups) -> None:
    there = [0] * len(groups.system.machine_types)
    for kind, machines in zip(groups.machine_type.tolist(), groups.machines.tolist(), strict=True):
        there[kind] += machines
    for machine, count in zip(groups.system.machine_types, there, strict=True):
        if count != machine.count:
            say = f"{count:,} machines are there, but the system has {machine.count:,}; correct it"
            found.add(machine.name, "machines", say)


def _check_tasks(found: _Findings, work: Work, *, part: bool = False) -> None:
    """Whether all are there, or if `part` is enough, no more than that."""
    for task, placed in zip(work.groups.system.task_types, work.placed, strict=True):
        if placed < task.count and not part:
            say = f"{task.count - placed:,} of {task.count:,} tasks are missing; add them"
            found.add(task.name, "count", say)
        elif placed > task.count:
            say = (
                f"{placed:,} tasks are there, but the system has {task.count:,}; remove "
                f"{placed - task.count:,}"
            )
            found.add(task.name, "count", say)


def _check_pairs(found: _Findings, work: Work) -> None:
    groups = work.groups
    found.each(
        ~work.possible,
        "task_type",
        lambda r: groups.name(work.group[r]),
        lambda r: (
            f"cannot run tasks of type {groups.system.task_types[work.task_type[r]].name}; move "
            f"these {work.count[r]:,} to a machine that can"
        ),
    )


def _check_entries(
    found: _Findings, blocks: StatedBlocks, system: System
) -> tuple[BoolArray, BoolArray]:
    """Each row by itself: those that place tasks on a machine, and those with usable times too."""
    kind, number, task_type = blocks.machine_type, blocks.machine, blocks.task_type
    start, end, count = blocks.start, blocks.end, blocks.count
    kind_known = (kind >= 0) & (kind < len(system.machine_types))
    there = np.array([machine.count for machine in system.machine_types])
    machine_known = (number >= 1) & (number <= there[np.where(kind_known, kind, 0)])
    task_known = (task_type >= 0) & (task_type < len(system.task_types))
    start_sound = np.isfinite(start) & (start >= 0)
    end_sound = np.isfinite(end) & ~(end < start)

    def row(r: int) -> str:
        return f"{system.machine_types[kind[r]].name} #{number[r]}" if kind_known[r] else ""

    def numbered(say: Callable[[int], str]) -> Callable[[int], str]:
        return lambda r: f"block {r + 1} {say(r)}"

    faults: list[tuple[BoolArray, str, Callable[[int], str]]] = [
        (
            ~kind_known,
            "machine_type",
            lambda r: f"is on machine type number {kind[r] + 1}, which is not there; correct it",
        ),
        (
            kind_known & ~machine_known,
            "machine",
            lambda r: f"is on machine {number[r]} of 1 to {there[kind[r]]}; correct the number",
        ),
        (
            ~task_known,
            "task_type",
            lambda r: f"is of task type number {task_type[r] + 1}, which is not there; correct it",
        ),
        (count < 1, "count", lambda r: f"has {count[r]} tasks; give 1 or more"),
        (~start_sound, "start", lambda r: f"starts at {start[r]:.10g} s; give a time from 0 on"),
        (
            ~end_sound,
            "end",
            lambda r: f"ends at {end[r]:.10g} s; give a time after its start, {start[r]:.10g} s",
        ),
    ]
    for faulty, column, say in faults:
        found.each(faulty, column, row, numbered(say))
    placeable = kind_known & machine_known & task_known & (count >= 1)
    return placeable, placeable & start_sound & end_sound


@dataclass(frozen=True, slots=True)
class _Rows:
    """The timeline of a schedule as stated blocks; a group goes by its first machine."""

    machine_type: IntArray
    machine: IntArray
    task_type: IntArray
    count: IntArray
    start: FloatArray
    end: FloatArray


def _check_timeline(found: _Findings, schedule: Schedule, groups: Groups) -> None:
    """The blocks of a schedule against its counts, and among themselves."""
    blocks = schedule.blocks()
    kind, first, task_type = blocks.machine_type, blocks.first_machine, blocks.task_type
    stated = _Rows(kind, first, task_type, blocks.count, blocks.start, blocks.end)
    _, timed = _check_entries(found, stated, groups.system)
    key, group_key = machine_key(kind, first), machine_key(groups.machine_type, groups.first)
    order = np.argsort(group_key)
    slot = np.searchsorted(group_key, key, sorter=order)
    group = order[np.minimum(slot, len(order) - 1)]
    whole = (group_key[group] == key) & (groups.machines[group] == blocks.machines)
    found.each(
        timed & ~whole,
        "machine",
        lambda r: f"{groups.system.machine_types[kind[r]].name} #{first[r]}",
        lambda r: (
            f"block {r + 1} is on {blocks.machines[r]} machines from here, which are no group"
        ),
    )
    rows = np.flatnonzero(timed & whole)
    rows = rows[np.argsort(group[rows], kind="stable")]
    work = Work(groups, group[rows], task_type[rows], blocks.count[rows])
    listed = np.zeros_like(schedule.tasks)
    np.add.at(listed, (work.group, work.task_type), work.count)
    types = listed.shape[1]
    found.each(
        (listed != schedule.tasks).ravel(),
        "count",
        lambda cell: groups.name(cell // types),
        lambda cell: (
            f"the timeline has {listed.flat[cell]:,} tasks of type "
            f"{groups.system.task_types[cell % types].name}, but {schedule.tasks.flat[cell]:,} are "
            "placed here"
        ),
    )
    _check_times(found, stated, rows, work, may_wait=False)


def _check_times(
    found: _Findings, blocks: StatedBlocks, rows: IntArray, work: Work, *, may_wait: bool
) -> float:
    """The clock on every machine; returns the machine-seconds waited between blocks.

    Row r of `work` is block `rows[r]`, in the order listed on each machine.
    """
    groups, start, end = work.groups, blocks.start[rows], blocks.end[rows]

    def place(r: int) -> str:
        return groups.name(work.group[r])

    def span(r: int) -> str:
        return f"block {rows[r] + 1}, {start[r]:.10g} to {end[r]:.10g} s,"

    off = np.abs(end - start - work.seconds) > AGREEMENT * work.seconds + ROUNDING * end
    found.each(
        off & work.possible,
        "end",
        place,
        lambda r: (
            f"{span(r)} should last {work.seconds[r]:.10g} s for {work.count[r]:,} tasks of type "
            f"{groups.system.task_types[work.task_type[r]].name}; correct its times or its count"
        ),
    )
    follows = np.diff(work.group, prepend=-1) == 0
    backwards = follows & (np.diff(start, prepend=0.0) < 0)
    found.each(
        backwards,
        "start",
        place,
        lambda r: f"{span(r)} is listed after a later one; list blocks in the order run",
    )
    by_start = np.arange(len(rows))
    if backwards.any():
        by_start = np.lexsort((start, work.group))
    free = np.where(follows, np.roll(end[by_start], 1), 0.0)
    wait = start[by_start] - free
    tiny = ROUNDING * free
    found.each(
        wait < -tiny,
        "start",
        lambda k: place(by_start[k]),
        lambda k: f"{span(by_start[k])} starts before the block before it ends, {free[k]:.10g} s",
    )
    waits = wait > tiny
    if not may_wait:
        found.each(
            waits,
            "start",
            lambda k: place(by_start[k]),
            lambda k: f"{span(by_start[k])} leaves the machine waiting from {free[k]:.10g} s",
        )
    machines = groups.machines[work.group[by_start]]
    return math.fsum((machines * wait)[waits].tolist())


def _check_claim(
    found: _Findings,
    what: str,
    unit: str,
    claimed: float | None,
    recomputed: float,
    slack: float = 0.0,
) -> None:
    tolerance = AGREEMENT * abs(recomputed) + slack
    # Said so that NaN does not agree with anything.
    if claimed is None or not abs(claimed - recomputed) <= tolerance:
        said = "unknown" if claimed is None else f"{claimed:.12g} {unit}"
        found.add("", what, f"is said to be {said}, but adds up to {recomputed:.12g} {unit}")


def _verdict(
    found: _Findings,
    checks: tuple[str, ...],
    work: Work,
    makespan: float,
    energy: float | None,
    waiting: float = 0.0,
) -> Verdict:
    groups = work.groups
    return Verdict(
        problems=tuple(found.problems),
        checks=checks,
        tasks=sum(work.placed),
        machines=sum(groups.machines[np.unique(work.group)].tolist()),
        makespan=makespan,
        energy=energy,
        busy_seconds=math.fsum((groups.machines[work.group] * work.seconds).tolist()),
        idle_seconds=math.fsum(work.idle_seconds(makespan).tolist()),
        waiting_seconds=waiting,
    )
