"""A system or a study that a person uploaded or pasted, or what stands in its way."""

import re
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, Self

from core import System
from core.files import RawTable, RawTables, Reading, inspect_system_bytes
from core.files.assembly import Source, read_sources
from core.files.delimited import sheet_of_text
from core.files.document import STUDY_FORMAT
from core.files.findings import Findings
from core.files.mends import Mend, mends
from core.model.problems import Problem, errors
from core.say.words import counted
from core.studies import Choice, StudySettings, inspect_study_bytes
from dashboard.workspace.mending import Mending

PASTED: Final = "pasted tables"
READING_SECONDS: Final = 60.0
"""Of one file. Tables of 20 million cells take about half as long."""
_OF_STUDY: Final = re.compile(rb'"format"\s*:\s*"%b"' % STUDY_FORMAT.encode())


@dataclass(frozen=True, eq=False, slots=True)
class Opened:
    """What a study file holds besides its system: how it was asked for, and what was chosen."""

    settings: StudySettings
    choice: Choice | None


@dataclass(frozen=True, eq=False)
class Upload:
    """An uploaded file as read: its system, or None; and all problems, errors first.

    `opened` is there if the file is a sound study, `mending` if it is no sound system but can be
    mended here; the problems are then those that are left. `tables` are there if they are small,
    `spare` are those that are not used, and `notes` say what was taken for granted. `unread` are
    files that were not looked into. `before` is the upload that this one came from by one decision.
    """

    name: str
    system: System | None
    problems: tuple[Problem, ...]
    opened: Opened | None = None
    mending: Mending | None = None
    tables: RawTables | None = None
    spare: tuple[RawTable, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    before: Self | None = None

    @classmethod
    def read(cls, name: str, data: bytes) -> Self:
        if name.casefold().endswith(".json") and _OF_STUDY.search(data):
            return cls._study(name, data)
        return cls._of(name, inspect_system_bytes(name, data))

    @classmethod
    def _of(cls, name: str, reading: Reading) -> Self:
        mending = None if reading.ok or not reading.tables else Mending.of(reading.tables)
        upload = cls(
            name,
            reading.system,
            reading.problems,
            tables=reading.tables,
            spare=reading.spare,
            notes=reading.notes,
            unread=reading.unread,
        )
        return upload.mended(mending) if mending else upload

    @classmethod
    def _study(cls, name: str, data: bytes) -> Self:
        reading = inspect_study_bytes(name, data)
        if reading.saved is None:
            return cls(name, None, reading.problems)
        saved = reading.saved
        opened = Opened(saved.settings, saved.choice)
        return cls(name, saved.system, reading.problems, opened)

    @classmethod
    def refused(cls, name: str, why: str) -> Self:
        """What could not be read at all."""
        return cls(name, None, (Problem(name, "", "", why),))

    @classmethod
    def pasted(cls, etc: str, apc: str = "") -> Self:
        """Tables copied from a spreadsheet: cells parted by tabs, semicolons or commas."""
        findings = Findings()
        texts = {"pasted ETC": ("etc", etc), "pasted APC": ("apc", apc)}
        sources = {
            table: Source(label, partial(sheet_of_text, text, label, findings))
            for label, (table, text) in texts.items()
            if table == "etc" or text.strip()
        }
        read = read_sources(sources, "pasted ETC", findings)
        return cls._of(PASTED, Reading(read.system, findings.problems(), *read[1:]))

    def mended(self, mending: Mending) -> Self:
        """The same after some cells were mended."""
        mended = replace(self, mending=mending, tables=mending.tables, notes=mending.reading.notes)
        unused = {table.label for table in mended.unused}
        named = (p for p in self.problems if p.file in unused)
        return replace(mended, problems=tuple(dict.fromkeys((*mending.problems, *named))))

    def after(self, mend: Mend) -> Self:
        """The same after one decision: in force if that leaves nothing to mend, and nobody has
        begun to mend cell by cell.
        """
        if self.mending is not None:
            return self.mended(self.mending.replaced(mend.tables))
        mending = Mending.of(mend.tables)
        if mending is None:
            return self
        if not mending.reading.ok:
            return replace(self.mended(mending), system=None, before=self)
        system = mending.reading.system
        return replace(self.mended(mending), system=system, mending=None, before=self)

    @property
    def unused(self) -> tuple[RawTable, ...]:
        """The spare tables that are not used yet."""
        used = {table.label for table in (self.tables or {}).values()}
        return tuple(table for table in self.spare if table.label not in used)

    @property
    def is_told_of(self) -> bool:
        """Whether there is anything to say but what its system is."""
        return bool(self.problems or self.notes or self.unread)

    @cached_property
    def mends(self) -> list[Mend]:
        """What one decision puts right."""
        return mends(self.tables) if self.tables else []

    @property
    def headline(self) -> str:
        """How many things to mend, and whether they stand in the way."""
        faults = len(errors(self.problems))
        kind = "problem" if faults else "warning"
        where = "the pasted tables" if self.name == PASTED else "the uploaded file"
        return f"{counted(faults or len(self.problems), kind)} in {where}"
