"""Checks the times of blocks: each by itself, then one after the other on its machine."""

from collections.abc import Callable

import numpy as np

from core.engines.verify.recount import AGREEMENT, ROUNDING, Groups, TaskRuns, machine_key
from core.engines.verify.verdict import Faults
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.schedule import Schedule, StatedBlocks
from core.vocabulary.system import System


def check_entries(
    faults: Faults, blocks: StatedBlocks, system: System
) -> tuple[BoolArray, BoolArray]:
    """Check each row by itself. Returns which rows place tasks on a machine, and which of them have
    valid times, too.
    """
    kind, number, task_type = blocks.machine_type, blocks.machine, blocks.task_type
    start, end, count = blocks.start, blocks.end, blocks.count
    kind_known = (kind >= 0) & (kind < len(system.machine_types))
    there = np.array([machine.count for machine in system.machine_types])
    machine_known = (number >= 1) & (number <= there[np.where(kind_known, kind, 0)])
    task_known = (task_type >= 0) & (task_type < len(system.task_types))
    start_sound = np.isfinite(start) & (start >= 0)
    end_sound = np.isfinite(end) & ~(end < start)

    def row(r: int) -> str:
        return f"{system.machine_names[kind[r]]} #{number[r]}" if kind_known[r] else ""

    def numbered(say: Callable[[int], str]) -> Callable[[int], str]:
        return lambda r: f"block {r + 1} {say(r)}"

    kinds: list[tuple[BoolArray, str, Callable[[int], str]]] = [
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
    for faulty, column, say in kinds:
        faults.each(faulty, column, row, numbered(say))
    placeable = kind_known & machine_known & task_known & (count >= 1)
    return placeable, placeable & start_sound & end_sound


def check_timeline(
    faults: Faults, schedule: Schedule, groups: Groups, *, may_wait: bool
) -> FloatArray:
    """Check the blocks of a schedule against its counts, and against each other. Returns the
    machine-seconds that each group waits between blocks.

    All machines of a group run the same, so only the first one of each is checked.
    """
    blocks = schedule.blocks()
    kind, first, task_type = blocks.machine_type, blocks.first_machine, blocks.task_type
    stated = StatedBlocks(kind, first, task_type, blocks.count, blocks.start, blocks.end)
    _, timed = check_entries(faults, stated, groups.system)
    key, group_key = machine_key(kind, first), machine_key(groups.machine_type, groups.first)
    order = np.argsort(group_key)
    slot = np.searchsorted(group_key, key, sorter=order)
    group = order[np.minimum(slot, len(order) - 1)]
    whole = (group_key[group] == key) & (groups.machines[group] == blocks.machines)
    faults.each(
        timed & ~whole,
        "machine",
        lambda r: f"{groups.system.machine_names[kind[r]]} #{first[r]}",
        lambda r: (
            f"block {r + 1} is on {blocks.machines[r]} machines from here, which are no group"
        ),
    )
    rows = np.flatnonzero(timed & whole)
    rows = rows[np.argsort(group[rows], kind="stable")]
    work = TaskRuns(groups, group[rows], task_type[rows], blocks.count[rows])
    listed = np.zeros_like(schedule.tasks)
    np.add.at(listed, (work.group, work.task_type), work.count)
    types = listed.shape[1]
    faults.each(
        (listed != schedule.tasks).ravel(),
        "count",
        lambda cell: groups.name(cell // types),
        lambda cell: (
            f"the timeline has {listed.flat[cell]:,} tasks of type "
            f"{groups.system.task_names[cell % types]}, but {schedule.tasks.flat[cell]:,} are "
            "placed here"
        ),
    )
    return check_times(faults, stated, rows, work, may_wait=may_wait)


def check_times(
    faults: Faults, blocks: StatedBlocks, rows: IntArray, work: TaskRuns, *, may_wait: bool
) -> FloatArray:
    """Check the times on every machine. Returns the machine-seconds that each group waits between
    blocks.

    Row r of `work` is block `rows[r]`; the blocks of each machine are in the order listed.
    """
    groups, start, end = work.groups, blocks.start[rows], blocks.end[rows]

    def place(r: int) -> str:
        return groups.name(work.group[r])

    def span(r: int) -> str:
        return f"block {rows[r] + 1}, {start[r]:.10g} to {end[r]:.10g} s,"

    off = np.abs(end - start - work.seconds) > AGREEMENT * work.seconds + ROUNDING * end
    faults.each(
        off & work.possible,
        "end",
        place,
        lambda r: (
            f"{span(r)} should last {work.seconds[r]:.10g} s for {work.count[r]:,} tasks of type "
            f"{groups.system.task_names[work.task_type[r]]}; correct its times or its count"
        ),
    )
    follows = np.diff(work.group, prepend=-1) == 0
    backwards = follows & (np.diff(start, prepend=0.0) < 0)
    faults.each(
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
    faults.each(
        wait < -tiny,
        "start",
        lambda k: place(by_start[k]),
        lambda k: f"{span(by_start[k])} starts before the block before it ends, {free[k]:.10g} s",
    )
    waits = wait > tiny
    if not may_wait:
        faults.each(
            waits,
            "start",
            lambda k: place(by_start[k]),
            lambda k: f"{span(by_start[k])} leaves the machine waiting from {free[k]:.10g} s",
        )
    group = work.group[by_start][waits]
    seconds = groups.machines[group] * wait[waits]
    return np.bincount(group, seconds, len(groups.machines)).astype(float)
