"""What pages are set to, page by page: the session asks each, and knows none by name."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from core import System
from core.studies import StudySettings
from dashboard.pages import PAGES
from dashboard.workspace.workspace import Workspace


class PageState(ABC):
    """What a page is set to, and how the address and study files say it. What it needs of
    Streamlit's state it keeps under keys of its own.
    """

    parameters: frozenset[str] = frozenset()
    """Those of the address that are its own."""

    @abstractmethod
    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        """Sets the page as the address says; returns a sentence for each parameter ignored."""

    def come_back(self, parameters: Mapping[str, str], now: Workspace, *, here: bool) -> None:
        """Follows the browser's Back, which led `here` or to another page."""
        if here:
            self.begin(parameters, now)

    def said_everywhere(self) -> Mapping[str, str] | None:
        """What the address of every page says of it; None where only its own page does."""
        return None

    def restore(self, settings: StudySettings) -> None:
        """Sets the page as a study file says that was opened."""
        del settings

    def blocks(self, system: System) -> Mapping[str, object]:  # noqa: ARG002  # others need it
        """What study files say of it: blocks of their settings."""
        return {}


@cache
def states() -> dict[str, PageState]:
    """By the module that keeps them: several pages may share one."""
    names = dict.fromkeys(page.state for page in PAGES if page.state)
    return {name: import_module(name).STATE for name in names}


def all_parameters() -> frozenset[str]:
    """Of the address, those that belong to pages."""
    return frozenset().union(*(state.parameters for state in states().values()))
