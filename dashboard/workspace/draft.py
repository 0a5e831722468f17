"""The tables of a system while a person edits them: valid or not, every cell as it was typed."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, Self, TypeVar

import numpy as np
import pandas as pd

from core import System
from core.files.assembly import Tables, assemble
from core.files.findings import Findings, Reading
from core.files.headings import TableName
from core.files.numbers import number_fault
from core.files.tables import Listing, Matrix, TableSide
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.kinds import MARKET, OPTIONAL, TypeKind

TITLES: Final[dict[TableName, str]] = {
    "etc": "Times (ETC)",
    "apc": "Powers (APC)",
    "tasks": "Task types",
    "machines": "Machine types",
    "estimated": "Estimated pairs",
}
NAME: Final = "name"
COUNT: Final = "count"
IDLE_POWER: Final = "idle_power"

MOST_CELLS: Final = 20_000
MOST_COLUMNS: Final = 200


def is_editable(system: System) -> bool:
    """Whether its tables are small enough to edit in a browser."""
    columns = len(system.machine_types)
    return columns <= MOST_COLUMNS and columns * len(system.task_types) <= MOST_CELLS


def column_of(machine_type: int) -> str:
    """The column of a machine type in the frames of ETC and APC. Names may occur twice."""
    return f"m{machine_type}"


@dataclass(frozen=True, slots=True)
class Change:
    """The changes of an editor from the frame that it was given, by row number."""

    edited: Mapping[int, Mapping[str, Any]]
    added: Sequence[Mapping[str, Any]] = ()
    deleted: Sequence[int] = ()

    @property
    def is_of_rows(self) -> bool:
        """Whether rows were added or deleted."""
        return bool(self.added or self.deleted)

    @property
    def is_of_types(self) -> bool:
        """Whether types were added, deleted or renamed, so that other tables change as well."""
        return self.is_of_rows or any(NAME in row for row in self.edited.values())


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task type; a new one is as these usual values say. A count that is None is blank."""

    name: str = ""
    count: int | None = 1


@dataclass(frozen=True, slots=True)
class MachineRow:
    """A machine type, likewise; the powers are in watts. What is `OPTIONAL` may be blank."""

    name: str = ""
    count: int | None = 1
    idle_power: float | None = 0.0
    asleep_watts: float | None = None
    price: float | None = None
    resale: float | None = None
    failures_a_year: float | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Draft:
    """The tables; a blank is None in the lists and NaN in the matrices."""

    tasks: tuple[TaskRow, ...]
    machines: tuple[MachineRow, ...]
    etc: FloatArray
    apc: FloatArray | None
    estimated: BoolArray | None = None

    @classmethod
    def of(cls, system: System) -> Self:
        return cls(
            tuple(TaskRow(task.name, task.count) for task in system.task_types),
            tuple(
                MachineRow(m.name, m.count, m.idle_power, *(getattr(m, one) for one in OPTIONAL))
                for m in system.machine_types
            ),
            np.where(np.isfinite(system.etc), system.etc, np.nan),
            system.apc,
            system.estimated,
        )

    @property
    def offered(self) -> list[TableName]:
        """The tables to show. That of estimates is left out if there are none; that of powers is
        not, since powers can be given.
        """
        return [table for table in TITLES if table != "estimated" or self.estimated is not None]

    @property
    def fingerprint(self) -> str:
        """A digest of the content: equal drafts, and only they, have equal fingerprints."""
        digest = sha256(repr((self.tasks, self.machines, self.apc is None)).encode())
        for matrix in (self.etc, self.apc):
            digest.update(b"" if matrix is None else matrix.tobytes())
        if self.estimated is not None:
            digest.update(self.estimated.tobytes())
        return digest.hexdigest()

    def frame(self, table: TableName) -> pd.DataFrame:
        """A table for an editor. In tables of pairs the first column names the task types."""
        if table in ("tasks", "machines"):
            rows = self.tasks if table == "tasks" else self.machines
            counts = pd.array([row.count for row in rows], "Int64")
            frame = pd.DataFrame({NAME: [row.name for row in rows], COUNT: counts})
            if table == "machines":
                for name in (IDLE_POWER, *OPTIONAL):
                    frame[name] = pd.array([getattr(row, name) for row in self.machines], "Float64")
            return frame
        frame = pd.DataFrame(self._matrix(table), columns=self._columns())
        if table == "estimated":
            frame = frame.astype("boolean").mask(np.isnan(self.etc))
        frame.insert(0, NAME, [row.name for row in self.tasks])
        return frame

    def changed(self, table: TableName, change: Change) -> Self:
        """The draft after a change of one table. Types that are added or deleted bring or take
        their cells in the other tables. A pair whose time or power is changed is no longer an
        estimate.
        """
        if table == "tasks":
            changed = replace(self, tasks=_changed_rows(self.tasks, TaskRow(), change))
            return changed._with_cells_of(change, axis=0)
        if table == "machines":
            changed = replace(self, machines=_changed_rows(self.machines, MachineRow(), change))
            return changed._with_cells_of(change, axis=1)
        position = {column: j for j, column in enumerate(self._columns())}
        cells = [
            (i, position[column], value)
            for i, row in change.edited.items()
            for column, value in row.items()
        ]
        marks = None if self.estimated is None else self.estimated.copy()
        if marks is not None:
            for i, j, value in cells:
                marks[i, j] = table == "estimated" and bool(value)
        if table == "estimated":
            return replace(self, estimated=marks)
        values = self._matrix(table).copy()
        for i, j, value in cells:
            values[i, j] = np.nan if value is None else value
        if table == "etc":
            return replace(self, etc=values, estimated=marks)
        return replace(self, apc=values, estimated=marks)

    def with_power(self, watts: float) -> Self:
        """The draft with this power (W) for every pair that has a time."""
        return replace(self, apc=np.where(np.isnan(self.etc), np.nan, watts))

    def check(self) -> Reading[System]:
        """The system of these tables, or all their problems."""
        findings = Findings()
        tasks = _listing(
            "task type",
            TITLES["tasks"],
            [(row.name, row.count, 0.0, None) for row in self.tasks],
            findings,
        )
        machines = _listing(
            "machine type",
            TITLES["machines"],
            [(row.name, row.count, row.idle_power, row.asleep_watts) for row in self.machines],
            findings,
        )
        others = {name: [getattr(row, name) for row in self.machines] for name in MARKET}
        machines = replace(machines, others={name: _cells(each) for name, each in others.items()})

        def matrix(table: TableName, values: FloatArray) -> Matrix:
            known = np.zeros(values.shape, bool)
            return Matrix(TITLES[table], tasks.names, machines.names, values, known)

        apc = None if self.apc is None else matrix("apc", self.apc)
        marks = None if self._marks is None else matrix("estimated", self._marks)
        etc = matrix("etc", self.etc)
        names = tasks.label, machines.label
        system = assemble(Tables(etc, apc, tasks, machines, *names, marks), findings)
        return Reading(system, findings.problems())

    def _columns(self) -> list[str]:
        return [column_of(j) for j in range(len(self.machines))]

    def _matrix(self, table: TableName) -> FloatArray:
        """The values of a table of pairs; 1 for a mark, 0 for none."""
        values = {"etc": self.etc, "apc": self.apc, "estimated": self._marks}[table]
        if values is None:
            raise ValueError(f"there is no table {table}")
        return values

    @property
    def _marks(self) -> FloatArray | None:
        return None if self.estimated is None else self.estimated.astype(float)

    def _with_cells_of(self, change: Change, axis: int) -> Self:
        """The draft with the cells of types that a change added, blank, and without those of types
        that it deleted. Task types are along axis 0.
        """
        room = [(0, 0), (0, 0)]
        room[axis] = (0, len(change.added))

        def following(cells: np.ndarray, blank: float) -> np.ndarray:
            kept = np.delete(cells, list(change.deleted), axis)
            return np.pad(kept, room, constant_values=blank)

        return replace(
            self,
            etc=following(self.etc, np.nan),
            apc=None if self.apc is None else following(self.apc, np.nan),
            estimated=None if self.estimated is None else following(self.estimated, False),
        )


def _cells(values: Iterable[float | None]) -> tuple[str, ...]:
    """Numbers as cells of a table that is read."""
    return tuple("" if value is None else repr(value) for value in values)


def _listing(
    kind: TypeKind,
    label: str,
    rows: Sequence[tuple[str, int | None, float | None, float | None]],
    findings: Findings,
) -> Listing:
    """Names, counts and powers. Invalid names are reported, and cells that must not be blank."""
    places = [f"row {number}" for number in range(1, len(rows) + 1)]
    names = TableSide(label, kind, "row").unique_names(
        [name.strip() for name, *_ in rows], places, {}, findings
    )
    _, counts, idle, asleep = zip(*rows, strict=True) if rows else ((),) * 4
    for name, count, idle_power in zip(names.keys, counts, idle, strict=True):
        for column, cell in ((COUNT, count), (IDLE_POWER, idle_power)):
            if cell is None:
                findings.error(label, name, column, number_fault(""))
    return Listing(label, names, counts, idle, asleep)


RowOfTypes = TypeVar("RowOfTypes", bound=TaskRow | MachineRow)


def _changed_rows(
    rows: tuple[RowOfTypes, ...], new: RowOfTypes, change: Change
) -> tuple[RowOfTypes, ...]:
    """The rows of a list after a change; cells that were not edited keep their values."""
    kept = [i for i in range(len(rows)) if i not in change.deleted]
    edited = [_merged(rows[i], change.edited.get(i, {})) for i in kept]
    return (*edited, *[_merged(new, cells) for cells in change.added])


def _merged(row: RowOfTypes, cells: Mapping[str, Any]) -> RowOfTypes:
    known = {name: _cell(name, value) for name, value in cells.items() if hasattr(row, name)}
    return replace(row, **known)


def _cell(column: str, value: Any) -> Any:
    """A cell as an editor sends it, in the type of its column; None if it is not valid."""
    if column == NAME:
        return value or ""
    if value is None or math.isnan(value):
        return None
    if column == COUNT:
        return int(value) if value == int(value) else None
    return float(value)
