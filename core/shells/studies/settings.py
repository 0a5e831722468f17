"""The settings of a study, and the schedule that was chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, cast

from core.engines.front.methods import DEFAULT_SPACING, Lp
from core.engines.front.tariff import Tariff
from core.engines.front.wish import Wish
from core.files.fields import Fields
from core.shells.registry import Capability, capabilities
from core.vocabulary.budget import DEFAULT_SECONDS
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

STUDY_FILE: Final = "study.json"


@dataclass(frozen=True, slots=True)
class StudySettings:
    """All settings of a study besides its system.

    `name` is the system's name for people; `sample` is set if it is a sample of Wattfront.
    `idle_power` is the fraction that was set, or None for the system's own watts. `work` is units
    of work on one thread, in place of `seconds` on `threads`. Without a `tariff` energy has no
    price; `currency` is only a word. `blocks` are the settings of other capabilities, by name.
    """

    name: str
    sample: str | None = None
    idle_power: float | None = None
    method: str = Lp.name
    spacing: float = DEFAULT_SPACING
    seconds: float = DEFAULT_SECONDS
    threads: int = 1
    work: float | None = None
    seed: int = 0
    generations: int | None = None
    tariff: Tariff | None = None
    currency: str = "EUR"
    blocks: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class Choice:
    """The chosen schedule; `title` says in words why, and `wish` is the wish that it answers, if
    any.
    """

    schedule: Schedule
    title: str
    wish: Wish | None = None


class StudyBlock(Protocol):
    """A module that reads and writes the settings of its capability."""

    def read(self, given: Fields, system: System | None) -> object:
        """The settings; they are valid only if nothing was reported."""

    def written(self, settings: Any) -> Mapping[str, object]:
        """The settings as JSON, which `read` reads back."""

    def commands(self, settings: Any) -> Sequence[Sequence[object]]:
        """The arguments after `wattfront COMMAND SYSTEM` that ask for the same, for each command
        line.
        """


def with_blocks() -> dict[str, Capability]:
    """The capabilities that have a block, by its name."""
    return {one.name: one for one in capabilities() if one.offers("study_block")}


def without_front(blocks: Mapping[str, object]) -> dict[str, object]:
    """The blocks that a study may have without a front: they are about the system alone."""
    capabilities = with_blocks()
    return {name: block for name, block in blocks.items() if capabilities[name].from_study}


def block_of(capability: Capability) -> StudyBlock:
    return cast("StudyBlock", capability.part("study_block"))
