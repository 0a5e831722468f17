"""Which machine runs what, and when: the overview of a schedule, one machine type, one machine."""

from functools import partial
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core import System
from core.vocabulary.say.colours import leading_task_types
from core.vocabulary.say.phrases import SIGN
from core.vocabulary.say.without_work import rest_word
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.gantt import gantt, overview
from dashboard.parts.charts.palette import swatch
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.charts.timeline import Occupancy, Timeline, occupancy, timeline
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_choice
from dashboard.parts.machines.scope import (
    LONGEST,
    NotFound,
    Scope,
    block_table,
    blocks_of,
    by_type_at_first,
    clicked,
    find,
    take_scope,
    types_of,
    written_scope,
)
from dashboard.parts.machines.scope import (
    PARAMETERS as SCOPE_PARAMETERS,
)
from dashboard.parts.told import show_frame
from dashboard.server.caching import BY_CONTENT
from dashboard.server.guard import callback
from dashboard.workspace import session

ALL: Final = -1
TYPES: Final = "Machine types"
MACHINES: Final = "Machines"
BY_FINISH: Final = "schedule.by_finish"
SEARCH: Final = "schedule.search"
_NOT_FOUND: Final = "schedule.search.not_found"
_COLOUR: Final = "Colour"


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def rows_of(schedule: Schedule, scope: Scope) -> Timeline:
    """The rows of the Gantt chart and of the charts beside it."""
    return timeline(
        schedule,
        scope.machine_type,
        machine=scope.machine,
        only=scope.task_types,
        by_finish=scope.by_finish,
        page=scope.page,
    )


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def machines_picture(schedule: Schedule, scope: Scope, bound: float) -> go.Figure:
    return gantt(schedule, rows_of(schedule, scope), bound)


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def occupied(schedule: Schedule, scope: Scope) -> Occupancy:
    tasks = leading_task_types(schedule.system)
    return occupancy(schedule, tasks, only=scope.task_types, by_finish=scope.by_finish)


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def types_picture(schedule: Schedule, scope: Scope) -> go.Figure:
    tasks = leading_task_types(schedule.system)
    return overview(schedule, occupied(schedule, scope), tasks)


def choose_scope(schedule: Schedule) -> Scope:
    """The part of the schedule that the charts show: at first from the address, later from a
    search, the widgets or a click in the chart. The address follows.
    """
    system = schedule.system
    _begin(system)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Find a machine",
            key=SEARCH,
            placeholder=f"for example {example(system)}",
            max_chars=LONGEST,
            on_change=callback(_search),
            args=(system,),
            help="The name of a machine type. You can add the number of a machine.",
            width=180,
        )
        kind = st.selectbox(
            "Machine type",
            [ALL, *range(len(system.machine_types))],
            format_func=lambda j: "All" if j == ALL else system.machine_names[j],
            key=_key("kind", system),
            persist_state="session",
            on_change=callback(_first_page),
            args=(system,),
            width=170,
        )
        machine, rows = None, MACHINES
        if kind == ALL:
            rows = _choose_rows(system)
        else:
            machine = _choose_machine(system, kind)
        only = st.multiselect(
            "Task types",
            range(len(system.task_types)),
            format_func=system.task_names.__getitem__,
            placeholder="all",
            key=_key("tasks", system),
            persist_state="session",
            width=260,
        )
        by_finish = st.toggle(
            "Sort by finish",
            key=BY_FINISH,
            persist_state="session",
            disabled=machine is not None,
            on_change=callback(_first_page),
            args=(system,),
        )
        if kind != ALL:
            show_button("All machines", _look_at, system, ALL, None, icon="zoom_out")
    if (missing := st.session_state.get(_NOT_FOUND)) is not None:
        st.text(missing.reason)
    scope = Scope(
        by_type=kind == ALL and rows == TYPES,
        machine_type=None if kind == ALL else kind,
        machine=machine,
        task_types=tuple(only),
        by_finish=by_finish,
        page=st.session_state[_key("page", system)],
    )
    session.write_parameters(SCOPE_PARAMETERS, written_scope(scope, system))
    return scope


def show_machines(schedule: Schedule, scope: Scope, bound: float) -> None:
    """The chart, how many rows of all it shows, and for one machine a table of what it runs."""
    if scope.by_type:
        show_types_shown(schedule, occupied(schedule, scope))
        figure = types_picture(schedule, scope)
        alt = "Overview: the task types that the machines of each type run, over time"
    else:
        show_rows_shown(schedule.system, rows_of(schedule, scope))
        figure = machines_picture(schedule, scope, bound)
        alt = "Gantt chart: the tasks of each machine"
    chart = f"schedule.chart {scope.by_type} {scope.machine_type} {scope.machine} {scope.page}"
    with st.container(key="schedule_chart"):
        show_chart(figure, chart, alt, partial(_zoom, schedule.system))
    if scope.machine is not None and scope.machine_type is not None:
        show_blocks(schedule, scope.machine_type, scope.machine)
    elif scope.by_type:
        st.caption(
            "The full height of a row stands for all machines of its type. Blank means "
            f"{rest_word(schedule.system)}. Click a row to see its machines."
        )
    else:
        st.caption(
            "Each row names its machines by their numbers. Click a block to see its machine alone."
        )


def show_rows_shown(system: System, shown: Timeline) -> None:
    """Which rows are shown, and buttons to the others."""
    if shown.pages == 1:
        return
    last = shown.before + len(shown.rows)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="rows_shown"):
        st.markdown(
            f"**Rows {shown.before + 1:,} to {last:,} of {shown.total:,}**", width="content"
        )
        for label, icon, page, there in (
            ("Previous rows", "chevron_left", shown.page - 1, shown.page > 0),
            ("Next rows", "chevron_right", shown.page + 1, shown.page + 1 < shown.pages),
        ):
            show_button(label, _turn_to, system, page, icon=icon, disabled=not there)
        st.caption("Each row stands for machines that run the same tasks.", width="content")


def show_types_shown(schedule: Schedule, shown: Occupancy) -> None:
    there = int((schedule.system.machine_counts > 0).sum())
    if len(shown.machine_types) < there:
        st.markdown(
            f"**{len(shown.machine_types)} of {there:,} machine types**: those that finish last. "
            "Search above to see another type."
        )


def show_blocks(schedule: Schedule, machine_type: int, machine: int) -> None:
    """A table of what a machine runs, with the colour of each task type."""
    table = block_table(schedule, machine_type, machine)
    ranks = leading_task_types(schedule.system)
    tasks = schedule.blocks().task_type[blocks_of(schedule, machine_type, machine)]
    dark = st.context.theme.type == "dark"
    colours = pd.Series([swatch(ranks, task, dark=dark) for task in tasks.tolist()], dtype=str)
    table.insert(0, _COLOUR, colours)
    swatches = {_COLOUR: st.column_config.ImageColumn("", width=40)}
    show_frame(table, "What this machine runs, in order", column_config=swatches)
    if schedule.system.estimated is not None:
        st.caption(f"{SIGN} marks an estimate.")


def example(system: System) -> str:
    """A machine to search for, as an example."""
    kind = next(kind for kind in system.machine_types if kind.count)
    return f"{kind.name} #{kind.count}"


def _begin(system: System) -> None:
    """Sets the widgets from the address, once for each set of types."""
    if _key("page", system) in st.session_state:
        return
    scope = take_scope(session.system()) or Scope(by_type_at_first(system))
    state = st.session_state
    state[_key("page", system)] = scope.page
    state[_key("kind", system)] = ALL if scope.machine_type is None else scope.machine_type
    if scope.machine_type is not None:
        state[_number_key(system, scope.machine_type)] = scope.machine
    state[_key("rows", system)] = TYPES if scope.by_type else MACHINES
    state[_key("tasks", system)] = list(scope.task_types)
    state.setdefault(BY_FINISH, scope.by_finish)


def _choose_rows(system: System) -> str:
    return show_choice(
        "Rows",
        [TYPES, MACHINES],
        key=_key("rows", system),
        persist_state="session",
        on_change=callback(_first_page),
        args=(system,),
    )


def _choose_machine(system: System, kind: int) -> int | None:
    """The number of one machine of a type; None for all, or if there is none."""
    there = system.machine_types[kind].count
    if not there:
        return None
    return st.number_input(
        f"Machine (1 to {there:,})",
        1,
        there,
        value=None,
        placeholder="all",
        key=_number_key(system, kind),
        persist_state="session",
        width=170,
    )


def _key(what: str, system: System) -> str:
    """The key of a widget. It depends on the names of the types only, so that the choice stays when
    times or powers change.
    """
    return f"schedule.{what} {types_of(system)}"


def _number_key(system: System, kind: int) -> str:
    return f"{_key('machine', system)} {kind} of {system.machine_types[kind].count}"


def _search(system: System) -> None:
    """Goes to the machines that were searched for, or says why they were not found."""
    text: str = st.session_state[SEARCH]
    st.session_state[_NOT_FOUND] = None
    if not text.strip():
        return
    found = find(system, text)
    if isinstance(found, NotFound):
        st.session_state[_NOT_FOUND] = found
        return
    st.session_state[SEARCH] = ""
    _look_at(system, *found)


def _zoom(system: System, mark: list[Any]) -> None:
    """Goes to what was clicked: a machine type, or one machine of it."""
    if (found := clicked(system, mark)) is not None:
        _look_at(system, *found)


def _look_at(system: System, kind: int, machine: int | None) -> None:
    st.session_state[_key("kind", system)] = kind
    if kind != ALL:
        st.session_state[_number_key(system, kind)] = machine
    _first_page(system)


def _first_page(system: System) -> None:
    _turn_to(system, 0)


def _turn_to(system: System, page: int) -> None:
    st.session_state[_key("page", system)] = page
