"""Schedules: whole tasks on numbered machines.

A `Schedule` is counts, so 10^12 tasks fit in memory: machines of one type that run the same tasks
form a group, and a group holds how many tasks of each type *each* of its machines runs.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.system import NoPowerData, System

if TYPE_CHECKING:
    import pandas as pd


class ImpossibleSchedule(ValueError):
    """The counts do not describe a schedule of the system."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """The timeline as columns: runs of equal tasks, back to back on every machine of a group.

    Row r: each of the `machines[r]` machines numbered from `first_machine[r]` (1 is the first of
    its type) of machine type `machine_type[r]` runs `count[r]` tasks of type `task_type[r]` from
    `start[r]` to `end[r]` seconds. Rows are in the order of machine types, then of groups, then of
    time; `group[r]` is the group of row r.
    """

    group: IntArray
    machine_type: IntArray
    first_machine: IntArray
    machines: IntArray
    task_type: IntArray
    count: IntArray
    start: FloatArray
    end: FloatArray

    def __len__(self) -> int:
        return len(self.count)

    def chosen(self, mask: BoolArray) -> "Blocks":
        """The rows where the mask is true."""
        return Blocks(*(getattr(self, one.name)[mask] for one in fields(self)))


@dataclass(frozen=True, slots=True, eq=False)
class StatedBlocks:
    """The rows of a schedule file, right or wrong: each a block of equal tasks on one machine.

    Row r: machine number `machine[r]` (1 is the first of its type) of machine type
    `machine_type[r]` runs `count[r]` tasks of type `task_type[r]` from `start[r]` to `end[r]`
    seconds. Types are positions in the system.
    """

    machine_type: IntArray
    machine: IntArray
    task_type: IntArray
    count: IntArray
    start: FloatArray
    end: FloatArray

    def __len__(self) -> int:
        return len(self.count)

    def in_order(self) -> Blocks:
        """The same rows as a timeline, in which each machine is a group of its own."""
        order = np.lexsort((self.end, self.start, self.machine, self.machine_type))
        kind, machine = self.machine_type[order], self.machine[order]
        another = (np.diff(kind) != 0) | (np.diff(machine) != 0)
        return Blocks(
            np.concatenate([[0], np.cumsum(another)])[: len(self)],
            kind,
            machine,
            np.ones(len(self), np.int64),
            self.task_type[order],
            self.count[order],
            self.start[order],
            self.end[order],
        )


@dataclass(frozen=True, eq=False)
class Schedule:
    """Which machine runs which tasks of `system`; every machine is listed, idle ones too.

    Group g is `machines[g]` machines of type `machine_type[g]`, each of which runs `tasks[g, i]`
    tasks of type i. Machines are numbered within their type in the order of the groups. A machine
    runs its longest tasks first (ties: in the order of the task types) and never waits.

    Raises `ImpossibleSchedule` unless every task and every machine is there exactly once and every
    task is on a machine type that can run it.
    """

    system: System
    machine_type: IntArray
    machines: IntArray
    tasks: IntArray
    may_wait: ClassVar[bool] = False
    """Whether machines may wait before a task."""

    def __post_init__(self) -> None:
        for name in ("machine_type", "machines", "tasks"):
            array = np.array(getattr(self, name), dtype=np.int64)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        system, groups = self.system, len(self.machines)
        types = len(system.machine_types)
        if self.tasks.shape != (groups, len(system.task_types)) or len(self.machine_type) != groups:
            raise ImpossibleSchedule("the arrays of the groups do not have matching lengths")
        if (self.machines < 1).any() or (self.tasks < 0).any():
            raise ImpossibleSchedule("a group has no machine, or a negative number of tasks")
        if ((self.machine_type < 0) | (self.machine_type >= types)).any():
            raise ImpossibleSchedule("a group is of no known machine type")
        if (np.diff(self.machine_type) < 0).any():
            raise ImpossibleSchedule("groups are not in the order of the machine types")
        there = np.bincount(self.machine_type, weights=self.machines, minlength=types)
        if (there != system.machine_counts).any():
            raise ImpossibleSchedule("some machine is missing, or there more than once")
        # Each cell is checked first, so that no sum below can overflow and look right by accident.
        counts = system.task_counts
        surplus = (self.tasks > counts).any() or (self.placed > counts[:, None]).any()
        if surplus or (self.placed.sum(axis=1) != counts).any():
            raise ImpossibleSchedule("some task is missing, or there more than once")
        if (self.placed[~system.can_run] > 0).any():
            raise ImpossibleSchedule("some task sits on a machine type that cannot run it")

    @classmethod
    def from_groups(
        cls, system: System, machine_type: IntArray, machines: IntArray, tasks: IntArray
    ) -> Self:
        """A schedule from groups in any order: sorted by machine type, equal groups merged."""
        key = np.column_stack([machine_type, tasks])
        unique, inverse = np.unique(key, axis=0, return_inverse=True)
        merged = np.zeros(len(unique), np.int64)
        np.add.at(merged, inverse.ravel(), machines)
        return cls(system, unique[:, 0], merged, unique[:, 1:])

    @property
    def content(self) -> bytes:
        """All that makes it this schedule of its system."""
        return b"".join(one.tobytes() for one in (self.machine_type, self.machines, self.tasks))

    @cached_property
    def placed(self) -> IntArray:
        """Tasks of each type (rows) on each machine type (columns)."""
        placed = np.zeros((len(self.system.machine_types), self.tasks.shape[1]), np.int64)
        kinds, first = np.unique(self.machine_type, return_index=True)
        placed[kinds] = np.add.reduceat(self.machines[:, None] * self.tasks, first, axis=0)
        placed.setflags(write=False)
        return placed.T

    @cached_property
    def load(self) -> FloatArray:
        """Seconds that each machine of a group is busy."""
        seconds = np.where(np.isfinite(self.system.etc), self.system.etc, 0.0)
        load: FloatArray = np.einsum("gi,gi->g", self.tasks, seconds.T[self.machine_type])
        load.setflags(write=False)
        return load

    @property
    def finish(self) -> FloatArray:
        """Seconds until the last task of each machine of a group ends."""
        return self.load

    @property
    def makespan(self) -> float:
        """Seconds until the last task ends."""
        return float(self.finish.max())

    @property
    def busy_seconds(self) -> FloatArray:
        """Machine-seconds of work on each machine type."""
        types = len(self.system.machine_types)
        busy: FloatArray = np.bincount(
            self.machine_type, weights=self.machines * self.load, minlength=types
        ).astype(np.float64)
        return busy

    @property
    def busy_energy(self) -> FloatArray:
        """Joules that machines of each type draw while they work, their idle power included."""
        system = self.system
        if system.apc is None:
            raise NoPowerData
        possible = np.isfinite(system.etc)
        per_task = np.zeros(system.etc.shape)
        np.multiply(system.etc, system.apc, out=per_task, where=possible)
        joules: FloatArray = np.einsum("ij,ij->j", self.placed, per_task)
        return joules

    @property
    def idle_energy(self) -> FloatArray:
        """Joules that machines of each type draw while they wait for a task, and after their last
        one, idle or asleep, until the last machine of all finishes.
        """
        system = self.system
        idle_seconds = system.machine_counts * self.makespan - self.busy_seconds
        joules = np.maximum(idle_seconds, 0.0) * system.idle_power
        waits = self.waits
        if waits is not None:
            more = waits.machines * (waits.end - waits.start)
            np.add.at(joules, waits.machine_type, more * system.waiting_power[waits.machine_type])
        return joules

    @property
    def waits(self) -> Blocks | None:
        """When machines wait for a task to come, as rows; None if none ever does."""
        return None

    @property
    def energy(self) -> float:
        """Joules of all machines, at work and after it, from the start to the makespan."""
        return float(self.busy_energy.sum() + self.idle_energy.sum())

    @property
    def energy_if_known(self) -> float | None:
        """`energy`, or None for a system without APC."""
        return None if self.system.apc is None else self.energy

    def blocks(self) -> Blocks:
        """The timeline: one row for each block of equal tasks of a group."""
        group, task = np.nonzero(self.tasks)
        each = self.system.etc[task, self.machine_type[group]]
        order = np.lexsort((-each, group))
        task, each = task[order], each[order]
        count = self.tasks[group, task]
        position = np.arange(len(group)) - np.searchsorted(group, group)
        lasting = np.zeros((len(self.tasks), int(position.max(initial=0)) + 1))
        lasting[group, position] = count * np.where(np.isfinite(each), each, 0.0)
        ends = np.cumsum(lasting, axis=1)[group, position]
        return Blocks(
            group,
            self.machine_type[group],
            self.first_machine[group],
            self.machines[group],
            task,
            count,
            np.where(position > 0, np.roll(ends, 1), 0.0),
            ends,
        )

    def to_frame(self) -> "pd.DataFrame":
        """The timeline as a pandas frame: one row for each block of equal tasks of a group.

        Each of the `machines` machines of `machine_type` numbered from `first_machine` runs `count`
        tasks of `task_type` from `start` to `end` (seconds).

        >>> frame = solve(load_sample("two-by-two")).schedule.to_frame()
        >>> float(frame["end"].max())
        11.0
        """
        import pandas as pd

        blocks, system = self.blocks(), self.system
        return pd.DataFrame(
            {
                "machine_type": np.array(system.machine_names, object)[blocks.machine_type],
                "first_machine": blocks.first_machine,
                "machines": blocks.machines,
                "task_type": np.array(system.task_names, object)[blocks.task_type],
                "count": blocks.count,
                "start": blocks.start,
                "end": blocks.end,
            }
        )

    def last_to_finish(self, groups: IntArray, most: int, *, each_type: bool) -> IntArray:
        """At most `most` of these groups, the last to finish first; with `each_type`, only the last
        group of each machine type.
        """
        order = groups[np.argsort(-self.finish[groups], kind="stable")]
        if each_type:
            _, first = np.unique(self.machine_type[order], return_index=True)
            order = order[np.sort(first)]
        last: IntArray = np.sort(order[:most])
        return last

    @cached_property
    def first_machine(self) -> IntArray:
        """The number, within its type, of the first machine of each group; 1 is the first."""
        before = np.cumsum(self.machines) - self.machines
        starts = np.searchsorted(self.machine_type, np.arange(len(self.system.machine_types)))
        offset = np.concatenate([before, [0]])[starts]
        first: IntArray = before - offset[self.machine_type] + 1
        return first
