"""The settings of the page What to switch off, as the session and the address keep them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import streamlit as st

from core import System
from core.capabilities.switch_off.settings import SwitchOffSettings
from core.shells.studies import StudySettings
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.parameters import (
    Parameters,
    parameters_of,
    read_settings,
    written_settings,
)
from dashboard.workspace.workspace import Workspace

SETTINGS: Final = "wattfront.switch_off"
_PREFIX: Final = "off_"


class SwitchOffState(PageState):
    parameters = parameters_of(SwitchOffSettings, _PREFIX)

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        del now
        given = Parameters(parameters)
        st.session_state[SETTINGS] = read_settings(given, SwitchOffSettings(), _PREFIX)
        return given.notes

    def restore(self, settings: StudySettings) -> None:
        self.begin(settings.view, session.workspace())

    def view(self, system: System) -> Mapping[str, str]:
        del system
        return said()


STATE: Final = SwitchOffState()


def current() -> SwitchOffSettings:
    session.workspace()  # which may open what the address says
    found: SwitchOffSettings = st.session_state.get(SETTINGS, SwitchOffSettings())
    return found


def change(**changed: Any) -> None:
    st.session_state[SETTINGS] = replace(current(), **changed)


@callback
def take(name: str, key: str) -> None:
    """Takes over the value of a widget; a field that was emptied keeps what it had."""
    if (value := st.session_state[key]) is not None:
        change(**{name: value})


def write_address() -> None:
    session.write_parameters(STATE.parameters, said())


def said() -> dict[str, str]:
    """The parameters of the settings that differ from the usual."""
    return written_settings(current(), SwitchOffSettings(), _PREFIX)
