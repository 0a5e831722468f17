"""The result of reading a system: the system, or all problems of the input."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from core.files.beside import ReadParts
from core.files.findings import Findings, shown_list
from core.files.raw_table import RawTable, RawTables
from core.model.problems import InvalidInput, Problem
from core.model.system import System


class Read(NamedTuple):
    """The result of a reader: a system, its tables, its assumptions; or the parts of a system, for
    those who ask for settings beside it.
    """

    system: System | None
    tables: RawTables | None = None
    spare: tuple[RawTable, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    parts: ReadParts | None = None


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

    @classmethod
    def of(cls, read: Read, findings: Findings) -> Self:
        """What was read, and what was found."""
        system, tables, spare, notes, unread, _ = read
        return cls(system, findings.problems(), tables, spare, notes, unread)

    @property
    def ok(self) -> bool:
        return self.system is not None

    def require(self) -> System:
        """The system; raises `InvalidInput` with all problems if there is none."""
        if self.system is None:
            raise InvalidInput(self.problems)
        return self.system


class PartsReading(NamedTuple):
    """The parts of a system that were read, or None; and what was found so far, to which those who
    know what the settings mean add theirs. `unread` are the names of other files.
    """

    parts: ReadParts | None
    findings: Findings
    unread: tuple[str, ...]


def said_of_unread(names: Sequence[str]) -> tuple[str, ...]:
    """Which files were not read, in a sentence; no sentence if all were."""
    if not names:
        return ()
    return (f"Not used, because only .csv files of one folder are read: {shown_list(names)}.",)
