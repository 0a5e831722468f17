"""The view of the page What if: in the session, and in the address."""

from collections.abc import Mapping
from typing import Final, Literal

import streamlit as st

from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.parameters import Parameters
from dashboard.workspace.workspace import Workspace

View = Literal["side by side", "map"]
VIEWS: Final[dict[View, str]] = {"side by side": "Side by side", "map": "Map"}
_VIEW: Final = "what_if_view"
_KEPT: Final = "wattfront.what_if.view"


class ViewState(PageState):
    parameters = frozenset({_VIEW})

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        del now
        given = Parameters(parameters)
        take_view(given.choice(_VIEW, VIEWS) or "side by side")
        return list(given.notes)


STATE: Final = ViewState()


def view() -> View:
    session.workspace()  # which may open what the address says
    found: View = st.session_state.get(_KEPT, "side by side")
    return found


def take_view(wanted: View) -> None:
    st.session_state[_KEPT] = wanted


def write_address() -> None:
    said = {} if view() == "side by side" else {_VIEW: view()}
    session.write_parameters(STATE.parameters, said)
