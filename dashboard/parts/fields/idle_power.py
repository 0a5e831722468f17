"""The slider of the idle power, where it is while a person drags it, and the front before."""

from typing import Final

import streamlit as st

from dashboard.parts.fields.before import Before
from dashboard.parts.fields.idle_powers import fraction_of
from dashboard.parts.fields.in_browser import Passing, follow_slider
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.workspace import Workspace, set_idle_fraction

_IDLE: Final = "trade_offs.idle"
PASSING: Final = "trade_offs.passing"
BEFORE: Final = "trade_offs.before"


def show_idle_power() -> None:
    """The slider of the idle power, which holds on every page. The page follows while a person
    drags it.
    """
    now = session.workspace()
    given = now.idle_fraction is None
    percent = _percent()
    idle_key = session.fresh_key(_IDLE, percent)
    with st.container(key="idle-power"):
        st.slider(
            "Idle power, as a share of the mean power at work" + (" (as given)" if given else ""),
            0,
            100,
            percent,
            key=idle_key,
            format="%d %%",
            on_change=_take_idle_power,
            args=(idle_key,),
            help="An idle machine draws this share of the mean APC of its machine type. The "
            "setting holds on every page.",
        )
    follow_slider("idle-power", _take_passing)
    if not given:
        st.button(
            "Reset idle power",
            icon=":material/undo:",
            type="tertiary",
            on_click=callback(session.set_idle),
            args=(None,),
        )


def _percent() -> int:
    """The position of the slider (%)."""
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
    """Keeps the position of the slider. A report that comes after the slider was released is
    ignored.
    """
    if passing.percent is None or passing.since != _percent():
        st.session_state[PASSING] = None
        return
    remember()
    st.session_state[PASSING] = passing.percent / 100


def looked_at() -> Workspace:
    """The workspace as the page shows it: at the idle power where the slider is now."""
    passing: float | None = st.session_state.get(PASSING)
    now = session.workspace()
    return now if passing is None else set_idle_fraction(now, passing)


def let_go() -> None:
    """Forgets where the slider was while a person dragged it."""
    st.session_state[PASSING] = None


def is_passing() -> bool:
    return st.session_state.get(PASSING) is not None


def remember() -> None:
    """Keeps the study that is shown as the one before, unless the slider is being dragged."""
    now, shown = session.workspace(), session.shown()
    if not is_passing() and shown is not None and shown.system == now.system:
        st.session_state[BEFORE] = Before(shown.study, now.version, now.idle_fraction)


def before() -> Before | None:
    """The study shown before the last change of the idle power; None if the system is another."""
    found: Before | None = st.session_state.get(BEFORE)
    now = looked_at()
    if found is None or found.version is not now.version:
        return None
    return None if found.study.system == now.system else found
