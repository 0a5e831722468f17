"""Every problem of the data of a system, found in one pass, each with its remedy."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.kinds import MARKET, MachineType, TaskType
from core.vocabulary.problems import Problem, Severity
from core.vocabulary.ranges import (
    ETC,
    FAILURES,
    MACHINE_COUNT,
    MACHINE_PRICE,
    POWER,
    TASK_COUNT,
    Range,
)

NAME_LENGTH: Final = 200
CELLS_LISTED: Final = 1_000

# Names with these characters cannot be written to every format and read back.
_UNWRITABLE_CATEGORIES: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_UNWRITABLE_CHARACTERS: Final = frozenset("\ufeff\ufffe\uffff")


def find_problems(
    task_types: Sequence[TaskType],
    machine_types: Sequence[MachineType],
    etc: FloatArray,
    apc: FloatArray | None,
    estimated: BoolArray | None = None,
    *,
    unread_etc: BoolArray | None = None,
    unread_apc: BoolArray | None = None,
) -> list[Problem]:
    """Every problem of the data of a system; `file` is the table's name ("etc").

    Cells marked unread are assumed to be valid: the reader has already reported them.
    """
    shape = (len(task_types), len(machine_types))
    problems = list(_name_and_count_problems(task_types, machine_types))
    given: dict[str, npt.NDArray[Any] | None] = {"etc": etc, "apc": apc, "estimated": estimated}
    misshapen = [
        Problem(
            table,
            "",
            "",
            f"has shape {values.shape}, but there are {shape[0]} task types and {shape[1]} machine "
            "types; give one row a task type and one column a machine type",
        )
        for table, values in given.items()
        if values is not None and values.shape != shape
    ]
    if misshapen or 0 in shape:
        return problems + misshapen
    known_etc = np.ones(shape, bool) if unread_etc is None else ~unread_etc
    known_apc = np.ones(shape, bool) if unread_apc is None else ~unread_apc
    cells = _CellNames([task.name for task in task_types], [m.name for m in machine_types])
    problems += _etc_problems(task_types, machine_types, etc, known_etc, cells)
    if apc is not None:
        # A time that is not a number is reported below; whether the pair can run is unknown.
        known_etc = known_etc & (etc > -np.inf)
        problems += _apc_problems(machine_types, etc, apc, known_etc, known_apc, cells)
    if estimated is not None:
        problems += _mark_problems(etc, estimated, known_etc, cells)
    return problems


@dataclass(frozen=True, slots=True)
class _CellNames:
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

        After the first `CELLS_LISTED`, cells are only counted: a table may have millions.
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
        if machine.asleep_watts is not None and machine.asleep_watts not in POWER:
            yield Problem(
                "machines",
                machine.name,
                "asleep_watts",
                f"{machine.asleep_watts:g} W asleep is outside {POWER}; give the watts of one "
                "machine that is switched off",
            )
        yield from _market_problems(machine)
    if task_types and all(task.count == 0 for task in task_types):
        yield Problem("tasks", "", "count", "there is no task to run; give one count above 0")


def _market_problems(machine: MachineType) -> Iterator[Problem]:
    for column in MARKET:
        allowed = FAILURES if column == "failures_a_year" else MACHINE_PRICE
        value: float | None = getattr(machine, column)
        if value is not None and value not in allowed:
            said = f"{value:g} is out of range; give {allowed}"
            yield Problem("machines", machine.name, column, said)
    price, resale = machine.price, machine.resale
    if price is not None and resale is not None and resale > price:
        said = f"{resale:g} is above the price, {price:g}; correct one of them"
        yield Problem("machines", machine.name, "resale", said)


def _name_problems(table: str, kind: str, names: list[str]) -> Iterator[Problem]:
    if not names:
        yield Problem(table, "", "", f"there is no {kind}; give at least one")
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        fault = name_fault(name)
        if fault:
            place = f"{kind} {position}"
            yield Problem(table, place, "", f"the name of {place} {fault}")
        elif name in seen:
            yield Problem(
                table, name, "", f"{kind} '{name}' is there twice; rename or remove one of them"
            )
        seen.add(name)


def name_fault(name: str) -> str | None:
    if not name:
        return "is empty; give it a name"
    if name != name.strip():
        return "begins or ends with white space; remove it"
    if len(name) > NAME_LENGTH:
        return f"is longer than {NAME_LENGTH} characters; shorten it"
    if not name.isprintable() and any(map(_is_unwritable, name)):
        return "contains a line break or a control character; remove it"
    return None


def writable(name: str) -> str:
    """The name with spaces in place of characters that no name may have."""
    return "".join(" " if _is_unwritable(c) else c for c in name)


def _is_unwritable(character: str) -> bool:
    category = unicodedata.category(character)
    return category in _UNWRITABLE_CATEGORIES or character in _UNWRITABLE_CHARACTERS


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
    cells: _CellNames,
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
    cells: _CellNames,
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


def _mark_problems(
    etc: FloatArray, estimated: BoolArray, known_etc: BoolArray, cells: _CellNames
) -> Iterator[Problem]:
    if estimated.dtype != np.bool_:
        said = f"has values of the type {estimated.dtype}; give True or False for each pair"
        yield Problem("estimated", "", "", said)
        return
    yield from cells.where(
        known_etc & estimated & np.isposinf(etc),
        "estimated",
        etc,
        "is marked as an estimate, but the pair has no time in etc, so the mark is not used; blank "
        "it, or give the time too",
        "warning",
    )
