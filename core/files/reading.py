"""The result of reading a system: the system, or all problems of the input."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.files.findings import shown_list
from core.files.raw_table import RawTable, RawTables
from core.model.problems import InvalidInput, Problem
from core.model.system import System


class Read(NamedTuple):
    """The result of a reader: a system, its tables, and its assumptions."""

    system: System | None
    tables: RawTables | None = None
    spare: tuple[RawTable, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """The system that was read, or None; and all problems, errors first, then warnings.

    `tables` are there if they could be read and are small, even with errors: if checked again, they
    have the same errors. `spare` tables are not used, because nothing says their kind. `notes` are
    the assumptions made. `unread` are the names of other files, which were not read.
    """

    system: System | None
    problems: tuple[Problem, ...]
    tables: RawTables | None = None
    spare: tuple[RawTable, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.system is not None

    def require(self) -> System:
        """The system; raises `InvalidInput` with all problems if there is none."""
        if self.system is None:
            raise InvalidInput(self.problems)
        return self.system


def said_of_unread(names: Sequence[str]) -> tuple[str, ...]:
    """Which files were not read, in a sentence; no sentence if all were."""
    if not names:
        return ()
    return (f"Not used, because only .csv files of one folder are read: {shown_list(names)}.",)
