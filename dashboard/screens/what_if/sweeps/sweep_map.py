"""Many what-ifs at once: choose what varies, run, explore, and open one of them."""

import math
from dataclasses import replace
from typing import Any, Final

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import System
from core.capabilities.sweep.axes import AxisFault, kind_of
from core.capabilities.sweep.question import FigureKind, SweepQuestion, figures_of
from core.capabilities.sweep.told import done_said, meaning
from core.engines.compute.executors import EngineRefused, usual_engine
from core.vocabulary.say.words import Sense, counted, duration
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.parts.frame.watch import watch
from dashboard.parts.told import show_frame
from dashboard.patches.credible import is_place
from dashboard.screens.what_if.sweeps import state
from dashboard.screens.what_if.sweeps.choices import (
    MOST_AXES,
    PlannedAxis,
    quantities_of,
    question_of,
    short_title_of,
    title_of,
    usual_range,
    varied,
)
from dashboard.screens.what_if.sweeps.map_chart import (
    MOST_CLICKED,
    MOST_LINES,
    sweep_lines,
    sweep_map,
)
from dashboard.screens.what_if.sweeps.running import (
    AskedSweep,
    SweepSoFar,
    is_cluster,
    sweeping,
    tried_seconds,
)
from dashboard.screens.what_if.sweeps.take_away import show_sweep_downloads
from dashboard.screens.what_if.sweeps.view import (
    MOST_PANELS,
    SweepView,
    figure_said,
    in_words,
    said_of,
    view_of,
)
from dashboard.server.background import Job
from dashboard.server.caching import BY_CONTENT
from dashboard.server.guard import callback, show_failure
from dashboard.workspace import asking, session
from dashboard.workspace.workspace import choose

PAGE: Final = "sweeps"
AT_ONCE: Final = 5.0
"""A sweep that takes fewer seconds begins by itself."""
_FIGURE: Final = "sweeps.figure"
_USUAL: Final = "least_energy_j"
_LOOK: Final = "sweeps.look"
_CHART: Final = "sweeps.chart"
_COLUMNS: Final = 3
_FAILED_SHOWN: Final = 5


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def seconds_a_run(system: System, axes: tuple[PlannedAxis, ...]) -> float:
    return asking.compute(tried_seconds, question_of(axes, system))


def show_map(tools: DeltaGenerator) -> None:
    """The view. `tools` is the place of the export."""
    system = session.system()
    axes = state.planned(system)
    state.write_address(axes, system)
    st.markdown(
        "What if several things change at once? A sweep computes what is proven for every "
        "combination of the values that you choose."
    )
    explored, chosen = st.columns([5, 3], gap="large")
    with chosen:
        question = show_choices(axes, system)
        status = st.container(key="sweep-status")
    asked = state.asked()
    job = None if asked is None else ask(asked)
    jobs = asking.jobs(PAGE)
    seen = jobs.state()
    with explored:
        show_results(asked, job, question)
    with tools, st.popover("Export", icon=":material/download:", key="take-away"):
        show_export(asked, job, question)
    with status:
        show_status(asked, job)
        watch(jobs, seen, awaited=True)


def ask(asked: AskedSweep) -> Job[SweepSoFar]:
    return asking.jobs(PAGE).ask("sweep", asked.turn, sweeping(asked, usual_engine()))


def show_choices(axes: tuple[PlannedAxis, ...], system: System) -> SweepQuestion | None:
    """The axes, and how many runs they make, in about which time, from a few that were tried. A
    long sweep has a button that begins it. None if there is a fault.
    """
    st.subheader("What varies", anchor=False)
    show_axes(axes, system)
    try:
        question = question_of(axes, system)
    except AxisFault as fault:
        st.info("This cannot run yet:", icon=":material/info:")
        st.html(markup.items([str(fault)]))
        return None
    said, seconds = counted(question.runs, "run"), math.inf
    if is_cluster(usual_engine()):
        said = f"{said}, on the Dask cluster of this server."
    else:
        with st.spinner("Trying a few runs …"):
            seconds = question.runs * seconds_a_run(question.system, axes)
        said = f"{said}, about {duration(max(round(seconds), 1), Sense.PLAIN)} on this server."
    with st.container(key="sweep-size"):
        st.caption(said)
    before = state.asked()
    is_new = before is None or before.question.identity != question.identity
    if seconds < AT_ONCE and is_new and system != state.opened():
        state.ask(question)
        return question
    if not is_new:
        return question
    show_button(
        "Run",
        state.ask,
        question,
        icon="play_arrow",
        type="primary",
        help="Every run is proven on its own. You can stop at any time, and go on later.",
    )
    return question


def show_status(asked: AskedSweep | None, job: Job[SweepSoFar] | None) -> None:
    """How much is done, and the button to go on."""
    if asked is None or job is None or job.running:
        return
    if job.failure is not None:
        if isinstance(job.failure, EngineRefused):
            st.error("The Dask cluster of this server cannot compute:", icon=":material/error:")
            st.text(str(job.failure))
        else:
            show_failure(job.failure)
    done = 0 if job.latest is None else len(job.latest.rows)
    if done < asked.question.runs:
        st.caption(done_said(done, asked.question.runs), width="content")
        show_button("Go on", _go_on, icon="play_arrow", type="tertiary")


def _go_on() -> None:
    asked = state.asked()
    if asked is not None:
        latest = ask(asked).latest
        state.go_on({} if latest is None else latest.rows)


def show_results(
    asked: AskedSweep | None, job: Job[SweepSoFar] | None, question: SweepQuestion | None
) -> None:
    so_far = None if job is None else job.latest
    if asked is None or so_far is None:
        st.info("No results yet. Choose what varies, and press Run.", icon=":material/grid_on:")
        return
    if question is None or question.identity != asked.question.identity:
        st.caption(":material/history: These are the results of earlier choices. Press Run anew.")
        with st.container(key="sweep-of"):
            st.text(f"They are of {asked.workspace.title}.")
    show_failed(asked.question, so_far)
    figure, as_lines = choose_figure(asked.question)
    view = view_of(asked.question, so_far.rows, figure)
    can_click = as_lines or view.runs[0].size <= MOST_CLICKED
    show_charts(view, as_lines=as_lines)
    if not can_click:
        st.caption("So large a map cannot be clicked. Show lines, or give larger steps.")
    st.caption(" ".join((*meaning(asked.question), "Blank: impossible, or not computed yet.")))
    show_picked(asked, so_far, can_click=can_click)


def choose_figure(question: SweepQuestion) -> tuple[FigureKind, bool]:
    """The figure that is shown, and whether as lines."""
    figures = {one.column: one for one in figures_of(question)}
    if st.session_state.get(_FIGURE) not in figures:
        st.session_state[_FIGURE] = _USUAL if _USUAL in figures else next(iter(figures))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        column = st.selectbox(
            "Figure",
            list(figures),
            format_func=lambda name: figures[name].title.capitalize(),
            key=_FIGURE,
            persist_state="session",
        )
        as_lines = True
        if len(varied(question)) > 1:
            look = show_look("As", ["Map", "Lines"], _LOOK)
            as_lines = look == "Lines"
    return figures[column], as_lines


def show_charts(view: SweepView, *, as_lines: bool) -> None:
    """A chart for each panel, with the same colours and the same axis."""
    several = len(view.panels) > 1
    places = st.columns(_COLUMNS, gap="small") if several else [st.container()]
    for panel, value in enumerate(view.panels):
        with places[panel % len(places)]:
            if several:
                with st.container(key=f"sweep-panel-{panel}"):
                    third = view.axes[2]
                    st.text(f"{short_title_of(third.name)}: {in_words(third, value)}")
            _show_chart(view, panel, as_lines=as_lines)
    if several and len(view.axes[2].values) > MOST_PANELS:
        st.caption(f"{MOST_PANELS} of {len(view.axes[2].values):,} values are shown.")
    if as_lines and view.values.shape[1] > MOST_LINES:
        st.caption(f"{MOST_LINES} of {view.values.shape[1]:,} lines are shown.")


def _show_chart(view: SweepView, panel: int, *, as_lines: bool) -> None:
    key = f"{_CHART}.{panel}.{'lines' if as_lines else 'map'}"

    def take(mark: list[Any]) -> None:
        if mark and is_place(mark[0], view.question.runs):
            state.pick(mark[0])

    draw = sweep_lines if as_lines else sweep_map
    show_chart(
        draw(view, panel, state.picked()), key, f"Chart: {view.figure.title} of each run", take
    )


def show_picked(asked: AskedSweep, so_far: SweepSoFar, *, can_click: bool) -> None:
    """The figures of one run, and the way to its system."""
    run, question = state.picked(), asked.question
    if run is None or run >= question.runs:
        if can_click:
            st.caption("Click a run to see its figures and to open its system.")
        return
    st.subheader("One run", anchor=False)
    with st.container(key="sweep-run"):
        st.text(said_of(question, run))
    row = so_far.rows.get(run)
    if row is not None and row[-1]:
        st.warning("This run is impossible, or not all of it is possible:", icon=":material/block:")
        st.text(str(row[-1]))
    possible = row is not None and row[1 + len(question.axes)] is not None
    if st.button(
        "Open this system on Trade-offs",
        icon=":material/show_chart:",
        disabled=not possible,
        help="The system of this run becomes the one that every page works on. Undo on Import "
        "brings the present one back.",
    ):
        open_run(asked, run)
        st.switch_page("screens/trade_offs/page.py")
    figures = figures_of(question)
    frame = pd.DataFrame(
        {
            "Figure": [one.title.capitalize() for one in figures],
            "Value": [figure_said(question, so_far.rows, run, one) for one in figures],
        }
    )
    show_frame(frame, "The proven figures of the run")


def open_run(asked: AskedSweep, run: int) -> None:
    """Makes the system of a run the one in force."""
    before, found = asked.workspace, asked.question.changed(run)
    version = before.version
    system = version.system.with_counts(found.task_counts, found.machine_counts)
    if system != version.system:
        version = replace(version, system=system, edited=True, draft=None, problems=())
    if version.system != session.workspace().version.system:
        session.apply(choose, version)
    session.set_idle(asked.question.without_work(run, before.idle))
    state.open_system(session.system())


def show_failed(question: SweepQuestion, so_far: SweepSoFar) -> None:
    if so_far.failed:
        st.error(
            f"{counted(len(so_far.failed), 'run')} failed three times. Press “Go on” to try again:",
            icon=":material/error:",
        )
        st.html(
            markup.items(
                f"{said_of(question, one.input)}: {one.why}"
                for one in so_far.failed[:_FAILED_SHOWN]
            )
        )


def show_export(
    asked: AskedSweep | None, job: Job[SweepSoFar] | None, question: SweepQuestion | None
) -> None:
    so_far = None if job is None else job.latest
    if asked is not None and so_far is not None:
        show_sweep_downloads(asked.question, so_far.rows, asked.workspace)
    elif question is not None:
        show_sweep_downloads(question, {}, session.workspace())
    else:
        st.caption("Choose what varies, and press Run.")


_FIELDS: Final = {"low": "From", "high": "To", "step": "Step"}


def show_axes(axes: tuple[PlannedAxis, ...], system: System) -> None:
    """A row for each axis: what varies, from where to where, and in which steps."""
    for place, axis in enumerate(axes):
        with st.container(border=True, key=f"sweep-axis-{place}"):
            _show_axis(place, axis, axes, system)
    free = [name for name in quantities_of(system) if name not in {axis.name for axis in axes}]
    show_button(
        "Add an axis",
        _add,
        free[:1],
        system,
        icon="add",
        type="tertiary",
        disabled=len(axes) >= MOST_AXES or not free,
        help=f"At most {MOST_AXES} quantities, of which three may have several values",
    )


def _key(field: str, place: int) -> str:
    return f"sweeps.{field}.{place}.{state.revision()}"


def _show_axis(
    place: int, axis: PlannedAxis, axes: tuple[PlannedAxis, ...], system: System
) -> None:
    others = {one.name for one in axes} - {axis.name}
    names = [name for name in quantities_of(system) if name not in others]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.session_state[_key("name", place)] = axis.name
        st.selectbox(
            "What varies",
            names,
            key=_key("name", place),
            format_func=title_of,
            on_change=_take_name,
            args=(place, system),
            width="stretch",
        )
        show_button(
            "Remove",
            _remove,
            place,
            system,
            icon="delete",
            key=_key("remove", place),
            type="tertiary",
        )
    whole = kind_of(axis.name).whole
    with st.container(horizontal=True, gap="small"):
        for field, said in _FIELDS.items():
            key, value = _key(field, place), getattr(axis, field)
            st.session_state[key] = int(value) if whole else float(value)
            low, high = axis.allowed.low, axis.allowed.high
            st.number_input(
                said,
                min_value=int(low) if whole else float(low),
                max_value=int(high) if whole else float(high),
                step=1 if whole else None,
                format="%d" if whole else "%.6g",
                key=key,
                on_change=_take_number,
                args=(place, field, system),
                width=120,
            )


@callback
def _take_name(place: int, system: System) -> None:
    axes = state.planned(system)
    if place < len(axes):
        chosen = usual_range(st.session_state[_key("name", place)], system)
        state.plan((*axes[:place], chosen, *axes[place + 1 :]), anew=True)


@callback
def _take_number(place: int, field: str, system: System) -> None:
    axes = state.planned(system)
    if place < len(axes):
        typed: dict[str, Any] = {field: float(st.session_state[_key(field, place)])}
        changed = replace(axes[place], **typed)
        state.plan((*axes[:place], changed, *axes[place + 1 :]), anew=False)


def _remove(place: int, system: System) -> None:
    axes = state.planned(system)
    state.plan((*axes[:place], *axes[place + 1 :]), anew=True)


def _add(free: list[str], system: System) -> None:
    if free:
        state.plan((*state.planned(system), usual_range(free[0], system)), anew=True)
