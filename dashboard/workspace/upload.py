"""A system or a study that a person uploaded or pasted, or its problems."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, Self

from core import System
from core.files import (
    RawTable,
    RawTables,
    SystemReading,
    inspect_system_bytes,
    inspect_system_files,
)
from core.files.assembly import read_sources
from core.files.document import STUDY_FORMAT
from core.files.findings import Findings
from core.files.mends import Mend, mends
from core.files.raw_table import Source
from core.files.strict_json import says_format
from core.files.text import sheet_of_text
from core.shells.studies import Choice, StudySettings, inspect_study_bytes
from core.shells.studies.seen import NOTHING_SEEN, SeenInLog
from core.vocabulary.problems import Problem, errors
from core.vocabulary.say.words import counted, joined
from dashboard.workspace.mending import Mending

PASTED: Final = "pasted text"
READING_SECONDS: Final = 60.0
"""The time limit for one file. Tables of 20 million cells take about half as long."""
_BLANK_LINE: Final = re.compile(r"\n\s*\n")


def is_study(name: str, data: bytes) -> bool:
    """Whether a file says that it is a study."""
    return name.casefold().endswith(".json") and says_format(data, STUDY_FORMAT)


@dataclass(frozen=True, eq=False, slots=True)
class Opened:
    """What a study file has besides its system: its settings and the chosen schedule."""

    settings: StudySettings
    choice: Choice | None


@dataclass(frozen=True, eq=False)
class Upload:
    """What was uploaded, as it was read: its system or None, and all problems, errors first.

    `opened` is set if the file is a valid study, `mending` if it is not a valid system but can be
    corrected here; `problems` are then those that are left. `tables` are set if they are small,
    `spare` are tables that are not used, and `notes` say what was assumed. `unread` are files that
    were not read. `seen` is what a log says beside its system. `files` is how many were uploaded.
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
    seen: SeenInLog = NOTHING_SEEN
    files: int = 1

    @classmethod
    def read(cls, name: str, data: bytes) -> Self:
        if is_study(name, data):
            return cls._study(name, data)
        if name == PASTED:
            return cls.pasted(*_BLANK_LINE.split(data.decode().strip("\r\n"), 1))
        return cls._of(name, inspect_system_bytes(name, data))

    @classmethod
    def together(cls, files: Mapping[str, bytes]) -> Self:
        """An upload of files that a person chose together, by their names."""
        if len(files) == 1:
            return cls.read(*next(iter(files.items())))
        upload = cls._of(", ".join(files), inspect_system_files(files))
        return replace(upload, files=len(files))

    @classmethod
    def _of(cls, name: str, reading: SystemReading) -> Self:
        mending = None if reading.ok or not reading.tables else Mending.of(reading.tables)
        upload = cls(
            name,
            reading.value,
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
        saved = reading.value
        if saved is None:
            return cls(name, None, reading.problems)
        opened = Opened(saved.settings, saved.choice)
        return cls(name, saved.system, reading.problems, opened)

    @classmethod
    def refused(cls, name: str, why: str) -> Self:
        """An upload that could not be read at all."""
        return cls(name, None, (Problem(name, "", "", why),))

    @classmethod
    def pasted(cls, etc: str, apc: str = "") -> Self:
        """Tables copied from a spreadsheet, with tabs, semicolons or commas between cells: of a
        text that was pasted, what stands before its first blank line, and after it.
        """
        findings = Findings()
        texts = {"pasted ETC": ("etc", etc), "pasted APC": ("apc", apc)}
        sources = {
            table: Source(label, partial(sheet_of_text, text, label, findings))
            for label, (table, text) in texts.items()
            if table == "etc" or text.strip()
        }
        read = read_sources(sources, "pasted ETC", findings)
        return cls._of(PASTED, SystemReading.of_tables(read, findings))

    def mended(self, mending: Mending) -> Self:
        """The upload after some cells were corrected."""
        mended = replace(self, mending=mending, tables=mending.tables, notes=mending.reading.notes)
        unused = {table.label for table in mended.unused}
        named = (p for p in self.problems if p.file in unused)
        return replace(mended, problems=tuple(dict.fromkeys((*mending.problems, *named))))

    def after(self, mend: Mend) -> Self:
        """The upload after one decision. It has a system if no problem is left, unless a person has
        begun to correct cells.
        """
        if self.mending is not None:
            return self.mended(Mending(mend.tables))
        mending = Mending.of(mend.tables)
        if mending is None:
            return self
        if not mending.reading.ok:
            return replace(self.mended(mending), system=None)
        return replace(self.mended(mending), system=mending.reading.value, mending=None)

    @property
    def unused(self) -> tuple[RawTable, ...]:
        """The spare tables that are not used yet."""
        used = {table.label for table in (self.tables or {}).values()}
        return tuple(table for table in self.spare if table.label not in used)

    @property
    def is_told_of(self) -> bool:
        """Whether there is anything to report besides its system."""
        return bool(self.problems or self.notes or self.unread)

    @cached_property
    def mends(self) -> list[Mend]:
        """The corrections that one decision makes."""
        return mends(self.tables) if self.tables else []

    @property
    def headline(self) -> str:
        """The number of problems, or of warnings if there are no problems."""
        kind = "problem" if errors(self.problems) else "warning"
        where = "the pasted text" if self.name == PASTED else "the uploaded file"
        where = where if self.files == 1 else f"{self.files} uploaded files"
        return f"{counted(len(self._worst), kind)} in {where}"

    @property
    def by_file(self) -> str:
        """How many of what the headline counts are in which of several files; empty if there is
        one file.
        """
        if self.files == 1:
            return ""
        each = Counter(problem.file for problem in self._worst if problem.file)
        return joined([f"{count:,} in {file}" for file, count in each.items()])

    @property
    def _worst(self) -> tuple[Problem, ...]:
        return tuple(errors(self.problems)) or self.problems
