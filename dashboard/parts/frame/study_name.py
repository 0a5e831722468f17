"""The name that a person gives to a study: in the header, the address and the study file."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from core import System
from core.shells.studies import StudySettings
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.workspace import Origin, Workspace

MOST_LETTERS: Final = 80
_NAME: Final = "study"
_KEPT: Final = "wattfront.study_name"
"""The name, and the origin of the system that had it: another system has no name yet."""


class StudyName(PageState):
    parameters = frozenset({_NAME})

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        _put(parameters.get(_NAME, ""), now.version.origin)
        return []

    def come_back(self, parameters: Mapping[str, str], now: Workspace, *, here: bool) -> None:
        del here
        self.begin(parameters, now)

    def said_everywhere(self) -> Mapping[str, str]:
        return {_NAME: name} if (name := study_name()) else {}

    def view(self, system: System) -> Mapping[str, str]:
        del system
        return self.said_everywhere()

    def restore(self, settings: StudySettings) -> None:
        name_study(settings.view.get(_NAME, ""))


STATE: Final = StudyName()


def study_name() -> str:
    """The name that a person gave to what is in force; empty if there is none."""
    name, origin = st.session_state.get(_KEPT, ("", None))
    return name if origin == session.workspace().version.origin else ""


def study_title() -> str:
    """The name, or else that of the system."""
    return study_name() or session.workspace().title


def name_study(name: str) -> None:
    """Gives another name; the empty one takes it away."""
    _put(name, session.workspace().version.origin)


def show_name(where: str) -> None:
    """The field of the name, at one of the places that have it."""
    name = study_name()
    key = session.fresh_key(f"study.name {where}", name)
    st.text_input(
        "Name of this study",
        name,
        max_chars=MOST_LETTERS,
        key=key,
        placeholder=session.workspace().title,
        on_change=_take,
        args=(key,),
        width=420,
    )


@callback
def _take(key: str) -> None:
    name_study(st.session_state[key])


def _put(name: str, origin: Origin) -> None:
    st.session_state[_KEPT] = " ".join(name.split())[:MOST_LETTERS], origin
