"""The capabilities of Wattfront, a room each: shells walk this list, and know none by name."""

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Final

ROOMS: Final = ("makespan", "tradeoffs", "profit")
"""In the order in which people meet them; each is a package of `core` with a `CAPABILITY`."""


@dataclass(frozen=True, slots=True)
class Capability:
    """What a room of `core` offers. Its parts are modules of these names, which are imported once
    they are asked for: `command` and `reproduce.publication`.
    """

    room: str
    command: str
    """The word after `wattfront`."""
    summary: str
    """What the command answers, for its help."""
    publication: str | None = None
    """The word after `wattfront reproduce`."""

    def part(self, name: str) -> ModuleType:
        return import_module(f"{self.room}.{name}")


def capabilities() -> tuple[Capability, ...]:
    return tuple(import_module(f"core.{room}").CAPABILITY for room in ROOMS)
