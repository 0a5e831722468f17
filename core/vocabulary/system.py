"""What the administrator has: task types, machine types, and the time and power of each pair.

Units are SI: seconds, watts, joules. A `System` is validated when it is made and never changes, so
no code checks it again.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.frames import parts_of_frames
from core.vocabulary.kinds import OPTIONAL, MachineType, TaskType
from core.vocabulary.problems import InvalidInput, errors
from core.vocabulary.ranges import IDLE_FRACTION
from core.vocabulary.system_problems import find_problems

if TYPE_CHECKING:
    import pandas as pd


class NoPowerData(ValueError):
    """An energy question was asked of a system without an APC matrix."""

    def __init__(self) -> None:
        super().__init__(
            "this system has no APC matrix (average watts), so energy is unknown; "
            "add apc.csv, or ask for the makespan"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (), self.__dict__


@dataclass(frozen=True, eq=False)
class System:
    """Task types and machine types, with the time and power of each pair.

    `etc[i, j]` is the seconds that one task of type i takes on one machine of type j; infinity
    where the pair cannot run. `apc[i, j]` is the watts that the machine draws on average meanwhile,
    its idle power included; NaN where the pair cannot run. Without `apc` only makespans can be
    asked for. `estimated[i, j]` is True where the time of the pair, and its power, is an estimate
    and not a measurement; None if no pair is. Marks on pairs that cannot run are dropped.

    Raises `InvalidInput`, which lists every error of the data.

    >>> frames = load_sample("two-by-two").to_frames()
    >>> System.from_frames(frames["etc"], frames["apc"]).tasks
    2
    """

    task_types: tuple[TaskType, ...]
    machine_types: tuple[MachineType, ...]
    etc: FloatArray
    apc: FloatArray | None = None
    estimated: BoolArray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "task_types", tuple(self.task_types))
        object.__setattr__(self, "machine_types", tuple(self.machine_types))
        object.__setattr__(self, "etc", _frozen(self.etc))
        if self.apc is not None:
            object.__setattr__(self, "apc", _frozen(self.apc))
        if self.estimated is not None:
            object.__setattr__(self, "estimated", np.asarray(self.estimated))
        found = errors(
            find_problems(self.task_types, self.machine_types, self.etc, self.apc, self.estimated)
        )
        if found:
            raise InvalidInput(found)
        if self.estimated is not None:
            object.__setattr__(self, "estimated", _marks(self.estimated, self.etc))

    @classmethod
    def from_frames(
        cls,
        etc: "pd.DataFrame",
        apc: "pd.DataFrame | None" = None,
        *,
        machines: "pd.DataFrame | None" = None,
        tasks: "pd.DataFrame | None" = None,
        estimated: "pd.DataFrame | None" = None,
    ) -> Self:
        """A system from pandas frames, matched by name.

        `etc` (seconds) and `apc` (watts) have one row for each task type and one column for each
        machine type, NaN where the pair cannot run. `tasks` has one row for each task type and the
        column `count`. `machines` has one row for each machine type and the columns `count` and, if
        not all are 0, `idle_power` (watts). Without `tasks` and `machines` there is one of each
        type, and idle machines draw nothing. A column `asleep_watts` is of machines that are
        switched off when their last task ends; NaN: they stay on. `price` and `resale` (money) and
        `failures_a_year` of a busy machine are for `plan`; NaN: nobody has said it. `estimated` is
        True where a pair is an estimate; rows and columns may be missing. The index of each frame
        holds the names.

        Raises `InvalidInput`, which lists every problem by frame, row and column.
        """
        return cls(*parts_of_frames(etc, apc, machines, tasks, estimated))

    def to_frames(self) -> "dict[str, pd.DataFrame]":
        """The system as `from_frames` takes it: frames "etc", "tasks", "machines", "apc" if powers
        are known, and "estimated" if pairs are estimates.
        `System.from_frames(**system.to_frames())` is the same system.
        """
        import pandas as pd

        task_types = pd.Index(self.task_names, name="task_type")
        machine_types = pd.Index(self.machine_names, name="machine_type")
        seconds = np.where(np.isfinite(self.etc), self.etc, np.nan)
        machines: dict[str, object] = {
            "count": self.machine_counts,
            "idle_power": [machine.idle_power for machine in self.machine_types],
        }
        machines |= {name: np.array(known, float) for name, known in self.optional.items()}
        frames = {
            "etc": pd.DataFrame(seconds, task_types, machine_types),
            "tasks": pd.DataFrame({"count": self.task_counts}, task_types),
            "machines": pd.DataFrame(machines, machine_types),
        }
        if self.apc is not None:
            frames["apc"] = pd.DataFrame(self.apc, task_types, machine_types, copy=True)
        if self.estimated is not None:
            frames["estimated"] = pd.DataFrame(self.estimated, task_types, machine_types, copy=True)
        return frames

    @cached_property
    def task_names(self) -> tuple[str, ...]:
        """The name of each task type."""
        return tuple(task.name for task in self.task_types)

    @cached_property
    def machine_names(self) -> tuple[str, ...]:
        """The name of each machine type."""
        return tuple(machine.name for machine in self.machine_types)

    @cached_property
    def task_counts(self) -> IntArray:
        """Tasks of each type."""
        return _frozen_counts(task.count for task in self.task_types)

    @cached_property
    def machine_counts(self) -> IntArray:
        """Machines of each type."""
        return _frozen_counts(machine.count for machine in self.machine_types)

    @cached_property
    def idle_power(self) -> FloatArray:
        """Watts of one machine of each type that has no task left: idle, or asleep if it is then
        switched off.
        """
        watts = [machine.watts_without_work for machine in self.machine_types]
        return _frozen(np.array(watts, float))

    @cached_property
    def waiting_power(self) -> FloatArray:
        """Watts that one machine of each type draws more while it waits for a task to come, and is
        on, than after its last one.
        """
        idle = [machine.idle_power for machine in self.machine_types]
        return _frozen(np.array(idle, float) - self.idle_power)

    @cached_property
    def mean_power(self) -> FloatArray:
        """Watts of one machine of each type at work: the unweighted mean over the task types that
        can run there; 0 where none can, and without APC.
        """
        apc = np.full(self.etc.shape, np.nan) if self.apc is None else self.apc
        known = np.isfinite(apc)
        return _frozen(np.where(known, apc, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1))

    @property
    def optional(self) -> dict[str, tuple[float | None, ...]]:
        """What machine types may not say (`OPTIONAL`), by name: all that one of them says."""
        found = {name: tuple(getattr(one, name) for one in self.machine_types) for name in OPTIONAL}
        return {name: known for name, known in found.items() if {*known} != {None}}

    @property
    def may_sleep(self) -> bool:
        """Whether any machine type is switched off when its last task ends."""
        return any(machine.asleep_watts is not None for machine in self.machine_types)

    @cached_property
    def always_on(self) -> Self:
        """The same system whose machines all stay on until the makespan, at their idle power."""
        if not self.may_sleep:
            return self
        return self.with_idle_power(machine.idle_power for machine in self.machine_types)

    @cached_property
    def can_run(self) -> BoolArray:
        """Where a task type can run on a machine type of which there is at least one machine."""
        possible: BoolArray = np.isfinite(self.etc) & (self.machine_counts > 0)
        possible.setflags(write=False)
        return possible

    @cached_property
    def estimated_pairs(self) -> int:
        """The number of pairs that are estimates."""
        return 0 if self.estimated is None else int(self.estimated.sum())

    @property
    def tasks(self) -> int:
        """All tasks."""
        return sum(task.count for task in self.task_types)

    @property
    def machines(self) -> int:
        """All machines."""
        return sum(machine.count for machine in self.machine_types)

    @property
    def total_idle_power(self) -> float:
        """Watts of the whole system when no machine has a task left."""
        return math.fsum(self.machine_counts * self.idle_power)

    @cached_property
    def dynamic_energy(self) -> FloatArray:
        """Joules that one task adds to what the machine would draw idle, or asleep; infinity where
        the pair cannot run.

        Energy of a schedule = sum of this over its tasks + `total_idle_power` x makespan, because
        every machine draws its idle power, or is asleep, from its last task until the last of all
        ends. Negative where a machine draws less at work than idle.
        """
        if self.apc is None:
            raise NoPowerData
        possible = np.isfinite(self.etc)
        joules = np.full(self.etc.shape, np.inf)
        np.multiply(self.etc, self.apc - self.idle_power, out=joules, where=possible)
        return _frozen(joules)

    def with_idle_power(self, watts: Iterable[float]) -> Self:
        """The same system whose machines stay on; an idle one of each type draws so many watts."""
        machine_types = tuple(
            replace(machine, idle_power=float(idle), asleep_watts=None)
            for machine, idle in zip(self.machine_types, watts, strict=True)
        )
        return replace(self, machine_types=machine_types)

    def with_asleep_watts(self, watts: float) -> Self:
        """The same system where a machine is switched off when its last task ends, or never on, and
        draws so many watts then, if that is less than idle.
        """
        machine_types = tuple(replace(one, asleep_watts=watts) for one in self.machine_types)
        return replace(self, machine_types=machine_types)

    def with_idle_fraction(self, fraction: float) -> Self:
        """The same system whose machines stay on; an idle one draws `fraction` of the mean APC of
        its column (`mean_power`).
        """
        if self.apc is None:
            raise NoPowerData
        if fraction not in IDLE_FRACTION:
            raise ValueError(f"idle power is a fraction, {IDLE_FRACTION}; {fraction:g} is not")
        return self.with_idle_power((fraction * self.mean_power).tolist())

    def with_counts(self, tasks: IntArray, machines: IntArray) -> Self:
        """The same types with other numbers of tasks and machines."""
        return replace(
            self,
            task_types=tuple(
                replace(task, count=int(count))
                for task, count in zip(self.task_types, tasks, strict=True)
            ),
            machine_types=tuple(
                replace(machine, count=int(count))
                for machine, count in zip(self.machine_types, machines, strict=True)
            ),
        )

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the content: equal systems, and only they, have equal fingerprints."""
        digest = hashlib.sha256()
        tasks = [(task.name, task.count) for task in self.task_types]
        machines = [(m.name, m.count, float(m.idle_power) + 0.0) for m in self.machine_types]
        digest.update(repr((tasks, machines, self.apc is None)).encode())
        for name, known in self.optional.items():
            digest.update(name.encode())
            digest.update((np.array(known, float) + 0.0).tobytes())
        digest.update(self.etc.tobytes())
        if self.apc is not None:
            digest.update(self.apc.tobytes())
        if self.estimated is not None:
            digest.update(self.estimated.tobytes())
        return digest.hexdigest()

    @cached_property
    def fingerprint_of_work(self) -> str:
        """A digest of all but powers and marks: systems that share it have the same schedules."""
        tasks = [(task.name, task.count) for task in self.task_types]
        machines = [(machine.name, machine.count) for machine in self.machine_types]
        return hashlib.sha256(repr((tasks, machines)).encode() + self.etc.tobytes()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, System) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)


def _frozen(values: npt.ArrayLike) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    # One bit pattern a value (no minus zero, one NaN), so that equal content has equal bytes.
    array[array == 0] = 0.0
    array[np.isnan(array)] = np.nan
    array.setflags(write=False)
    return array


def _marks(given: BoolArray, etc: FloatArray) -> BoolArray | None:
    """The marks of pairs that can run; None if there are none."""
    marks = given & np.isfinite(etc)
    marks.setflags(write=False)
    return marks if marks.any() else None


def _frozen_counts(counts: Iterator[int]) -> IntArray:
    array = np.fromiter(counts, dtype=np.int64)
    array.setflags(write=False)
    return array
