"""The chosen schedule: which machine runs what and when, power, energy, what finishes last."""

from dataclasses import replace
from typing import Final

import plotly.graph_objects as go
import streamlit as st

from core import System, verify
from core.engines.relaxed import SolverFailed
from core.engines.verify.verdict import Verdict
from core.vocabulary.kinds import TypeKind
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.charts.timeline import utilisation
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup, trade_off_state
from dashboard.parts.machines.machines import choose_scope, rows_of, show_machines
from dashboard.parts.machines.scope import Scope, looked_at, scope_name
from dashboard.parts.taking.take_away import show_downloads, show_study_downloads
from dashboard.parts.told import show_key_figures, show_verdict
from dashboard.screens.schedule.choice import (
    MEANINGS,
    TITLES,
    FirstChoice,
    begin_with,
    carried_over,
    offered,
    search,
)
from dashboard.screens.schedule.energy_chart import energy_split, task_energy, task_split
from dashboard.screens.schedule.figures import Limits, figures, limits, sentence
from dashboard.screens.schedule.happened_panel import show_happened
from dashboard.screens.schedule.last import last_machine, last_of, part_sentences, sentences
from dashboard.screens.schedule.power_chart import (
    PowerCurve,
    power_chart,
    power_curve,
    power_of_tasks,
)
from dashboard.screens.schedule.utilisation_chart import utilisation_map
from dashboard.server.archive import ARCHIVE
from dashboard.server.caching import BY_CONTENT
from dashboard.server.guard import show_gave_up
from dashboard.workspace import asking, session
from dashboard.workspace.chosen import Chosen

BY: Final[tuple[TypeKind, ...]] = ("machine type", "task type")


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def judged(schedule: Schedule) -> Verdict:
    return verify(schedule, schedule.system)


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def proven(system: System) -> Limits:
    return asking.compute(limits, system)


@st.cache_data(max_entries=4, show_spinner=False, hash_funcs=BY_CONTENT)
def power_of(schedule: Schedule) -> PowerCurve | None:
    return None if schedule.system.apc is None else power_curve(schedule)


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def power_picture(schedule: Schedule, scope: Scope, by: TypeKind) -> go.Figure:
    curve = power_of(schedule) if by == "machine type" else None
    if curve is None:
        curve = power_of_tasks(schedule, looked_at(schedule, scope))
    return power_chart(schedule.system, curve)


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def energy_picture(schedule: Schedule, scope: Scope) -> go.Figure:
    if scope.machine_type is None:
        return energy_split(schedule)
    return task_split(schedule.system, task_energy(schedule, looked_at(schedule, scope)))


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def busy_picture(schedule: Schedule, scope: Scope) -> go.Figure:
    rows = None if scope.by_type else rows_of(schedule, replace(scope, task_types=()))
    return utilisation_map(schedule, utilisation(schedule, rows))


def main() -> None:
    system, chosen = session.system(), session.chosen()
    if chosen is None or chosen.fingerprint_of_system != system.fingerprint:
        st.title("Schedule", anchor=False)
        show_beginning(system, chosen)
        return
    schedule = chosen.schedule
    with st.spinner("Checking the schedule …"):
        try:
            bounds = proven(system).with_known(ARCHIVE.of(system))
        except SolverFailed as failure:
            show_gave_up(failure, while_proving=True)
            return
        verdict, curve = judged(schedule), power_of(schedule)
    show_heading(chosen, verdict)
    show_answer(chosen, verdict, bounds, curve)
    st.subheader("Which machine runs what, and when", anchor=False)
    scope = choose_scope(schedule)
    show_machines(schedule, scope, bounds.seconds)
    of = scope_name(schedule.system, scope)
    left, right = st.columns(2, gap="large")
    with left:
        show_power(schedule, scope, of)
        show_energy(schedule, scope, of)
    with right:
        show_utilisation(schedule, scope, of)
        show_last(schedule, scope, of)
    show_happened(chosen, bounds.seconds)


def show_beginning(system: System, chosen: Chosen | None) -> None:
    """Schedules to start with, if none is chosen for this system."""
    if chosen is None:
        st.header("No schedule is chosen yet", anchor=False)
        st.markdown("Start with one of these, or choose a schedule on the page Trade-offs.")
    else:
        carried = carried_over(chosen.schedule, system)
        if carried is None:
            st.header("The chosen schedule belongs to another system", anchor=False)
            st.html(markup.context(chosen.title, ["belongs to another system"]))
        else:
            st.header("The settings have changed since this schedule was chosen", anchor=False)
            st.html(markup.context(chosen.title, ["chosen with other settings"]))
            show_button(
                "Keep it with the present settings",
                session.choose,
                carried,
                chosen.title,
                icon="sync",
                help="The same tasks on the same machines, with the present times, powers and idle "
                "power of the system",
            )
        st.markdown("Or start with another schedule:")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for start in offered(system):
            if st.button(TITLES[start], help=MEANINGS[start], key=f"schedule.begin.{start}"):
                begin(system, start)
        st.page_link("screens/trade_offs/page.py", label="Trade-offs", icon=":material/show_chart:")
    if system.apc is None:
        st.caption("Without powers (APC), the only aim is a short makespan.")


def begin(system: System, start: FirstChoice) -> None:
    with st.spinner("Solving …", show_time=True):
        try:
            asking.compute(search, system, start)
        except SolverFailed as failure:
            show_gave_up(failure)
            return
    schedule = begin_with(ARCHIVE.of(system), start)
    if schedule is None:
        st.info("The front of this system is nearly straight, so it has no knee.")
        return
    session.choose(schedule, TITLES[start])
    st.rerun()


def show_heading(chosen: Chosen, verdict: Verdict) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(
            horizontal=True, vertical_alignment="center", width="stretch", key="chosen"
        ):
            st.title("Schedule", anchor=False, width="content")
            st.html(markup.context(chosen.title, ()), width="content")
            if verdict.ok:
                show_verdict(verdict)
        with st.popover("Export", icon=":material/download:"):
            show_downloads(chosen.schedule, session.workspace().title, "schedule")
            if chosen.schedule.system.apc is not None:
                st.markdown("**The whole study**")
                show_study_downloads(chosen.schedule.system, trade_off_state.current())
    if not verdict.ok:
        show_verdict(verdict)


def show_answer(chosen: Chosen, verdict: Verdict, bounds: Limits, curve: PowerCurve | None) -> None:
    cap = session.site().cap_at_machines
    if chosen.wish is not None:
        cap = min(cap, chosen.wish.power_limit)
    st.header(sentence(chosen.schedule, bounds, cap), anchor=False)
    with st.container(horizontal=True, gap="small"):
        show_key_figures(figures(chosen.schedule, verdict, bounds, curve), 160)


def show_title(title: str, of: str) -> None:
    """The title of a chart, and the machines that it shows if not all. Names are plain text."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(title, anchor=False, width="content")
        if of:
            st.html(markup.context("", [of]), width="content")


def show_power(schedule: Schedule, scope: Scope, of: str) -> None:
    show_title("Power over time", of)
    if schedule.system.apc is None:
        st.caption("Without powers (APC), the power of this schedule is unknown.")
        return
    by: TypeKind = "task type"
    if scope.machine_type is None:
        by = show_look("By", BY, "schedule.power_by", str.capitalize)
    show_chart(
        power_picture(schedule, scope, by),
        "schedule_power",
        alt=f"Area chart: power over time by {by}, with its average and its peak",
    )


def show_energy(schedule: Schedule, scope: Scope, of: str) -> None:
    show_title("Energy at work and idle", of)
    if schedule.system.apc is None:
        st.caption("Without powers (APC), the energy is unknown.")
        return
    bars = "machine type" if scope.machine_type is None else "task type"
    show_chart(
        energy_picture(schedule, scope),
        "schedule_energy",
        alt=f"Bar chart: energy of each {bars}, at work and idle",
    )


def show_utilisation(schedule: Schedule, scope: Scope, of: str) -> None:
    show_title("How busy the machines are", of)
    show_chart(
        busy_picture(schedule, scope),
        "schedule_utilisation",
        alt="Heat map: share of machine time spent on tasks, over time",
    )


def show_last(schedule: Schedule, scope: Scope, of: str) -> None:
    show_title("What finishes last" if scope.machine is None else "What it runs", of)
    if scope.machine_type is None:
        st.html(markup.items(sentences(schedule, last_machine(schedule))))
        return
    part = last_of(schedule, looked_at(schedule, scope), scope.machine)
    if part is None:
        st.caption("There is no machine of this type.")
        return
    alone = scope.machine is not None
    st.html(markup.items(part_sentences(schedule, part, alone=alone)))


main()
