"""A closer look at the fastest schedule possible: its bound, and what other methods reach."""

from typing import Final

import streamlit as st

from core import System, solve
from core.capabilities.makespan.solve import Solution
from core.capabilities.makespan.told import figures, sentence
from core.engines.relaxed import SolverFailed
from core.shells.told.told import KeyFigure
from core.vocabulary.budget import DEFAULT_SECONDS
from core.vocabulary.say.words import Sense, duration, energy
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.told import show_key_figures
from dashboard.screens.schedule.choice import POLISH_SECONDS
from dashboard.screens.schedule.comparison import (
    COMPARED,
    SECONDS_EACH,
    MethodOutcome,
    is_quick,
    method_bars,
    outcome,
    own_outcome,
)
from dashboard.screens.schedule.figures import Limits
from dashboard.server.archive import ARCHIVE
from dashboard.server.caching import BY_CONTENT
from dashboard.server.guard import show_gave_up
from dashboard.workspace import asking
from dashboard.workspace.answering import polish_for

TITLE: Final = "Fastest possible"
SECONDS_OFFERED: Final = (0.0, 0.5, POLISH_SECONDS, DEFAULT_SECONDS, 5.0, 10.0, 30.0, 60.0)


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def solved(system: System, seconds: float) -> Solution:
    method = "lp" if seconds else "paper"
    return asking.compute(solve, system, method, effort=polish_for(seconds))


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def compared(system: System, rival: str) -> MethodOutcome:
    return asking.compute(outcome, system, rival)


def show_fastest(system: System, proven: Limits) -> None:
    """A section that is computed when it is opened."""
    section = st.expander(TITLE, key="schedule.fastest", on_change="rerun")
    if section.open:
        with section:
            _show_section(system, proven)


def _show_section(system: System, proven: Limits) -> None:
    place = st.container()
    st.markdown("**Expert**")
    seconds = st.select_slider(
        "Search for at most",
        SECONDS_OFFERED,
        value=POLISH_SECONDS,
        format_func=lambda value: duration(value, Sense.TYPED),
        key="fastest.seconds",
        persist_state="session",
        help="More seconds bring the fastest schedule closer to the lower bound; every page uses "
        "what is found. 0 s: the published method without polish.",
        width=300,
    )
    with st.spinner("Solving and polishing …", show_time=True):
        try:
            solution = solved(system, seconds).with_known(ARCHIVE.of(system))
        except SolverFailed as failure:
            show_gave_up(failure)
            return
    with place:
        st.text(sentence(solution.schedule.makespan, solution.bound.value))
        with st.container(horizontal=True, gap="small"):
            show_key_figures((*figures(solution)[:3], *_least_energy(proven)), 168)
    _show_comparison(solution)


def _least_energy(proven: Limits) -> tuple[KeyFigure, ...]:
    if proven.joules is None:
        return ()
    said = energy(proven.joules, Sense.LOWER_BOUND)
    return (KeyFigure("Least energy", said, "No schedule takes less, however slow it is."),)


def _show_comparison(solution: Solution) -> None:
    system, outcomes = solution.schedule.system, [own_outcome(solution)]
    if not is_quick(system) and not st.toggle(
        f"Run {len(COMPARED)} well-known methods as well (at most "
        f"{duration(SECONDS_EACH, Sense.TYPED)} each)"
    ):
        return
    with st.spinner("Running the other methods …", show_time=True):
        outcomes += [compared(system, rival) for rival in COMPARED]
    show_chart(
        method_bars(outcomes, solution.bound.value),
        "methods",
        alt="Bar chart: how far the makespan of each method is above the lower bound",
    )
