"""The chosen schedule: which machine runs what and when, power, energy, what finishes last."""

import math
from dataclasses import replace
from typing import Final

import plotly.graph_objects as go
import streamlit as st

from core import System, verify
from core.capabilities.makespan.solve import Solution
from core.engines.front.study import Study
from core.engines.peak.capped import keeps
from core.engines.relaxed import Front, SolverFailed
from core.engines.verify.verdict import Verdict
from core.vocabulary.kinds import TypeKind
from core.vocabulary.say.without_work import (
    assumed_without_work,
    rest_word,
    what_switching_off_brings,
)
from core.vocabulary.say.words import Sense, rounded
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.charts.timeline import utilisation
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup, trade_off_state
from dashboard.parts.frame.trade_off_state import FIRST_PATIENCE, JOBS, answer_of, ask_study
from dashboard.parts.frame.watch import show_fault, watch
from dashboard.parts.machines.machines import choose_scope, rows_of, show_machines
from dashboard.parts.machines.scope import Scope, looked_at, scope_name
from dashboard.parts.taking.take_away import show_downloads, show_study_downloads
from dashboard.parts.told import show_key_figures, show_verdict
from dashboard.screens.schedule.choice import (
    MEANING,
    STARTS,
    TITLES,
    FirstChoice,
    begin_with,
    bettered,
    carried_over,
    offered,
    search,
    usual,
)
from dashboard.screens.schedule.energy_chart import energy_split, task_energy, task_split
from dashboard.screens.schedule.fastest_panel import show_fastest
from dashboard.screens.schedule.figures import Limits, figures, limits, sentence
from dashboard.screens.schedule.happened_panel import show_happened
from dashboard.screens.schedule.last import last_machine, last_of, part_sentences, sentences
from dashboard.screens.schedule.opening import show_opened_schedule
from dashboard.screens.schedule.power_chart import (
    PowerCurve,
    power_chart,
    power_curve,
    power_of_tasks,
)
from dashboard.screens.schedule.utilisation_chart import utilisation_map
from dashboard.server.archive import ARCHIVE
from dashboard.server.caching import BY_CONTENT
from dashboard.server.guard import callback, show_gave_up
from dashboard.workspace import asking, session
from dashboard.workspace.chosen import Chosen

BY: Final[tuple[TypeKind, ...]] = ("machine type", "task type")
_WANTED: Final = "schedule.wanted"
_UNDERWAY: Final = "schedule.underway"
"""Whether the study was underway when the page was last drawn. What a person then chose as the
fastest is the fastest of the study; later it stays, since it may have been exported.
"""


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def first_solved(system: System) -> Solution | Study:
    return asking.compute(search, system)


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def judged(schedule: Schedule, never_above: float) -> Verdict:
    return verify(schedule, schedule.system, never_above)


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
    system = session.system()
    show_opened_schedule()
    if (start := st.session_state.pop(_WANTED, None)) is not None:
        begin(system, start)
    chosen, replaced = session.chosen(), None
    if chosen is not None and chosen.fingerprint_of_system != system.fingerprint:
        chosen, replaced = None, chosen
    kind = None if chosen is None else STARTS.get(chosen.title)
    underway, is_whole = None, False
    if chosen is None or kind is not None:
        was_underway = st.session_state.pop(_UNDERWAY, False)
        underway, is_whole = follow_study(system)
        better = better_than(chosen) if chosen is not None and was_underway else None
        if chosen is not None and better is not None:
            session.choose(better, chosen.title)
            chosen = session.chosen()
    if chosen is None:
        before = "" if replaced is None else replaced.title
        chosen = usual(ARCHIVE.of(system), front_of(system), STARTS.get(before, "balanced"))
        if chosen is not None and is_whole and before in ("", *STARTS):
            session.choose(chosen.schedule, chosen.title)  # it stays, since it may be taken away
    progress = st.container()
    if chosen is None:
        st.title("Schedule", anchor=False)
    else:
        show_schedule(chosen, replaced)
    if underway is not None:
        with progress:
            watch(asking.jobs(JOBS), underway, awaited=chosen is None)


def front_of(system: System) -> Front | None:
    """The front of the bound, if the study that all pages share is of this system."""
    shown = session.shown()
    mine = shown is not None and shown.system.fingerprint == system.fingerprint
    return shown.study.front if shown is not None and mine else None


def better_than(chosen: Chosen) -> Schedule | None:
    system = chosen.schedule.system
    return bettered(chosen, ARCHIVE.of(system), front_of(system))


def follow_study(system: System) -> tuple[object, bool]:
    """Asks for first schedules of a system, and for the study that all pages share. Returns the
    state of its job, to watch, if there is one; and whether no more is to come.
    """
    if system.apc is None:
        with st.spinner("Solving …", show_time=True):
            try:
                keep(first_solved(system))
            except SolverFailed as failure:
                show_gave_up(failure)
        return None, True
    job = ask_study(system, trade_off_state.current())
    job.wait(2, FIRST_PATIENCE)
    state = asking.jobs(JOBS).state()
    answer = answer_of(job, system)
    st.session_state[_UNDERWAY] = job.running
    if answer is not None and answer.system == system:
        keep(answer.study)
    show_fault(job)
    return state, not job.running


def keep(found: Solution | Study) -> None:
    """Puts what was found into the archive again, should it have been dropped there."""
    if not ARCHIVE.of(found.system).schedules:
        ARCHIVE.take(found)


def show_schedule(chosen: Chosen, replaced: Chosen | None) -> None:
    """The answer and all charts. `replaced` is what a person chose for other settings, if any."""
    schedule = chosen.schedule
    system = schedule.system
    with st.spinner("Checking the schedule …"):
        try:
            bounds = proven(system).with_known(ARCHIVE.of(system))
        except SolverFailed as failure:
            show_gave_up(failure, while_proving=True)
            return
        peak = math.inf if chosen.wish is None else chosen.wish.peak_limit
        kept = math.isfinite(peak) and keeps(schedule, peak)
        verdict, curve = judged(schedule, peak if kept else math.inf), power_of(schedule)
    show_heading(chosen, verdict)
    if replaced is not None and replaced.title not in STARTS:
        show_replaced(replaced, system)
    show_answer(chosen, verdict, bounds, curve)
    beside = st.container()
    st.subheader("Which machine runs what, and when", anchor=False)
    scope = choose_scope(schedule)
    show_machines(schedule, scope, bounds.seconds)
    of = scope_name(system, scope)
    left, right = st.columns(2, gap="large")
    with left:
        show_power(schedule, scope, of)
        show_energy(schedule, scope, of)
    with right:
        show_utilisation(schedule, scope, of)
        show_last(schedule, scope, of)
    show_happened(chosen, bounds.seconds)
    show_fastest(system, bounds)
    if (better := better_than(chosen)) is not None:
        with beside:
            said = "A better one was found since: use it"
            show_button(said, session.choose, better, chosen.title, icon="bolt", type="tertiary")


def show_replaced(before: Chosen, system: System) -> None:
    """Offers to keep the schedule that a person chose for other settings."""
    carried = carried_over(before.schedule, system)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        said = "belongs to another system" if carried is None else "chosen with other settings"
        st.html(markup.context(before.title, [said]), width="content")
        if carried is not None:
            show_button(
                "Keep it with the present settings",
                session.choose,
                carried,
                before.title,
                before.wish if before.wish and math.isfinite(before.wish.peak_limit) else None,
                icon="sync",
                help="The same tasks on the same machines, with the present times, powers and idle "
                "power of the system, and after the same waits",
            )


def show_starts(chosen: Chosen) -> None:
    """The kinds of schedules that anybody may want, and which of them is shown."""
    now, system = STARTS.get(chosen.title), chosen.schedule.system
    key = session.fresh_key("schedule.start", now)
    st.segmented_control(
        "Which schedule",
        offered(ARCHIVE.of(system), front_of(system)),
        default=now,
        format_func=TITLES.__getitem__,
        key=key,
        on_change=_take_start,
        args=(key, now),
        help=MEANING,
        label_visibility="collapsed",
    )


@callback
def _take_start(key: str, now: FirstChoice | None) -> None:
    """Takes what was clicked; a click on what is shown makes it the chosen one."""
    st.session_state[_WANTED] = st.session_state[key] or now


def begin(system: System, start: FirstChoice) -> None:
    """Chooses the schedule of this kind."""
    front = front_of(system)
    schedule = begin_with(ARCHIVE.of(system), start, front)
    if schedule is None:
        with st.spinner("Solving …", show_time=True):
            try:
                found = asking.compute(search, system)
            except SolverFailed as failure:
                show_gave_up(failure)
                return
        front = found.front if isinstance(found, Study) else None
        schedule = begin_with(ARCHIVE.of(system), start, front)
    if schedule is not None:
        session.choose(schedule, TITLES[start])


def show_heading(chosen: Chosen, verdict: Verdict) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(
            horizontal=True, vertical_alignment="center", width="stretch", key="chosen"
        ):
            st.title("Schedule", anchor=False, width="content")
            if chosen.title not in STARTS:
                st.html(markup.context(chosen.title, ()), width="content")
            if verdict.ok:
                show_verdict(verdict)
        show_starts(chosen)
        with st.popover("Export", icon=":material/download:"):
            show_downloads(chosen.schedule, session.workspace().title, "schedule")
            if chosen.schedule.system.apc is not None:
                st.markdown("**The whole study**")
                show_study_downloads(chosen.schedule.system, chosen)
    if not verdict.ok:
        show_verdict(verdict)


def show_answer(chosen: Chosen, verdict: Verdict, bounds: Limits, curve: PowerCurve | None) -> None:
    cap = rounded(session.site().cap_at_machines, Sense.PLAIN)  # as Site says it
    if chosen.wish is not None:
        cap = min(cap, chosen.wish.power_limit)
    every_moment = chosen.wish is not None and math.isfinite(chosen.wish.peak_limit)
    said = sentence(chosen.schedule, bounds, cap, every_moment=every_moment)
    st.header(said, anchor=False)
    with st.container(horizontal=True, gap="small"):
        show_key_figures(figures(chosen.schedule, verdict, bounds, curve), 160)
    if brings := what_switching_off_brings(chosen.schedule):
        st.html(markup.note(f"{assumed_without_work(chosen.schedule.system)} {brings}"))


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
    show_title(f"Energy at work and {rest_word(schedule.system)}", of)
    if schedule.system.apc is None:
        st.caption("Without powers (APC), the energy is unknown.")
        return
    bars = "machine type" if scope.machine_type is None else "task type"
    show_chart(
        energy_picture(schedule, scope),
        "schedule_energy",
        alt=f"Bar chart: energy of each {bars}, at work and {rest_word(schedule.system)}",
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
