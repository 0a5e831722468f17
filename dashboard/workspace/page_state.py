"""The settings of each page. The session asks all pages, and knows none by name."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import NamedTuple

from core import System
from core.shells.studies import StudySettings
from dashboard.pages import PAGES
from dashboard.workspace.workspace import Workspace


class Above(NamedTuple):
    """What stands above a page that is not about the system in force: its title and facts, whether
    it is a sample, and whether the site of the study counts there.
    """

    title: str
    facts: tuple[str, ...]
    is_sample: bool
    at_site: bool


class PageState(ABC):
    """The settings of a page, and how the address and study files say them. They are kept in
    Streamlit's state, under keys of their own.
    """

    parameters: frozenset[str] = frozenset()
    """The parameters of the address that belong to the page."""

    @abstractmethod
    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        """Sets the page as the address says. Returns a sentence for each parameter ignored."""

    def come_back(self, parameters: Mapping[str, str], now: Workspace, *, here: bool) -> None:
        """Follows the browser's Back, which leads `here` or to another page."""
        if here:
            self.begin(parameters, now)

    def said_everywhere(self) -> Mapping[str, str] | None:
        """Its parameters in the address of every page; None if only its own page has them."""
        return None

    def restore(self, settings: StudySettings) -> None:
        """Sets the page as an opened study file says."""
        del settings

    def view(self, system: System) -> Mapping[str, str]:  # noqa: ARG002  # others need it
        """What a study file keeps of the page as parameters of its address, beside blocks."""
        return {}

    def blocks(self, system: System) -> Mapping[str, object]:  # noqa: ARG002  # others need it
        """The blocks of a study file that belong to the page."""
        return {}

    def own(self) -> str:
        """A digest of what the page has that an address does not say for long and study files keep,
        such as a file of a person's own; empty if there is nothing.
        """
        return ""

    def above(self) -> Above | None:
        """What the page is about; None if it is about the system in force."""
        return None


@cache
def states() -> dict[str, PageState]:
    """The states of all pages, by module. Several pages may share one."""
    names = dict.fromkeys(state for page in PAGES for state in page.states)
    return {name: import_module(name).STATE for name in names}


def all_parameters() -> frozenset[str]:
    """All parameters of the address that belong to pages."""
    return frozenset().union(*(state.parameters for state in states().values()))
