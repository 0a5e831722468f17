"""The blocks of capabilities in a study file: the settings of each, by the name of its room."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from core.files.fields import Fields
from core.shells.registry import Capability, capabilities
from core.vocabulary.system import System


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
