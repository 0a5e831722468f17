"""The capabilities of Wattfront, a room each: shells walk this list, and know none by name."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

ROOMS: Final = ("core.makespan", "core.tradeoffs", "core.profit")
"""Packages with a `CAPABILITY`, in the order in which people meet them."""


@dataclass(frozen=True, slots=True)
class Capability:
    """What a room offers to the shells. A part is a module of the room, imported once it is asked
    for: so `wattfront --help` need not wait for the solvers.

    - `command` is the word after `wattfront`; `command.py` has `declare(parser)` and
      `run(arguments)`.
    - `in_studies`: `study_block.py` is a `core.studies.blocks.StudyBlock`.
    - `in_reports`: `report.py` is a `core.report.section.ReportSection`.
    - `in_reproductions`: `reproduce/publication.py` is a `Reproduction` (`core.reproduce`).
    - `in_calibration`: `reproduce/calibration.py` is a `Measurement` (`core.reproduce`).
    """

    room: str
    command: str | None = None
    summary: str = ""
    """What the command answers, for its help."""
    in_reproductions: bool = False
    in_studies: bool = False
    in_reports: bool = False
    in_calibration: bool = False

    @property
    def name(self) -> str:
        """Of its block in a study file, too."""
        return self.room.rpartition(".")[2]

    def part(self, name: str) -> ModuleType:
        return import_module(f"{self.room}.{name}")


@cache
def capabilities() -> tuple[Capability, ...]:
    return tuple(import_module(room).CAPABILITY for room in ROOMS)
