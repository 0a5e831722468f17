"""Columns of numbers that lie beside those of a system, as those who ask for them read them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

from core.files.beside import OtherCells, ReadParts
from core.files.findings import Findings
from core.files.numbers import number_fault, parse_number


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

    def numbers(
        self,
        column: str,
        unit: str,
        default: float | None = None,
        read: Callable[[str], float | None] = parse_number,
    ) -> list[float | None]:
        """The numbers of a column: `default` where it is blank, an error if there is none; None
        for a cell that cannot be read.
        """
        cells = self.cells.get(column)
        if cells is None:
            if default is None:
                fault = f"column {column} is missing; add it, in {unit}"
                place = column
                if not self.is_there:
                    fault, place = f"is missing; add it, with a column {column} in {unit}", ""
                self.findings.error(self.label, "", place, fault)
            return [default] * len(self.names)
        found: list[float | None] = []
        for name, cell in zip(self.names, cells, strict=True):
            number = None if cell is None else read(cell)
            if number is not None and math.isnan(number):
                number = default
            if cell is not None and number is None:
                self.findings.error(self.label, name, column, number_fault(cell, unit=unit))
            found.append(number)
        return found

    def at(self, column: str, row: int, fault: str) -> None:
        """Report a fault of the cell in this row."""
        self.findings.error(self.label, self.names[row], column, fault)
