"""What reading a system gives: the system, or everything that is wrong with the input."""

from dataclasses import dataclass
from typing import NamedTuple

from core.files.raw_table import RawTables
from core.problems import InvalidInput, Problem
from core.system import System


class Read(NamedTuple):
    """What a reader made of its input: a system; or if it can be mended there, its tables."""

    system: System | None
    tables: RawTables | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """The system that was read, or None; and all problems, warnings included, errors first.

    `tables` are there if the problems are all within tables that could be read, and those are
    small: checked again, they have the same errors.
    """

    system: System | None
    problems: tuple[Problem, ...]
    tables: RawTables | None = None

    @property
    def ok(self) -> bool:
        return self.system is not None

    def require(self) -> System:
        """The system; raises `InvalidInput` with all problems if there is none."""
        if self.system is None:
            raise InvalidInput(self.problems)
        return self.system
