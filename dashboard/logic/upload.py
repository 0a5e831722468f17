"""A system that a person uploaded, or what stands in its way."""

from dataclasses import dataclass
from typing import Self

import pandas as pd

from core.files import read_system_bytes
from core.problems import Problem, errors
from core.system import System


@dataclass(frozen=True, eq=False)
class Upload:
    """An uploaded file as read: its system, or None; and all problems, errors first."""

    name: str
    system: System | None
    problems: tuple[Problem, ...]

    @classmethod
    def read(cls, name: str, data: bytes) -> Self:
        reading = read_system_bytes(name, data)
        return cls(name, reading.system, reading.problems)

    @property
    def headline(self) -> str:
        """How many things to mend, and whether they stand in the way."""
        faults = len(errors(self.problems))
        found = faults or len(self.problems)
        kind = "problem" if faults else "warning"
        return f"{found:,} {kind}{'' if found == 1 else 's'} in the uploaded file"

    def problem_table(self) -> pd.DataFrame:
        """One row a problem: where it is, and what to do."""
        return pd.DataFrame(
            [(p.severity, p.file, p.row, p.column, p.message) for p in self.problems],
            columns=["Severity", "File", "Row", "Column", "What to do"],
        )
