"""Who runs what, and when: the overview of a schedule, and the way to one type and one machine."""

from functools import partial
from typing import Any, Final

import plotly.graph_objects as go
import streamlit as st

from core.schedule import Schedule
from core.system import System
from dashboard import guard
from dashboard.caching import BY_CONTENT
from dashboard.charts.gantt import gantt
from dashboard.charts.schedule_overview import overview
from dashboard.charts.tools import TOOLS
from dashboard.logic.schedule_bins import occupancy
from dashboard.logic.schedule_leaders import leading_task_types
from dashboard.logic.schedule_scope import Scope, block_table, clicked, usual_rows
from dashboard.logic.timeline import timeline

ALL: Final = -1
TYPES: Final = "Machine types"
MACHINES: Final = "Machines"


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def picture(schedule: Schedule, scope: Scope, bound: float) -> go.Figure:
    if scope.by_type:
        tasks = leading_task_types(schedule.system)
        shown = occupancy(schedule, tasks, only=scope.task_types, by_finish=scope.by_finish)
        return overview(schedule, shown, tasks)
    lines = timeline(
        schedule,
        scope.machine_type,
        machine=scope.machine,
        only=scope.task_types,
        by_finish=scope.by_finish,
    )
    return gantt(schedule, lines, bound)


@st.fragment
def show_machines(schedule: Schedule, bound: float) -> None:
    """The Gantt chart; what is asked of it runs nothing else of the page again."""
    guard.guarded(partial(_show_machines, schedule, bound), "the machines of a schedule")


def _show_machines(schedule: Schedule, bound: float) -> None:
    st.subheader("Who runs what, and when", anchor=False)
    scope = choose_scope(schedule)
    chart = f"schedule.chart {scope.by_type} {scope.machine_type} {scope.machine}"

    @guard.callback
    def zoom() -> None:
        _zoom(schedule, chart)

    with st.container(key="schedule_chart"):
        st.plotly_chart(
            picture(schedule, scope, bound),
            key=chart,
            config=TOOLS,
            alt="Overview: which task types the machines of each type run when"
            if scope.by_type
            else "Gantt chart: the tasks of each machine",
            on_select=zoom,
            selection_mode="points",
        )
    if scope.machine is not None and scope.machine_type is not None:
        st.dataframe(
            block_table(schedule, scope.machine_type, scope.machine),
            hide_index=True,
            height="content",
            alt="What this machine runs, in order",
        )
    elif scope.by_type:
        st.caption(
            "The height of a row is all machines of its type; blank is idle. Click a row for its "
            "machines."
        )
    else:
        st.caption("A row's numbers say which machines it is. Click a block for its machine alone.")


def choose_scope(schedule: Schedule) -> Scope:
    """What the chart is to show, as chosen here or by a click in it."""
    system = schedule.system
    kind_key, _ = _keys(system)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = st.selectbox(
            "Machine type",
            [ALL, *range(len(system.machine_types))],
            format_func=lambda j: "All" if j == ALL else system.machine_names[j],
            key=kind_key,
            persist_state="session",
            width=170,
        )
        machine, rows = None, MACHINES
        if kind == ALL:
            rows = _choose_rows(schedule)
        else:
            machine = _choose_machine(system, kind)
        only = st.multiselect(
            "Task types",
            range(len(system.task_types)),
            format_func=system.task_names.__getitem__,
            placeholder="all",
            key=f"schedule.tasks {system.fingerprint}",
            persist_state="session",
            width=260,
        )
        by_finish = st.toggle(
            "Last to finish first",
            key="schedule.by_finish",
            persist_state="session",
            disabled=machine is not None,
        )
        if kind != ALL:
            st.button(
                "All machines",
                icon=":material/zoom_out:",
                on_click=guard.callback(_look_at),
                args=(system, ALL, None),
            )
    return Scope(
        by_type=kind == ALL and rows == TYPES,
        machine_type=None if kind == ALL else kind,
        machine=machine,
        task_types=tuple(only),
        by_finish=by_finish,
    )


def _choose_rows(schedule: Schedule) -> str:
    return st.segmented_control(
        "Rows",
        [TYPES, MACHINES],
        default=TYPES if usual_rows(schedule) == "types" else MACHINES,
        required=True,
        key=f"schedule.rows {schedule.system.fingerprint}",
        persist_state="session",
    )


def _choose_machine(system: System, kind: int) -> int | None:
    """The number of one machine of a type; None for all, or where there is none."""
    there = system.machine_types[kind].count
    if not there:
        return None
    _, number_key = _keys(system)
    return st.number_input(
        f"Machine (1 to {there:,})",
        1,
        there,
        value=None,
        placeholder="all",
        key=f"{number_key} {kind}",
        persist_state="session",
        width=170,
    )


def _keys(system: System) -> tuple[str, str]:
    return f"schedule.kind {system.fingerprint}", f"schedule.machine {system.fingerprint}"


def _zoom(schedule: Schedule, chart: str) -> None:
    """Looks at what was clicked: a machine type, or one machine of it."""
    found = clicked(_points(st.session_state[chart]))
    if found is not None:
        _look_at(schedule.system, *found)


def _points(event: Any) -> list[dict[str, Any]]:
    points: list[dict[str, Any]] = event["selection"]["points"]
    return points


def _look_at(system: System, kind: int, machine: int | None) -> None:
    kind_key, number_key = _keys(system)
    st.session_state[kind_key] = kind
    if kind != ALL:
        st.session_state[f"{number_key} {kind}"] = machine
