"""The fastest schedule of a system: its sentence, its figures, its Gantt chart, and its files."""

import os
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any

import streamlit as st

from core.relaxed import SolverFailed
from core.samples import describe, load_sample, sample_names
from core.schedule import Schedule
from core.solve import DEFAULT_SECONDS, Solution, solve
from core.system import System
from core.verify import Verdict
from dashboard.charts.gantt import gantt
from dashboard.charts.heat_map import heat_map
from dashboard.charts.method_bars import method_bars
from dashboard.logic.answer import figures, sentence
from dashboard.logic.comparison import (
    COMPARED,
    SECONDS_EACH,
    Outcome,
    is_quick,
    outcome,
    own_outcome,
)
from dashboard.logic.export import FORMATS, file_blocks, file_name, schedule_bytes
from dashboard.logic.summary import summary
from dashboard.logic.timeline import timeline
from dashboard.logic.upload import Upload

UPLOADED = "(uploaded file)"
ALL = -1
THREADS = min(os.cpu_count() or 1, 4)
SECONDS_OFFERED = (0.0, 0.5, 1.0, DEFAULT_SECONDS, 5.0, 10.0, 30.0, 60.0)
CHART_TOOLS = {"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d"]}


BY_CONTENT: dict[str | type, Callable[[Any], Any]] = {System: attrgetter("fingerprint")}


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def solved(system: System, seconds: float) -> Solution:
    return solve(system, method="lp" if seconds else "paper", seconds=seconds, threads=THREADS)


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def compared(system: System, rival: str) -> Outcome:
    return outcome(system, rival)


def main() -> None:
    st.title("Wattfront: the fastest schedule", anchor=False)
    name, system, seconds = choose()
    with st.spinner("Solving and polishing …", show_time=True):
        try:
            solution = solved(system, seconds)
        except SolverFailed as failure:
            st.error("The solver gave up on this system; nothing was changed.")
            st.text(str(failure))
            return
    show_answer(solution)
    show_gantt(solution, name)
    left, right = st.columns(2, gap="large")
    with left:
        show_times(system)
    with right:
        show_comparison(solution)


def choose() -> tuple[str, System, float]:
    """The controls: which system, an upload, and how long to polish."""
    names, files, effort = st.columns([5, 4, 4], gap="medium", vertical_alignment="bottom")
    with files, st.popover("Upload a system", icon=":material/upload_file:", width="stretch"):
        receive_upload()
    uploaded: Upload | None = st.session_state.get("uploaded")
    options = [*sample_names(), *([UPLOADED] if uploaded else [])]
    with names:
        name = st.selectbox(
            "System",
            options,
            key="system",
            format_func=lambda option: uploaded.name if uploaded and option == UPLOADED else option,
        )
    with effort:
        seconds = st.select_slider(
            "Polish for at most",
            SECONDS_OFFERED,
            value=DEFAULT_SECONDS,
            format_func=lambda value: f"{value:g} s",
            help="More seconds bring the schedule closer to the bound; 0 s: as published.",
        )
    show_problems()
    if uploaded and uploaded.system and name == UPLOADED:
        st.caption(f"Uploaded · {summary(uploaded.system)}")
        return uploaded.name, uploaded.system, seconds
    system = load_sample(name)
    st.caption(f"{describe(name)} · {summary(system)}")
    return name, system, seconds


def receive_upload() -> None:
    """Takes a new file once; a bad one leaves the last good system where it is."""
    file = st.file_uploader(
        "ZIP of CSV tables, Excel workbook, JSON document, HCSP benchmark, or etc.csv alone",
        help="Tables: etc.csv (seconds), apc.csv (watts), tasks.csv and machines.csv; all but the "
        "first may be missing. The first column names task types, the header machine types; a "
        "blank time is a pair that cannot run.",
    )
    if file is None:
        st.session_state.pop("received", None)
        return
    received: tuple[str, Upload] | None = st.session_state.get("received")
    if received is None or received[0] != file.file_id:
        with st.spinner("Reading the file …", show_time=True):
            upload = Upload.read(file.name, file.getvalue())
        st.session_state["received"] = received = (file.file_id, upload)
        if upload.system:
            st.session_state["uploaded"] = upload
            st.session_state["system"] = UPLOADED
    if received[1].problems:
        st.caption(f"{received[1].headline}: see the page.")


def show_problems() -> None:
    received: tuple[str, Upload] | None = st.session_state.get("received")
    if received is None or not received[1].problems:
        return
    upload = received[1]
    if upload.system is None:
        st.error(f"{upload.headline}, listed below. The system shown is still the last good one.")
    else:
        st.warning(f"{upload.headline}; the system is used as it is.")
    st.dataframe(
        upload.problem_table(),
        hide_index=True,
        column_config=dict.fromkeys(
            ("Severity", "File"), st.column_config.TextColumn(width="small")
        ),
    )


def show_answer(solution: Solution) -> None:
    st.header(sentence(solution.schedule.makespan, solution.bound.value), anchor=False)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for figure in figures(solution):
            st.metric(figure.label, figure.value, help=figure.meaning, border=True, width=168)
        show_verdict(solution.verdict)


def show_verdict(verdict: Verdict) -> None:
    if not verdict.ok:
        st.error("The independent check found faults in this schedule; do not use it.")
        for problem in verdict.problems:
            st.text(str(problem))
        return
    with st.popover("Verified", icon=":material/verified:", type="tertiary"):
        st.markdown("A checker that shares no code with the solvers found that")
        st.markdown("\n".join(f"- {check}" for check in verdict.checks))


def show_gantt(solution: Solution, name: str) -> None:
    schedule, system = solution.schedule, solution.schedule.system
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Who runs what, and when", anchor=False, width="stretch")
        kind = st.selectbox(
            "Machines shown",
            [ALL, *range(len(system.machine_types))],
            format_func=lambda j: "All machine types" if j == ALL else system.machine_types[j].name,
            key=f"machines of {system.fingerprint}",
            label_visibility="collapsed",
            width=200,
        )
        show_downloads(schedule, name)
    figure = gantt(
        schedule, timeline(schedule, None if kind == ALL else kind), solution.bound.value
    )
    st.plotly_chart(
        figure, key="gantt", config=CHART_TOOLS, alt="Gantt chart: the tasks of each machine"
    )


def show_downloads(schedule: Schedule, name: str) -> None:
    blocks = file_blocks(schedule)
    for form in FORMATS:
        fits = blocks <= form.most_blocks
        st.download_button(
            form.label,
            partial(schedule_bytes, schedule, form.suffix),
            file_name(name, form.suffix),
            form.mime,
            icon=":material/download:",
            on_click="ignore",
            disabled=not fits,
            help=f"The schedule, {blocks:,} blocks of equal tasks"
            if fits
            else f"{blocks:,} blocks are too many for this format",
        )


def show_times(system: System) -> None:
    st.subheader("How long a task takes", anchor=False)
    st.plotly_chart(
        heat_map(system), key="times", config=CHART_TOOLS, alt="Heat map: seconds of each pair"
    )


def show_comparison(solution: Solution) -> None:
    st.subheader("Against other methods", anchor=False)
    system, outcomes = solution.schedule.system, [own_outcome(solution)]
    if not is_quick(system) and not st.toggle(
        f"Run {len(COMPARED)} well-known methods too (at most {SECONDS_EACH:g} s each)"
    ):
        return
    with st.spinner("Running the other methods …", show_time=True):
        outcomes += [compared(system, rival) for rival in COMPARED]
    st.plotly_chart(
        method_bars(outcomes, solution.bound.value),
        key="methods",
        config=CHART_TOOLS,
        alt="Bar chart: makespan of each method above the proven bound",
    )


main()
