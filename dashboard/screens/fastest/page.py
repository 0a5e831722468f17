"""The fastest schedule of a system: a sentence, key figures, the Gantt chart and exports."""

import streamlit as st

from core import System, solve
from core.capabilities.makespan.solve import Solution
from core.capabilities.makespan.told import figures, sentence
from core.engines.relaxed import SolverFailed
from core.vocabulary.budget import DEFAULT_SECONDS
from core.vocabulary.say.words import Sense, duration
from dashboard.parts.charts.heat_map import TIME, heat_map
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.machines.machines import choose_scope, show_machines
from dashboard.parts.taking.take_away import show_downloads
from dashboard.parts.told import show_key_figures, show_verdict
from dashboard.screens.fastest.comparison import (
    COMPARED,
    SECONDS_EACH,
    MethodOutcome,
    is_quick,
    method_bars,
    outcome,
    own_outcome,
)
from dashboard.server.archive import ARCHIVE
from dashboard.server.caching import BY_CONTENT
from dashboard.server.guard import show_gave_up
from dashboard.workspace import asking, session
from dashboard.workspace.answering import polish_for

SECONDS_OFFERED = (0.0, 0.5, 1.0, DEFAULT_SECONDS, 5.0, 10.0, 30.0, 60.0)


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def solved(system: System, seconds: float) -> Solution:
    method = "lp" if seconds else "paper"
    return asking.compute(solve, system, method, effort=polish_for(seconds))


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def compared(system: System, rival: str) -> MethodOutcome:
    return asking.compute(outcome, system, rival)


def main() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.title("Fastest schedule", anchor=False, width="stretch")
        seconds = st.select_slider(
            "Polish for at most",
            SECONDS_OFFERED,
            value=DEFAULT_SECONDS,
            format_func=lambda value: duration(value, Sense.TYPED),
            key="fastest.seconds",
            persist_state="session",
            help="More seconds bring the schedule closer to the lower bound. 0 s: the published "
            "method without polish. If another page has found a faster schedule, that one is "
            "shown.",
            width=300,
        )
    system, name = session.system(), session.workspace().title
    with st.spinner("Solving and polishing …", show_time=True):
        try:
            solution = solved(system, seconds).with_known(ARCHIVE.of(system))
        except SolverFailed as failure:
            show_gave_up(failure)
            return
    show_answer(solution)
    show_gantt(solution, name)
    left, right = st.columns(2, gap="large")
    with left:
        show_times(system)
    with right:
        show_comparison(solution)


def show_answer(solution: Solution) -> None:
    st.header(sentence(solution.schedule.makespan, solution.bound.value), anchor=False)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        show_key_figures(figures(solution), 168)
        show_verdict(solution.verdict)


def show_gantt(solution: Solution, name: str) -> None:
    schedule = solution.schedule
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Which machine runs what, and when", anchor=False, width="stretch")
        show_downloads(schedule, name, "fastest")
    show_machines(schedule, choose_scope(schedule), solution.bound.value)


def show_times(system: System) -> None:
    st.subheader("How long a task takes", anchor=False)
    show_chart(
        heat_map(system, TIME),
        "times",
        alt="Heat map: seconds per task of each pair of task type and machine type",
    )


def show_comparison(solution: Solution) -> None:
    st.subheader("Compared with other methods", anchor=False)
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


main()
