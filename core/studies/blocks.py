"""What capabilities keep in a study file: a block of its settings each, named after the room."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from core.capabilities import Capability, capabilities
from core.files.fields import Fields
from core.model.system import System


class StudyBlock(Protocol):
    """A module that reads and writes what was asked of its capability."""

    def read(self, given: Fields, system: System | None) -> object:
        """What was asked, of use only if nothing was reported."""

    def written(self, asked: Any) -> Mapping[str, object]:
        """The same as JSON has it, such that `read` finds it again."""

    def commands(self, asked: Any) -> Sequence[Sequence[object]]:
        """What follows `wattfront COMMAND SYSTEM` where the same is asked, line by line."""


def with_blocks() -> dict[str, Capability]:
    """The capabilities that keep something, by the name of their block."""
    return {one.name: one for one in capabilities() if one.in_studies}


def block_of(capability: Capability) -> StudyBlock:
    return cast("StudyBlock", capability.part("study_block"))
