"""What the administrator has: task types, machine types, and how they get on with each other.

Units are SI: seconds, watts, joules. A `System` is validated once, when it is made, and never
changes; whoever holds one need not check it again.
"""

import hashlib
import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from core.problems import InvalidInput, Problem, Severity, errors

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Range:
    """The values that a quantity may take, ends included; the one place where they are declared."""

    low: float
    high: float
    unit: str

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def nearest(self, value: float) -> float:
        """The value itself, or the end that it is beyond."""
        return min(max(value, self.low), self.high)

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g} {self.unit}".rstrip()


TASK_COUNT: Final = Range(0, 10**12, "tasks")
MACHINE_COUNT: Final = Range(0, 10**6, "machines")
ETC: Final = Range(1e-9, 1e15, "s")
POWER: Final = Range(0.0, 1e12, "W")
IDLE_FRACTION: Final = Range(0.0, 1.0, "of the mean power")
NAME_LENGTH: Final = 200
CELLS_LISTED: Final = 1_000

# These cannot be written to every format and read back.
_UNWRITABLE_CATEGORIES: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_UNWRITABLE_CHARACTERS: Final = frozenset("\ufeff\ufffe\uffff")


@dataclass(frozen=True, slots=True)
class TaskType:
    """A kind of task, and how many tasks of it there are to run."""

    name: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class MachineType:
    """A kind of machine, how many there are, and the watts that one draws while it runs no task."""

    name: str
    count: int = 1
    idle_power: float = 0.0


class NoPowerData(ValueError):
    """An energy question was asked of a system without an APC matrix."""

    def __init__(self) -> None:
        super().__init__(
            "this system has no APC matrix (average watts), so energy is unknown; "
            "add apc.csv, or ask for the makespan"
        )


@dataclass(frozen=True, eq=False)
class System:
    """Task types x machine types with their times and powers.

    `etc[i, j]` is the seconds that one task of type i takes on one machine of type j; infinity
    where the pair cannot run. `apc[i, j]` is the average watts of that machine meanwhile, its idle
    part included; NaN where the pair cannot run. Without `apc` only makespans can be asked for.

    Raises `InvalidInput` listing every error when made from unusable data.
    """

    task_types: tuple[TaskType, ...]
    machine_types: tuple[MachineType, ...]
    etc: FloatArray
    apc: FloatArray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "task_types", tuple(self.task_types))
        object.__setattr__(self, "machine_types", tuple(self.machine_types))
        object.__setattr__(self, "etc", _frozen(self.etc))
        if self.apc is not None:
            object.__setattr__(self, "apc", _frozen(self.apc))
        found = errors(find_problems(self.task_types, self.machine_types, self.etc, self.apc))
        if found:
            raise InvalidInput(found)

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
        """Watts of one idle machine of each type."""
        return _frozen(np.array([machine.idle_power for machine in self.machine_types], float))

    @cached_property
    def can_run(self) -> BoolArray:
        """Where a task type can run on a machine type of which there is at least one machine."""
        possible: BoolArray = np.isfinite(self.etc) & (self.machine_counts > 0)
        possible.setflags(write=False)
        return possible

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
        """Watts of the whole system when nothing runs."""
        return math.fsum(self.machine_counts * self.idle_power)

    @cached_property
    def dynamic_energy(self) -> FloatArray:
        """Joules that one task adds to an idle machine; infinity where the pair cannot run.

        Energy of a schedule = sum of this over its tasks + `total_idle_power` x makespan, because
        every machine is on until the last task ends. Negative where a machine draws less at work
        than idle.
        """
        if self.apc is None:
            raise NoPowerData
        possible = np.isfinite(self.etc)
        joules = np.full(self.etc.shape, np.inf)
        np.multiply(self.etc, self.apc - self.idle_power, out=joules, where=possible)
        return _frozen(joules)

    def with_idle_fraction(self, fraction: float) -> Self:
        """The same system where an idle machine draws `fraction` of the mean APC of its column.

        The mean is unweighted, over the task types that can run there.
        """
        if self.apc is None:
            raise NoPowerData
        if fraction not in IDLE_FRACTION:
            raise ValueError(f"idle power is a fraction, {IDLE_FRACTION}; {fraction:g} is not")
        possible = np.isfinite(self.apc)
        cells = possible.sum(axis=0)
        mean = np.where(possible, self.apc, 0.0).sum(axis=0) / np.maximum(cells, 1)
        machine_types = tuple(
            replace(machine, idle_power=fraction * float(watts))
            for machine, watts in zip(self.machine_types, mean, strict=True)
        )
        return replace(self, machine_types=machine_types)

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
        digest.update(self.etc.tobytes())
        if self.apc is not None:
            digest.update(self.apc.tobytes())
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, System) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)


def find_problems(
    task_types: Sequence[TaskType],
    machine_types: Sequence[MachineType],
    etc: FloatArray,
    apc: FloatArray | None,
    *,
    unread_etc: BoolArray | None = None,
    unread_apc: BoolArray | None = None,
) -> list[Problem]:
    """Every problem of a would-be system, in one pass; `file` is the table's name ("etc").

    Cells marked unread are taken to hold an unknown but sound value: whoever could not read them
    has reported them already.
    """
    shape = (len(task_types), len(machine_types))
    problems = list(_name_and_count_problems(task_types, machine_types))
    tables = [("etc", etc)] if apc is None else [("etc", etc), ("apc", apc)]
    misshapen = [
        Problem(
            table,
            "",
            "",
            f"has shape {values.shape}, but there are {shape[0]} task types and {shape[1]} machine "
            "types; give one row a task type and one column a machine type",
        )
        for table, values in tables
        if values.shape != shape
    ]
    if misshapen or 0 in shape:
        return problems + misshapen
    known_etc = np.ones(shape, bool) if unread_etc is None else ~unread_etc
    known_apc = np.ones(shape, bool) if unread_apc is None else ~unread_apc
    cells = _Cells([task.name for task in task_types], [m.name for m in machine_types])
    problems += _etc_problems(task_types, machine_types, etc, known_etc, cells)
    if apc is not None:
        # A time that is no number is reported; whether the pair can run is then unknown.
        known_etc = known_etc & (etc > -np.inf)
        problems += _apc_problems(machine_types, etc, apc, known_etc, known_apc, cells)
    return problems


@dataclass(frozen=True, slots=True)
class _Cells:
    rows: list[str]
    columns: list[str]

    def where(
        self,
        mask: BoolArray,
        table: str,
        values: FloatArray,
        message: str,
        severity: Severity = "error",
    ) -> Iterator[Problem]:
        """A problem for each marked cell; `{value:g}` in the message is the cell's value.

        Past `CELLS_LISTED` they are only counted: a table may hold millions.
        """
        marked = np.flatnonzero(mask)
        for i, j in zip(*np.unravel_index(marked[:CELLS_LISTED], mask.shape), strict=True):
            said = message.format(value=float(values[i, j]))
            yield Problem(table, self.rows[i], self.columns[j], said, severity)
        if len(marked) > CELLS_LISTED:
            more = f"{len(marked) - CELLS_LISTED:,} more cells are like those listed; mend them too"
            yield Problem(table, "", "", more, severity)


def _name_and_count_problems(
    task_types: Sequence[TaskType], machine_types: Sequence[MachineType]
) -> Iterator[Problem]:
    yield from _name_problems("tasks", "task type", [task.name for task in task_types])
    yield from _name_problems("machines", "machine type", [m.name for m in machine_types])
    for task in task_types:
        yield from _count_problems("tasks", task.name, task.count, TASK_COUNT)
    for machine in machine_types:
        yield from _count_problems("machines", machine.name, machine.count, MACHINE_COUNT)
        if machine.idle_power not in POWER:
            yield Problem(
                "machines",
                machine.name,
                "idle_power",
                f"idle power {machine.idle_power:g} W is outside {POWER}; give the watts of one "
                "idle machine",
            )
    if task_types and all(task.count == 0 for task in task_types):
        yield Problem("tasks", "", "count", "there is no task to run; give one count above 0")


def _name_problems(table: str, kind: str, names: list[str]) -> Iterator[Problem]:
    if not names:
        yield Problem(table, "", "", f"there is no {kind}; give at least one")
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        fault = _name_fault(name)
        if fault:
            place = f"{kind} {position}"
            yield Problem(table, place, "", f"the name of {place} {fault}")
        elif name in seen:
            yield Problem(
                table, name, "", f"{kind} '{name}' is there twice; rename or remove one of them"
            )
        seen.add(name)


def _name_fault(name: str) -> str | None:
    if not name:
        return "is empty; give it a name"
    if name != name.strip():
        return "begins or ends with white space; remove it"
    if len(name) > NAME_LENGTH:
        return f"is longer than {NAME_LENGTH} characters; shorten it"
    if any(
        unicodedata.category(c) in _UNWRITABLE_CATEGORIES or c in _UNWRITABLE_CHARACTERS
        for c in name
    ):
        return "contains a line break or a control character; remove it"
    return None


def _count_problems(table: str, name: str, count: int, allowed: Range) -> Iterator[Problem]:
    if isinstance(count, bool) or not isinstance(count, int) or count not in allowed:
        yield Problem(
            table,
            name,
            "count",
            f"count {count!r} is not a whole number from 0 to {int(allowed.high):,}; correct it",
        )


def _etc_problems(
    task_types: Sequence[TaskType],
    machine_types: Sequence[MachineType],
    etc: FloatArray,
    known: BoolArray,
    cells: _Cells,
) -> Iterator[Problem]:
    yield from cells.where(
        known & np.isnan(etc), "etc", etc, "is not a number; give seconds, or leave it blank"
    )
    yield from cells.where(
        known & (etc <= 0),
        "etc",
        etc,
        "{value:g} s is not a time a task can take; give seconds above 0, or leave the cell blank "
        "if the pair cannot run",
    )
    outside = (etc > 0) & np.isfinite(etc) & ((etc < ETC.low) | (etc > ETC.high))
    yield from cells.where(
        known & outside, "etc", etc, "{value:g} s is outside " + f"{ETC}; check the unit"
    )
    possible = ~known | ~np.isposinf(etc)
    present = np.array([machine.count != 0 for machine in machine_types])
    for i, task in enumerate(task_types):
        if not possible[i].any():
            yield Problem(
                "etc",
                task.name,
                "",
                f"no machine type can run task type '{task.name}'; give at least one time, or "
                "remove the task type",
            )
        elif task.count and not (possible[i] & present).any():
            yield Problem(
                "machines",
                "",
                "count",
                f"every machine type that can run task type '{task.name}' has count 0; add a "
                "machine, or set the tasks' count to 0",
            )


def _apc_problems(
    machine_types: Sequence[MachineType],
    etc: FloatArray,
    apc: FloatArray,
    known_etc: BoolArray,
    known_apc: BoolArray,
    cells: _Cells,
) -> Iterator[Problem]:
    runs = np.isfinite(etc)
    blank = np.isnan(apc)
    yield from cells.where(
        known_etc & known_apc & runs & blank,
        "apc",
        apc,
        "has no power although the pair has a time in etc; give watts, or blank the time too",
    )
    yield from cells.where(
        known_etc & known_apc & ~runs & ~blank,
        "apc",
        apc,
        "has a power ({value:g} W) although the pair has no time in etc; blank it, or give the "
        "time too",
    )
    yield from cells.where(
        known_apc & ~blank & ((apc < POWER.low) | (apc > POWER.high)),
        "apc",
        apc,
        "{value:g} W is outside " + f"{POWER}; give the average watts of one machine",
    )
    yield from cells.where(
        known_apc & known_etc & runs & (apc == 0),
        "apc",
        apc,
        "0 W: a machine at work draws power; check the value, or leave the pair blank in both "
        "tables if it cannot run",
        "warning",
    )
    highest = np.where(known_apc & ~blank, apc, np.where(known_apc, -np.inf, np.inf)).max(axis=0)
    for machine, watts in zip(machine_types, highest, strict=True):
        if np.isfinite(watts) and machine.idle_power > watts:
            yield Problem(
                "machines",
                machine.name,
                "idle_power",
                f"idle power {machine.idle_power:g} W is above the power of every task on this "
                f"machine type (at most {watts:g} W); check both",
                "warning",
            )


def _frozen(values: npt.ArrayLike) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    # One bit pattern a value (no minus zero, one NaN), so that equal content has equal bytes.
    array[array == 0] = 0.0
    array[np.isnan(array)] = np.nan
    array.setflags(write=False)
    return array


def _frozen_counts(counts: Iterator[int]) -> IntArray:
    array = np.fromiter(counts, dtype=np.int64)
    array.setflags(write=False)
    return array
