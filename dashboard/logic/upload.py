"""A system or a study that a person uploaded or pasted, or what stands in its way."""

import re
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

from core.files import read_system_bytes
from core.files.assembly import Source, read_sources
from core.files.delimited import sheet_of_text
from core.files.document import STUDY_FORMAT
from core.files.findings import Findings
from core.problems import Problem, errors
from core.studies import Choice, Settings, read_study_bytes
from core.system import System
from core.words import counted

PASTED = "pasted tables"
_OF_STUDY: Final = re.compile(rb'"format"\s*:\s*"%b"' % STUDY_FORMAT.encode())


@dataclass(frozen=True, eq=False, slots=True)
class Opened:
    """What a study file holds besides its system: how it was asked for, and what was chosen."""

    settings: Settings
    choice: Choice | None


@dataclass(frozen=True, eq=False)
class Upload:
    """An uploaded file as read: its system, or None; and all problems, errors first.

    `opened` is there if the file is a sound study.
    """

    name: str
    system: System | None
    problems: tuple[Problem, ...]
    opened: Opened | None = None

    @classmethod
    def read(cls, name: str, data: bytes) -> Self:
        if name.casefold().endswith(".json") and _OF_STUDY.search(data):
            return cls._study(name, data)
        reading = read_system_bytes(name, data)
        return cls(name, reading.system, reading.problems)

    @classmethod
    def _study(cls, name: str, data: bytes) -> Self:
        reading = read_study_bytes(name, data)
        if reading.saved is None:
            return cls(name, None, reading.problems)
        saved = reading.saved
        opened = Opened(saved.settings, saved.choice)
        return cls(name, saved.system, reading.problems, opened)

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
        system = read_sources(sources, "pasted ETC", findings)
        return cls(PASTED, system, findings.problems())

    @property
    def headline(self) -> str:
        """How many things to mend, and whether they stand in the way."""
        faults = len(errors(self.problems))
        kind = "problem" if faults else "warning"
        where = "the pasted tables" if self.name == PASTED else "the uploaded file"
        return f"{counted(faults or len(self.problems), kind)} in {where}"
