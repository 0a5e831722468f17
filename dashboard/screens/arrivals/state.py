"""The settings of the page Policies, and what was asked for, as the session keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import streamlit as st

from core import System
from core.capabilities.arrivals import CAPABILITY
from core.capabilities.arrivals.asked import ArrivalsSettings, GivenWorkload
from core.capabilities.arrivals.policies import POLICIES
from core.capabilities.arrivals.study_block import AskedArrivals, fits_study
from core.capabilities.arrivals.told import policy_label
from core.capabilities.arrivals.trials import ReplayComparison
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS
from core.shells.studies import StudySettings
from core.vocabulary.ranges import Range
from core.vocabulary.setting import NumberIn, OneOf, WholeIn, setting
from dashboard.screens.arrivals.replaying import ArrivalsFound, AskedReplays
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

PAGE: Final = "arrivals"
SETTINGS: Final = "wattfront.arrivals"
ASKED: Final = "wattfront.arrivals.asked"
USUAL: Final = replace(ArrivalsSettings(), workload="own")
"""What the page begins with, and its address leaves out: a day of the system in force."""
_BAGS: Final = 10
GIVEN: Final = "wattfront.arrivals.given"
LOOK: Final = "wattfront.arrivals.look"
_PREFIX: Final = "arrivals_"
_LOOK_PREFIX: Final = "arrivals_look_"
_OF_DRAWN: Final = {_PREFIX + name for name in ("jobs", "days", "seed")}
"""An address that says how days are drawn, and no workload, means the drawn day."""
ANSWERED: Final = "wattfront.arrivals.answered"
"""The figures that are shown, for the report."""


DayView = Literal["time", "gantt", "event", "budgets", "two"]


DAY_VIEWS: Final[dict[DayView, str]] = {
    "time": "Over the day",
    "gantt": "Unit by unit",
    "event": "Event by event",
    "budgets": "Other budgets",
    "two": "Two policies",
}


_MOMENT: Final = Range(-1e12, 1e12, "s since the day began")


_POOL: Final = Range(0, 1e9, "")


_ANY: Final = OneOf((*POLICIES, *BAG_METHODS), policy_label)


@dataclass(frozen=True, slots=True)
class CloserLook:
    """A view; the policies in it, the second beside the first; the moment of the event (s since
    the day began); and the place of the pool. None: that which the page finds best.
    """

    view: DayView = setting("time", OneOf(DAY_VIEWS, DAY_VIEWS.__getitem__))
    policy: str | None = setting(None, _ANY, "Policy")
    beside: str | None = setting(None, _ANY, "Beside")
    moment: float | None = setting(None, NumberIn(_MOMENT))
    pool: int | None = setting(None, WholeIn(_POOL))


class ArrivalsState(PageState):
    parameters = parameters_of(ArrivalsSettings, _PREFIX) | parameters_of(CloserLook, _LOOK_PREFIX)

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        del now
        given = Parameters(parameters)
        usual = ArrivalsSettings() if _OF_DRAWN & parameters.keys() else USUAL
        st.session_state[SETTINGS] = read_settings(given, usual, _PREFIX)
        st.session_state[LOOK] = read_settings(given, CloserLook(), _LOOK_PREFIX)
        return given.notes

    def restore(self, settings: StudySettings) -> None:
        asked = settings.block(AskedArrivals)
        if asked is None:
            return
        if asked.given is not None:
            st.session_state[GIVEN] = asked.given
        st.session_state[SETTINGS] = asked.settings
        st.session_state.pop(ASKED, None)
        st.session_state.pop(ANSWERED, None)

    def blocks(self, system: System) -> Mapping[str, object]:
        """What was replayed last, unless a study file cannot hold its workload."""
        del system
        last = asked()
        if last is None or (last.given is not None and not fits_study(last.given.file)):
            return {}
        found: ReplayComparison | None = st.session_state.get(ANSWERED)
        return CAPABILITY.block(AskedArrivals(last.settings, last.given, found or last.begun.shown))


STATE: Final = ArrivalsState()


def current() -> ArrivalsSettings:
    session.workspace()  # which may open what the address says
    found: ArrivalsSettings = st.session_state.get(SETTINGS, USUAL)
    return found


def change(**changed: Any) -> None:
    st.session_state[SETTINGS] = replace(current(), **changed)


def closer_look() -> CloserLook:
    """What a person chose to see of an answer."""
    session.workspace()  # which may open what the address says
    found: CloserLook = st.session_state.get(LOOK, CloserLook())
    return found


@callback
def take_look(name: str, key: str, begin: float = 0.0) -> None:
    """Takes over a choice of the closer look; numbers count from `begin`."""
    value = st.session_state[key]
    chosen = value - begin if name == "moment" else value
    st.session_state[LOOK] = replace(closer_look(), **{name: chosen})


def write_address() -> None:
    said = written_settings(current(), USUAL, _PREFIX)
    said |= written_settings(closer_look(), CloserLook(), _LOOK_PREFIX)
    session.write_parameters(STATE.parameters, said)


def given() -> GivenWorkload | None:
    """The workload that a person gave last."""
    found: GivenWorkload | None = st.session_state.get(GIVEN)
    return found


def give(workload: GivenWorkload) -> None:
    st.session_state[GIVEN] = workload
    st.session_state.pop(ASKED, None)
    change(workload="own", own=workload.digest)


def asked() -> AskedReplays | None:
    """What was asked for last; None if nothing was."""
    found: AskedReplays | None = st.session_state.get(ASKED)
    return found


@callback
def ask() -> None:
    settings = current()
    own = given() if settings.workload == "own" else None
    st.session_state[ASKED] = AskedReplays(settings, own)
    st.session_state.pop(ANSWERED, None)


def keep(found: ArrivalsFound) -> None:
    """Keeps the figures that the page shows, for the report of any page."""
    if asked() is not None:
        st.session_state[ANSWERED] = found.shown


def go_on(found: ArrivalsFound | None) -> None:
    """Asks for what stopped replays have not done; `found` is what they have."""
    if (before := asked()) is not None:
        st.session_state[ASKED] = replace(before, before=found)


@callback
def take(name: str, key: str) -> None:
    """Takes over the value of a widget."""
    value = st.session_state[key]
    change(**{name: tuple(value) if isinstance(value, list) else value})
    if value == "uncertain" and current().days == 1:
        change(days=_BAGS)  # one bag says little about estimates
