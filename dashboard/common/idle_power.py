"""The idle power that all pages share: its slider, what it is just passing, and what was before."""

from typing import Final

import streamlit as st

from dashboard.common.before import Before
from dashboard.common.idle_powers import fraction_of
from dashboard.common.in_browser import Passing, follow_slider
from dashboard.shell.guard import callback
from dashboard.workspace import session
from dashboard.workspace.workspace import Workspace, set_idle_fraction

_IDLE: Final = "trade_offs.idle"
PASSING: Final = "trade_offs.passing"
BEFORE: Final = "trade_offs.before"


def show_idle_power() -> None:
    """The slider of the setting that all pages share; the page follows while it is dragged."""
    now = session.workspace()
    given = now.idle_fraction is None
    percent = _percent()
    idle_key = session.fresh_key(_IDLE, percent)
    with st.container(key="idle-power"):
        st.slider(
            "Idle power, of the mean power at work" + (" (as given)" if given else ""),
            0,
            100,
            percent,
            key=idle_key,
            format="%d %%",
            on_change=_take_idle_power,
            args=(idle_key,),
            help="An idle machine draws this share of the mean APC of its machine type. Every page "
            "uses it.",
        )
    follow_slider("idle-power", _take_passing)
    if not given:
        st.button(
            "Idle power as given",
            icon=":material/undo:",
            type="tertiary",
            on_click=callback(session.set_idle),
            args=(None,),
        )


def _percent() -> int:
    """Where the slider stands."""
    now = session.workspace()
    given = now.idle_fraction is None
    fraction = fraction_of(now.system) if given else now.idle_fraction
    return round(100 * (fraction or 0.0))


@callback
def _take_idle_power(idle_key: str) -> None:
    remember()
    st.session_state[PASSING] = None
    session.set_idle(st.session_state[idle_key] / 100)


def _take_passing(passing: Passing) -> None:
    """Where the slider is; what comes late, from before it was let go, is of no interest."""
    if passing.percent is None or passing.since != _percent():
        st.session_state[PASSING] = None
        return
    remember()
    st.session_state[PASSING] = passing.percent / 100


def looked_at() -> Workspace:
    """What the page shows: the workspace, at the idle power that the slider is just passing."""
    passing: float | None = st.session_state.get(PASSING)
    now = session.workspace()
    return now if passing is None else set_idle_fraction(now, passing)


def let_go() -> None:
    """Forgets what the slider was passing."""
    st.session_state[PASSING] = None


def is_passing() -> bool:
    return st.session_state.get(PASSING) is not None


def remember() -> None:
    """Keeps what is shown as what was before, unless the slider is on its way already."""
    now, shown = session.workspace(), session.shown()
    if not is_passing() and shown is not None and shown.system == now.system:
        st.session_state[BEFORE] = Before(shown.study, now.version, now.idle_fraction)


def before() -> Before | None:
    """What was shown before the idle power was last changed here, of the same system."""
    found: Before | None = st.session_state.get(BEFORE)
    now = looked_at()
    if found is None or found.version is not now.version:
        return None
    return None if found.study.system == now.system else found
