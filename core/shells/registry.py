"""The registry of capabilities, a room each. The shells walk it and know no capability by name."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final, NamedTuple

ROOMS: Final = (
    "core.capabilities.makespan",
    "core.capabilities.trade_offs",
    "core.capabilities.profit",
    "core.capabilities.provision",
    "core.capabilities.arrivals",
    "core.capabilities.fair_shares",
    "core.capabilities.switch_off",
    "core.capabilities.centre",
    "core.capabilities.sweep",
    "core.capabilities.derive",
    "core.capabilities.export",
    "core.capabilities.compare_run",
)
"""Packages with a `CAPABILITY`, in the order in which people meet them."""


class FurtherCommand(NamedTuple):
    """Another command of a room: the word after `wattfront`, its summary, and its module."""

    word: str
    summary: str
    module: str


@dataclass(frozen=True, slots=True)
class Capability:
    """What a room offers to the shells.

    A part is a module of the room: what exists is offered. It is imported when it is first used, so
    that `wattfront --help` does not wait for the solvers.

    - `command` is the word after `wattfront`; `command.py` has `declare(parser)` and
      `run(arguments)`.
    - `study_block.py` is a `StudyBlock` (`core.shells.studies.settings`). `from_study`: the command
      reads all that it needs from the study file itself. `further_blocks`: the names of blocks of
      pages that ask another question of the same kind.
    - `beside.py` has `seen(path)`, a `core.files.beside.SeenBeside` or None: what a file is besides
      a system; and `kept(path)`, a `KeptBeside`: what of it is written with one.
    - `checking.py` has `checked(given)` and `CHECKED`, what that is, for `wattfront check`: a word
      on what is no system.
    - `converting.py` has `converted(given, out)` and `CONVERTED`, what that is, for `wattfront
      convert`: the same in another format, of what is no system.
    - `judging.py` has `judged(given, stated)` and `JUDGED`, what that is, for `wattfront verify`.
    - `report.py` is a `core.shells.report.page.ReportSection`.
    """

    room: str
    command: str | None = None
    summary: str = ""
    """What the command answers, in one line for its help."""
    further: tuple[FurtherCommand, ...] = ()
    from_study: bool = False
    further_blocks: tuple[str, ...] = ()
    formerly: str = ""
    """What its command and its block in study files were called before; both are still read."""

    @property
    def name(self) -> str:
        """Its name, also that of its first block in a study file."""
        return self.room.rpartition(".")[2]

    @property
    def blocks(self) -> tuple[str, ...]:
        """The names of its blocks in a study file."""
        return self.name, *self.further_blocks

    def block(self, settings: object | None, name: str | None = None) -> dict[str, object]:
        """The blocks of a study with these settings, under a name; empty without any."""
        return {} if settings is None else {name or self.name: settings}

    def offers(self, part: str) -> bool:
        return find_spec(f"{self.room}.{part}") is not None

    def part(self, name: str) -> ModuleType:
        return import_module(f"{self.room}.{name}")


@cache
def capabilities() -> tuple[Capability, ...]:
    return tuple(import_module(room).CAPABILITY for room in ROOMS)
