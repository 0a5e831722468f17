"""What reading a system gives: the system, or everything that is wrong with the input."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.files.findings import shown_list
from core.files.raw_table import RawTable, RawTables
from core.model.problems import InvalidInput, Problem
from core.model.system import System


class Read(NamedTuple):
    """What a reader made of its input: a system, its tables, and what it took for granted."""

    system: System | None
    tables: RawTables | None = None
    spare: tuple[RawTable, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """The system that was read, or None; and all problems, warnings included, errors first.

    `tables` are there if they could be read and are small, whether they are sound or not: checked
    again, they have the same errors. `spare` are further ones that are not used, since nothing
    says which table they are. `notes` say what was taken for granted. `unread` are the names of
    files that were there, too, and were not looked into.
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
    """Which files were not looked into, in a sentence; none if all were."""
    if not names:
        return ()
    return (f"Not used, since tables are read from .csv files of one folder: {shown_list(names)}.",)
