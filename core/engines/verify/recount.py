"""The arithmetic of `core.engines.verify`: adds up the work of machines again, from the raw
matrices.

It shares no formula with the solvers or with `Schedule`. Tasks are counted in Python integers,
which cannot overflow; seconds and joules are added with `math.fsum`, machine by machine.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.ranges import MACHINE_COUNT
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

# Two results agree if they differ by at most this share of the recomputed one.
AGREEMENT: Final = 1e-9
# The largest rounding error of a time, or of a difference of two sums, as a share of them.
ROUNDING: Final = 1e-12

_KEYS_PER_TYPE: Final = int(MACHINE_COUNT.high) + 1


@dataclass(frozen=True)
class Groups:
    """Machines that run the same: `machines[g]` of them, numbered from `first[g]`."""

    system: System
    machine_type: IntArray
    first: IntArray
    machines: IntArray

    @classmethod
    def of_schedule(cls, schedule: Schedule, system: System) -> "Groups":
        first, numbered = [], [1] * len(system.machine_types)
        pairs = zip(schedule.machine_type.tolist(), schedule.machines.tolist(), strict=True)
        for kind, machines in pairs:
            first.append(numbered[kind])
            numbered[kind] += machines
        return cls(system, schedule.machine_type, np.array(first), schedule.machines)

    @classmethod
    def of_machines(cls, keys: IntArray, system: System) -> "Groups":
        """A group for each machine named, then one for the unnamed machines of each type."""
        kind, number = np.divmod(keys, _KEYS_PER_TYPE)
        named = np.bincount(kind, minlength=len(system.machine_types)).tolist()
        unnamed = [m.count - n for m, n in zip(system.machine_types, named, strict=True)]
        return cls(
            system,
            np.concatenate([kind, np.arange(len(unnamed))]),
            np.concatenate([number, np.zeros(len(unnamed), np.int64)]),
            np.concatenate([np.ones(len(keys), np.int64), unnamed]),
        )

    @cached_property
    def idle_watts(self) -> FloatArray:
        """Watts of one idle machine of each group that is on."""
        watts = np.array([float(machine.idle_power) for machine in self.system.machine_types])
        return watts[self.machine_type]

    @cached_property
    def rest_watts(self) -> FloatArray:
        """Watts of one machine of each group after its last task: switched off if that is allowed
        and draws less, or else idle.
        """
        asleep = [machine.asleep_watts for machine in self.system.machine_types]
        watts = np.array([math.inf if one is None else float(one) for one in asleep])
        least: FloatArray = np.minimum(self.idle_watts, watts[self.machine_type])
        return least

    @property
    def rest_power(self) -> float:
        """Watts of all machines while none has a task left."""
        return math.fsum((self.machines * self.rest_watts).tolist())

    def name(self, group: int) -> str:
        kind, first, machines = self.machine_type[group], self.first[group], self.machines[group]
        to = f" to #{first + machines - 1}" if machines > 1 else ""
        return f"{self.system.machine_names[kind]} #{first}{to}"


@dataclass(frozen=True)
class TaskRuns:
    """Row r: each machine of group `group[r]` runs `count[r]` tasks. Rows are sorted by group."""

    groups: Groups
    group: IntArray
    task_type: IntArray
    count: IntArray

    def only(self, rows: BoolArray) -> "TaskRuns":
        return TaskRuns(self.groups, self.group[rows], self.task_type[rows], self.count[rows])

    @cached_property
    def machine_type(self) -> IntArray:
        return self.groups.machine_type[self.group]

    @cached_property
    def possible(self) -> BoolArray:
        return np.isfinite(self.groups.system.etc[self.task_type, self.machine_type])

    @cached_property
    def seconds(self) -> FloatArray:
        """Seconds that one machine needs for each row; 0 where it cannot run the tasks at all."""
        each = self.groups.system.etc[self.task_type, self.machine_type]
        seconds: FloatArray = np.where(self.possible, each, 0.0) * self.count
        return seconds

    @cached_property
    def loads(self) -> list[float]:
        """Seconds of work of one machine of each group."""
        seconds = self.seconds.tolist()
        bounds = np.searchsorted(self.group, np.arange(len(self.groups.machines) + 1)).tolist()
        return [math.fsum(seconds[low:high]) for low, high in pairwise(bounds)]

    @cached_property
    def placed(self) -> list[int]:
        """Tasks of each type on all machines together."""
        placed = [0] * len(self.groups.system.task_types)
        machines = self.groups.machines[self.group]
        rows = zip(self.task_type.tolist(), machines.tolist(), self.count.tolist(), strict=True)
        for task_type, times, count in rows:
            placed[task_type] += times * count
        return placed

    def energy(self, makespan: float, waiting: FloatArray | None = None) -> float | None:
        """Joules of all machines until the makespan, at work, idle and asleep; None without APC.
        Machines of each group wait for so many machine-seconds before their last tasks, and are on.
        """
        apc = self.groups.system.apc
        if apc is None:
            return None
        watts = np.where(self.possible, apc[self.task_type, self.machine_type], 0.0)
        busy = self.groups.machines[self.group] * self.seconds * watts
        groups = self.groups
        idle = self.idle_seconds(makespan) * groups.rest_watts
        waits = np.zeros(len(idle)) if waiting is None else waiting
        more = waits * (groups.idle_watts - groups.rest_watts)
        return math.fsum([*busy.tolist(), *idle.tolist(), *more.tolist()])

    def idle_seconds(self, makespan: float) -> FloatArray:
        """Machine-seconds without work of each group until the makespan."""
        idle: FloatArray = np.maximum(makespan - np.array(self.loads), 0.0)
        return idle * self.groups.machines


def machine_key(machine_type: IntArray, machine: IntArray) -> IntArray:
    """One number for a machine, in the order of types and then of machines."""
    return machine_type * _KEYS_PER_TYPE + machine
