"""The settings of the page Sweeps, as the session keeps them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import streamlit as st

from core import System
from core.capabilities.sweep.question import SweepQuestion
from dashboard.screens.sweeps import address
from dashboard.screens.sweeps.address import SweepSettings
from dashboard.screens.sweeps.choices import PlannedAxis, quantities_of, usual_axes
from dashboard.screens.sweeps.running import AskedSweep, SweepRows
from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.workspace import Workspace

SETTINGS: Final = "wattfront.sweep"
ASKED: Final = "wattfront.sweep.asked"
PICKED: Final = "wattfront.sweep.picked"
_REVISION: Final = "wattfront.sweep.revision"


class SweepState(PageState):
    parameters = address.PARAMETERS

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        settings, notes = address.read(parameters, now.version.system)
        st.session_state[SETTINGS] = settings
        st.session_state[_REVISION] = revision() + 1
        return list(notes)


STATE: Final = SweepState()


def planned(system: System) -> tuple[PlannedAxis, ...]:
    """The axes chosen for this system; at first the usual ones."""
    session.workspace()  # which may open what the address says
    found: SweepSettings = st.session_state.get(SETTINGS, SweepSettings())
    there = set(quantities_of(system))
    if found.axes is None or any(axis.name not in there for axis in found.axes):
        return usual_axes(system)
    return found.axes


def plan(axes: tuple[PlannedAxis, ...], *, anew: bool) -> None:
    """Keeps the axes. If `anew`, all widgets start from them."""
    st.session_state[SETTINGS] = SweepSettings(axes)
    if anew:
        st.session_state[_REVISION] = revision() + 1


def revision() -> int:
    """A number that changes whenever the widgets of the axes start anew."""
    found: int = st.session_state.get(_REVISION, 0)
    return found


def write_address(axes: tuple[PlannedAxis, ...], system: System) -> None:
    said = SweepSettings(None if axes == usual_axes(system) else axes)
    session.write_parameters(address.PARAMETERS, address.written(said, system))


def asked() -> AskedSweep | None:
    """The sweep that was asked for last; None if there was none."""
    found: AskedSweep | None = st.session_state.get(ASKED)
    return found


def ask(question: SweepQuestion) -> None:
    """Asks for a sweep from its beginning."""
    before = asked()
    turn = 1 if before is None else before.turn + 1
    now = replace(session.workspace(), past=(), future=(), upload=None)
    st.session_state[ASKED] = AskedSweep(question, now, turn)
    pick(None)


def go_on(rows: SweepRows) -> None:
    """Asks for the runs that a stopped sweep has not done."""
    if (before := asked()) is not None:
        st.session_state[ASKED] = replace(before, turn=before.turn + 1, rows=rows)


def picked() -> int | None:
    """The run whose figures are shown."""
    found: int | None = st.session_state.get(PICKED)
    return found


def pick(run: int | None) -> None:
    st.session_state[PICKED] = run
