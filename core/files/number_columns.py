"""Columns of numbers that lie beside those of a system, as those who ask for them read them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from core.files.beside import OtherCells, ReadParts
from core.files.columns import stand_in
from core.files.findings import Findings
from core.files.numbers import number_fault, parse_number
from core.files.schema import Column
from core.vocabulary.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class NumberColumns:
    """Columns of a list of types, where they are, and whether that table is there."""

    label: str
    names: Sequence[str]
    cells: OtherCells
    findings: Findings
    is_there: bool = True

    @classmethod
    def of_tasks(cls, parts: ReadParts, findings: Findings) -> Self:
        return cls._of(parts, "tasks", parts.task_names, parts.tasks, findings)

    @classmethod
    def of_machines(cls, parts: ReadParts, findings: Findings) -> Self:
        return cls._of(parts, "machines", parts.machine_names, parts.machines, findings)

    @classmethod
    def _of(
        cls,
        parts: ReadParts,
        table: str,
        names: Sequence[str],
        cells: OtherCells,
        findings: Findings,
    ) -> Self:
        return cls(parts.labels[table], names, cells, findings, table not in parts.missing)

    def numbers(self, column: Column) -> FloatArray:
        """The numbers of a column; NaN for a cell that cannot be read or is out of range. A column
        that is needed and missing is an error.
        """
        cells, usual = self.cells.get(column.name), stand_in(column)
        if cells is None:
            if column.is_needed:
                name, unit = column.name, column.unit
                place, fault = name, f"column {name} is missing; add it, in {unit}"
                if not self.is_there:
                    place, fault = "", f"is missing; add it, with a column {name} in {unit}"
                self.findings.error(self.label, "", place, fault)
            return np.full(len(self.names), usual)
        found = [self._number(column, row, cell, usual) for row, cell in enumerate(cells)]
        return np.array(found, float)

    def _number(self, column: Column, row: int, cell: str | None, usual: float) -> float:
        if cell is None:
            return math.nan  # which was reported
        number = (column.parse or parse_number)(cell)
        is_blank = number is not None and math.isnan(number)
        if number is None or (is_blank and column.blank is None):
            self.at(column.name, row, number_fault(cell, unit=column.unit))
        elif is_blank:
            return usual
        elif column.allowed and number not in column.allowed and number != usual:
            self.at(column.name, row, column.out_of_range(number))
        else:
            return number
        return math.nan

    def at(self, column: str, row: int, fault: str) -> None:
        """Report a fault of the cell in this row."""
        self.findings.error(self.label, self.names[row], column, fault)
