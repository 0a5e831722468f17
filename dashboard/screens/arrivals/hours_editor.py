"""The editor of arrival patterns: a table of hours and task types, which becomes a workload."""

from functools import partial
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from core.capabilities.arrivals.asked import GivenWorkload
from core.capabilities.arrivals.files.hours_file import hours_csv
from core.capabilities.arrivals.made.patterns import HOURS
from core.capabilities.arrivals.made.system_work import HourlyWork
from core.vocabulary.say.words import Sense, amount, typed
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import OTHERS, distinct
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.charts.text import label
from dashboard.parts.fields.setting import show_widget
from dashboard.parts.frame.handed import show_problems
from dashboard.parts.tables.editor import show_grid
from dashboard.parts.taking.take_away import download
from dashboard.screens.arrivals.hours_desk import (
    A_DAY,
    CELL,
    HOUR_COLUMN,
    MOST_TYPES,
    DayShape,
    HoursDesk,
    HoursFields,
    hours_frame,
    made_of_hours,
    type_column,
    work_of,
)
from dashboard.screens.arrivals.state import STATE
from dashboard.server.guard import callback
from dashboard.workspace import asking, session

_AREA: Final = "arrivals.hours"
_PIXELS: Final = 420
_OWN: Final = "arrivals.own"


def show_hours_button() -> None:
    st.button(
        "Arrival pattern",
        icon=":material/edit_calendar:",
        on_click=_open_or_close,
        help="Say how many jobs of each type of the system arrive in each hour of the day.",
    )


def show_hours() -> None:
    """The editor if it is open; what was asked of it is made first."""
    desk = _desk()
    if desk.is_wanted:
        _make(desk)
    if not desk.is_open:
        return
    with st.container(border=True, key="arrivals-hours"):
        if len(desk.names) > MOST_TYPES:
            st.info(
                f"The system has more than {MOST_TYPES} task types, too many to edit here. Use "
                "wattfront generate-workload system SYSTEM --by-hour FILE.",
                icon=":material/table:",
            )
            return
        st.caption(
            "How many jobs of each task type of the present system arrive in each hour of the day, "
            f"on average. They run on its machines. {desk.source}"
        )
        _show_shapes(desk)
        left, right = st.columns([3, 2], gap="large")
        with left:
            _show_table(desk)
        with right:
            jobs = f"{amount(desk.jobs_a_day, Sense.PLAIN)} jobs a day on average"
            busiest = int(desk.rates.sum(axis=1).argmax())
            show_chart(
                hours_figure(desk),
                "arrivals_hours",
                alt="Bar chart: jobs of each type that arrive in each hour of the day. "
                f"{jobs}, most from {busiest} to {busiest + 1}.",
            )
            st.caption(f"{jobs}.")
        _show_use(desk)
        if isinstance(desk.made, tuple):
            show_problems("This pattern gives no workload:", desk.made, ())


def take_own_work() -> None:
    """Unless another workload is chosen, it is a day of the task types of the system in force on
    its machines, as its log says or else at all hours alike. A drawn day stands in if that is none.
    """
    desk, given = _desk(), STATE.given()
    made_for, made = st.session_state.get(_OWN, ("", None))
    is_there = given is not None and (given is not made or made_for == desk.fingerprint)
    if STATE.current().workload != "own" or is_there:
        return
    if 0 < desk.jobs_a_day <= A_DAY.high:
        _draw(desk, work_of(desk, None, 1))
    if isinstance(desk.made, GivenWorkload):
        st.session_state[_OWN] = desk.fingerprint, desk.made
        STATE.give(desk.made)
    else:
        STATE.fall_back()


def _draw(desk: HoursDesk, work: HourlyWork) -> None:
    title = session.workspace().version.title
    with st.spinner("Drawing the jobs …"):
        desk.made = asking.compute(made_of_hours, session.system(), work, title)


def _show(name: str, **how: Any) -> None:
    show_widget(HoursFields(), name, key=f"{_AREA}.{name}", persist_state="session", **how)


def _show_shapes(desk: HoursDesk) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _show("shape", width=260)
        jobs = min(max(round(desk.jobs_a_day), A_DAY.low), A_DAY.high) * 1.0
        show_widget(HoursFields(jobs=jobs), "jobs", key=f"{_AREA}.jobs {desk.turn}", width=150)
        st.button(
            "Fill in",
            icon=":material/format_color_fill:",
            on_click=_fill,
            help="Gives the table this shape and so many jobs a day. The mix of the types stays.",
        )


def _show_table(desk: HoursDesk) -> None:
    column = st.column_config
    if desk.key not in st.session_state:
        desk.given = desk.rates
    columns: dict[str, Any] = {
        HOUR_COLUMN: column.TextColumn("Hour", disabled=True, pinned=True, width=70)
    }
    for kind, name in enumerate(desk.names):
        columns[type_column(kind)] = column.NumberColumn(
            name or "(no name)", min_value=CELL.low, max_value=CELL.high, format="%.6g"
        )
    show_grid(
        hours_frame(desk),
        desk.key,
        take=_take,
        columns=columns,
        height=_PIXELS,
        alt="Table to edit: jobs of each type in each hour of the day",
    )


def _show_use(desk: HoursDesk) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _show("fades", width=170)
        _show("seed", width=130)
        nothing = desk.jobs_a_day <= 0
        many = desk.jobs_a_day > A_DAY.high
        why_not = "Give at least one number above 0." if nothing else None
        why_not = f"At most {typed(A_DAY.high)} jobs a day." if many else why_not
        st.button(
            "Use this pattern",
            type="primary",
            icon=":material/check:",
            on_click=_want,
            disabled=why_not is not None,
            help=why_not,
        )
        with st.container(width=230):
            csv = partial(hours_csv, desk.names, desk.rates)
            download("Pattern (CSV)", csv, "wattfront-hours.csv")


def _make(desk: HoursDesk) -> None:
    """Draws the workload in a worker process, and takes it in force."""
    desk.is_wanted = False
    work = work_of(
        desk, st.session_state.get(f"{_AREA}.fades"), st.session_state.get(f"{_AREA}.seed", 1)
    )
    _draw(desk, work)
    if isinstance(desk.made, GivenWorkload):
        desk.is_open = False
        STATE.give(desk.made)
        st.rerun()


def _desk() -> HoursDesk:
    """The desk of the system in force; one of another system is given up."""
    system, known = session.system(), session.workspace().version.seen.arrivals
    found: HoursDesk | None = st.session_state.get(_AREA)
    if found is None or (found.fingerprint, found.known) != (system.fingerprint, known):
        is_open = found is not None and found.is_open
        found = HoursDesk.of(system, known)
        found.is_open = is_open
        st.session_state[_AREA] = found
    return found


@callback
def _open_or_close() -> None:
    desk = _desk()
    desk.is_open = not desk.is_open


@callback
def _fill() -> None:
    desk = _desk()
    shape: DayShape = st.session_state[f"{_AREA}.shape"]
    desk.fill(shape, st.session_state[f"{_AREA}.jobs {desk.turn}"])


@callback
def _take() -> None:
    desk = _desk()
    edited = st.session_state[desk.key]["edited_rows"]
    desk.change({int(row): cells for row, cells in edited.items()})


@callback
def _want() -> None:
    _desk().is_wanted = True


_HEIGHT: Final = 300
_MOST: Final = 8
"""Types with a colour of their own: those with the most jobs."""


def hours_figure(desk: HoursDesk) -> go.Figure:
    drawing = Drawing()
    a_day = desk.rates.sum(axis=0)
    largest = sorted(np.argsort(-a_day, kind="stable")[:_MOST].tolist())
    parts = [
        (label(desk.names[kind]), distinct(rank), desk.rates[:, kind])
        for rank, kind in enumerate(largest)
    ]
    if len(desk.names) > _MOST:
        others = desk.rates.sum(axis=1) - desk.rates[:, largest].sum(axis=1)
        parts.append(("other types", OTHERS, others))
    hours = np.arange(HOURS)
    for name, colour, jobs in parts:
        drawing.add_bar(
            x=hours + 0.5,
            y=jobs,
            name=name,
            marker={"color": colour},
            customdata=[
                f"{name}<br>{hour:02}–{hour + 1:02}: {amount(value, Sense.PLAIN)} jobs"
                for hour, value in zip(hours.tolist(), jobs.tolist(), strict=True)
            ],
        )
    drawing.x_axis("Hour of the day", range=[0, HOURS], dtick=3)
    drawing.y_axis("Jobs an hour", rangemode="tozero")
    rows = -(-len(parts) // 3)
    return drawing.figure(
        _HEIGHT + 20 * rows, above=16 + 20 * rows, barmode="stack", bargap=0.12, showlegend=True
    )
