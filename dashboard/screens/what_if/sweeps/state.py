"""The settings of the page What-if map: in the session, and in the address.

Types are given by their position, so that an address contains no names from files.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import streamlit as st

from core import System
from core.capabilities.sweep.axes import MACHINES, TASKS
from core.capabilities.sweep.question import SweepQuestion
from core.shells.studies import StudySettings
from dashboard.screens.what_if.sweeps.choices import (
    MOST_AXES,
    PlannedAxis,
    quantities_of,
    usual_axes,
)
from dashboard.screens.what_if.sweeps.running import AskedSweep, SweepRows
from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.parameters import Parameters
from dashboard.workspace.parameters import written as parameter
from dashboard.workspace.workspace import Workspace

_AXES: Final = "sweep"
PARAMETERS: Final = frozenset({_AXES})
_EXAMPLE: Final = "axes such as idle:0:100:10 machines.1:0:8:1"


PlannedAxes = tuple[PlannedAxis, ...]


def written(axes: PlannedAxes, system: System) -> dict[str, str]:
    """The parameter that says what is varied; `read` is the inverse."""
    said = [
        ":".join([_place(axis.name, system), *map(parameter, (axis.low, axis.high, axis.step))])
        for axis in axes
    ]
    return {_AXES: " ".join(said) or "none"}


def read(given: Mapping[str, str], system: System) -> tuple[PlannedAxes | None, tuple[str, ...]]:
    """What is varied, None if nobody says it; and a sentence if the parameter was ignored."""
    parameters = Parameters(given)
    text = given.get(_AXES)
    if text is None:
        return None, ()
    if text == "none":
        return (), ()
    try:
        axes = tuple(_read_one(part, system) for part in text.split())
    except (ValueError, IndexError):
        axes = ()
    if not 0 < len(axes) <= MOST_AXES or len({axis.name for axis in axes}) < len(axes):
        parameters.ignore(_AXES, _EXAMPLE)
        return None, tuple(parameters.notes)
    return axes, ()


def _read_one(text: str, system: System) -> PlannedAxis:
    place, low, high, step = text.split(":")
    name = place
    for prefix, names in ((MACHINES, system.machine_names), (TASKS, system.task_names)):
        if place.startswith(prefix):
            position = int(place.removeprefix(prefix))
            if position < 1:
                raise ValueError(place)
            name = f"{prefix}{names[position - 1]}"
    axis = PlannedAxis(name, float(low), float(high), float(step))
    if name not in quantities_of(system):
        raise ValueError(place)
    if axis.low not in axis.allowed or axis.high not in axis.allowed or not axis.step >= 0:
        raise ValueError(text)
    return axis


def _place(name: str, system: System) -> str:
    """The name with the position of its type, from 1, in place of the type's name."""
    for prefix, names in ((MACHINES, system.machine_names), (TASKS, system.task_names)):
        if name.startswith(prefix):
            return f"{prefix}{names.index(name.removeprefix(prefix)) + 1}"
    return name


SETTINGS: Final = "wattfront.sweep"
ASKED: Final = "wattfront.sweep.asked"
PICKED: Final = "wattfront.sweep.picked"
_OPENED: Final = "wattfront.sweep.opened"
_REVISION: Final = "wattfront.sweep.revision"


class SweepState(PageState):
    parameters = PARAMETERS

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        axes, notes = read(parameters, now.version.system)
        st.session_state[SETTINGS] = axes
        st.session_state[_REVISION] = revision() + 1
        return list(notes)

    def restore(self, settings: StudySettings) -> None:
        if _AXES in settings.view:
            self.begin(settings.view, session.workspace())

    def view(self, system: System) -> Mapping[str, str]:
        axes = planned(system)
        return {} if axes == usual_axes(system) else written(axes, system)


STATE: Final = SweepState()


def planned(system: System) -> PlannedAxes:
    """The axes chosen for this system; at first the usual ones."""
    session.workspace()  # which may open what the address says
    found: PlannedAxes | None = st.session_state.get(SETTINGS)
    there = set(quantities_of(system))
    if found is None or any(axis.name not in there for axis in found):
        return usual_axes(system)
    return found


def plan(axes: PlannedAxes, *, anew: bool) -> None:
    """Keeps the axes. If `anew`, all widgets start from them."""
    st.session_state[SETTINGS] = axes
    if anew:
        st.session_state[_REVISION] = revision() + 1


def revision() -> int:
    """A number that changes whenever the widgets of the axes start anew."""
    found: int = st.session_state.get(_REVISION, 0)
    return found


def write_address(axes: PlannedAxes, system: System) -> None:
    said = {} if axes == usual_axes(system) else written(axes, system)
    session.write_parameters(PARAMETERS, said)


def asked() -> AskedSweep | None:
    """The sweep that was asked for last; None if there was none."""
    return st.session_state.get(ASKED)


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


def opened() -> System | None:
    """The system of a run that a person opened last, beside which the sweep stays."""
    return st.session_state.get(_OPENED)


def open_system(system: System) -> None:
    st.session_state[_OPENED] = system


def picked() -> int | None:
    """The run whose figures are shown."""
    return st.session_state.get(PICKED)


def pick(run: int | None) -> None:
    st.session_state[PICKED] = run
