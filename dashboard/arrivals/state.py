"""The settings of the page Arrivals, and what was asked for, as the session keeps them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import streamlit as st

from dashboard.arrivals import address
from dashboard.arrivals.found import ArrivalsFound
from dashboard.arrivals.replaying import AskedReplays
from dashboard.arrivals.settings import ArrivalsSettings
from dashboard.arrivals.workloads import GivenWorkload
from dashboard.shell.guard import callback
from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.workspace import Workspace

SETTINGS: Final = "wattfront.arrivals"
ASKED: Final = "wattfront.arrivals.asked"
_BAGS: Final = 10
GIVEN: Final = "wattfront.arrivals.given"


class ArrivalsState(PageState):
    parameters = address.PARAMETERS

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        del now
        own = {name: text for name, text in parameters.items() if name in self.parameters}
        settings, notes = address.read(own)
        st.session_state[SETTINGS] = settings
        return list(notes)


STATE: Final = ArrivalsState()


def current() -> ArrivalsSettings:
    session.workspace()  # which may open what the address says
    found: ArrivalsSettings = st.session_state.get(SETTINGS, ArrivalsSettings())
    return found


def change(**changed: Any) -> None:
    st.session_state[SETTINGS] = replace(current(), **changed)


def write_address() -> None:
    session.write_parameters(address.PARAMETERS, address.written(current()))


def given() -> GivenWorkload | None:
    """The workload that a person gave last."""
    found: GivenWorkload | None = st.session_state.get(GIVEN)
    return found


def give(workload: GivenWorkload) -> None:
    """Chooses a workload that a person gave."""
    st.session_state[GIVEN] = workload
    change(workload="own", own=workload.digest)


def asked() -> AskedReplays | None:
    """What was asked for last; None if nothing was."""
    found: AskedReplays | None = st.session_state.get(ASKED)
    return found


@callback
def ask() -> None:
    """Asks for replays with the present settings."""
    before = asked()
    turn = 1 if before is None else before.turn + 1
    settings = current()
    own = given() if settings.workload == "own" else None
    st.session_state[ASKED] = AskedReplays(settings, own, turn)


def go_on(found: ArrivalsFound | None) -> None:
    """Asks for what stopped replays have not done."""
    if (before := asked()) is not None:
        st.session_state[ASKED] = replace(before, turn=before.turn + 1, before=found)


@callback
def take(name: str, key: str) -> None:
    """Takes over the value of a widget."""
    value = st.session_state[key]
    change(**{name: tuple(value) if isinstance(value, list) else value})
    if value == "uncertain" and current().days == 1:
        change(days=_BAGS)  # one bag says little about estimates
