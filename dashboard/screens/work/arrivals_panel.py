"""When the tasks of the study come, and the tables in which a person says it."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal

import numpy as np
import pandas as pd
import streamlit as st

from core.capabilities.arrivals.files.hours_file import hours_csv
from core.capabilities.arrivals.made.patterns import (
    ArrivalPattern,
    constant,
    hourly,
    sinusoidal,
    work_hours,
)
from core.vocabulary.arrays import FloatArray
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.calendar import HOURS_OF_DAY, WEEKDAYS
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import DAY, Sense, amount, difference, duration, share
from core.vocabulary.setting import NumberIn, OneOf, setting
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.desk import EditedCells, edited_rows
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look, show_widget
from dashboard.parts.replays.rates import rates_of
from dashboard.parts.tables.editor import show_grid
from dashboard.parts.taking.take_away import download
from dashboard.screens.work.arrivals_chart import arrivals_figure
from dashboard.server.guard import callback
from dashboard.workspace import edits, session
from dashboard.workspace.workspace import Workspace, say_beside

DayShape = Literal["even", "noon", "work", "night"]
SHAPES: Final[dict[DayShape, str]] = {
    "even": "All hours alike",
    "noon": "Most at noon",
    "work": "Twice as many from 9 to 18",
    "night": "Twice as many from 21 to 6",
}
PERIODS: Final = {"hours": "Hours of the day", "days": "Days of the week"}
CELL: Final = Range(0.0, 1e6, "tasks")
MOST_TYPES: Final = 100
_AREA: Final = "work.arrivals"
_PIXELS: Final = 380
_WHEN: Final = "when"


@dataclass(frozen=True, slots=True)
class ShapeFields:
    """How to fill in the whole table."""

    shape: DayShape = setting("even", OneOf(SHAPES, SHAPES.__getitem__), "Shape of the day")
    tasks: float = setting(
        1_000.0, NumberIn(Range(1.0, CELL.high, "tasks a day")), "Tasks a day in all"
    )


def arrivals_now(now: Workspace) -> HourlyArrivals:
    """When the task types of the system come: as the log or a person says, or else mixed as they
    are, at all hours alike.
    """
    known, names = now.version.seen.arrivals, now.system.task_names
    if known is not None:
        return known.named(names)
    return HourlyArrivals(names, rates_of(now.system, None), 0.0)


def show_arrivals() -> None:
    now = session.workspace()
    arrivals = arrivals_now(now)
    st.subheader("When tasks come", anchor=False)
    st.markdown(f"**{arrivals_said(arrivals)}** {source_said(now)}")
    left, right = st.columns([3, 2], gap="large")
    with left:
        show_chart(
            arrivals_figure(arrivals, now.system),
            "work_arrivals",
            alt="Bar chart: tasks of each type that come in each hour of the week, or of the day. "
            f"{arrivals_said(arrivals)}",
        )
    with right:
        _show_editor(arrivals)


def arrivals_said(arrivals: HourlyArrivals) -> str:
    """How many tasks come, and when most of them do."""
    hours, days = arrivals.rates.sum(axis=1), arrivals.by_day.sum(axis=1)
    said = f"{amount(float(hours.sum()), Sense.PLAIN)} tasks a day"
    if difference(float(hours.max()), float(hours.min())):
        busiest = int(hours.argmax())
        most = amount(float(hours.max()), Sense.PLAIN)
        said += f", most from {busiest}:00 to {busiest + 1}:00 ({most} an hour)"
    if arrivals.week is not None and difference(float(days.max()), float(days.min())):
        full, empty = WEEKDAYS[int(days.argmax())], WEEKDAYS[int(days.argmin())]
        less = share(1 - float(days.min() / days.max()), Sense.HEADLINE)
        said += f"; on {empty} {less} less than on {full}"
    return f"{said}."


def source_said(now: Workspace) -> str:
    """Where the numbers are from, and what follows from them."""
    known, follow = now.version.seen.arrivals, "Policies, Fair shares, Late and What to buy follow."
    if known is None:
        return f"Nobody has said when they come: a mix as of the tasks is assumed. {follow}"
    if not known.days:
        return f"As typed. {follow}"
    days = duration(known.days * DAY, Sense.PLAIN)
    return f"From the log, means over {days}; what you type stands in their place. {follow}"


def _show_editor(arrivals: HourlyArrivals) -> None:
    if len(arrivals.names) > MOST_TYPES:
        st.info(
            f"The system has more than {MOST_TYPES} task types, too many to edit here. Use "
            "wattfront generate-workload system SYSTEM --by-hour FILE.",
            icon=":material/table:",
        )
        return
    period = show_look("Table of arrivals", PERIODS, f"{_AREA}.period", PERIODS.__getitem__)
    key = f"{_AREA}.{period} {session.turn()}"
    given = edits.begun_with(key, f"wattfront.{_AREA}", arrivals)
    column = st.column_config
    columns: dict[str, Any] = {_WHEN: column.TextColumn("", disabled=True, pinned=True, width=70)}
    for kind, name in enumerate(arrivals.names):
        columns[type_column(kind)] = column.NumberColumn(
            name or "(no name)", min_value=CELL.low, max_value=CELL.high, format="%.4g"
        )
    what = "an hour" if period == "hours" else "a day"

    @callback
    def take() -> None:
        session.put(_with(session.workspace(), edited(given, period, edited_rows(key))))

    show_grid(
        arrivals_frame(given, period),
        key,
        take=take,
        columns=columns,
        height=_PIXELS if period == "hours" else "content",
        alt=f"Table to edit: tasks of each type {what}",
    )
    with st.expander("Fill in, or take away"):
        _show_fill(arrivals)


def _show_fill(arrivals: HourlyArrivals) -> None:
    shape = show_widget(ShapeFields(), "shape", key=f"{_AREA}.shape", persist_state="session")
    usual = ShapeFields(tasks=min(max(float(arrivals.rates.sum()), 1.0), CELL.high))
    tasks = show_widget(usual, "tasks", key=f"{_AREA}.tasks {session.turn()}")
    with st.container(horizontal=True):
        show_button(
            "Fill in",
            _fill,
            shape,
            tasks,
            icon="format_color_fill",
            help="Gives the day this shape and so many tasks. The mix of the types stays.",
        )
        csv = partial(hours_csv, arrivals.names, arrivals.rates)
        download("Arrivals (CSV)", csv, "wattfront-hours.csv", width="content")


def type_column(kind: int) -> str:
    """The column of a task type. Names may occur twice."""
    return f"t{kind}"


def arrivals_frame(arrivals: HourlyArrivals, period: str) -> pd.DataFrame:
    """A row for each hour of the day, or each day of the week, and a column for each type."""
    hours = [f"{hour:02}–{hour + 1:02}" for hour in range(HOURS_OF_DAY)]
    rows, numbers = (hours, arrivals.rates) if period == "hours" else ([*WEEKDAYS], arrivals.by_day)
    columns = {type_column(kind): column for kind, column in enumerate(numbers.T)}
    return pd.DataFrame({_WHEN: rows, **columns})


def edited(given: HourlyArrivals, period: str, cells: EditedCells) -> HourlyArrivals:
    """The arrivals after edits of the table that was given; blank is 0."""
    by_hour = period == "hours"
    numbers = (given.rates if by_hour else given.by_day).copy()
    for row, changed in cells.items():
        for name, value in changed.items():
            numbers[row, int(name.removeprefix("t"))] = value or 0.0
    return given.with_rates(numbers) if by_hour else given.with_days(numbers)


def _fill(shape: DayShape, tasks: float) -> None:
    now = session.workspace()
    session.apply(_with, shaped(arrivals_now(now), shape, tasks))


def _with(now: Workspace, arrivals: HourlyArrivals) -> Workspace:
    return say_beside(now, replace(now.version.seen, arrivals=arrivals))


def shaped(arrivals: HourlyArrivals, shape: DayShape, tasks: float) -> HourlyArrivals:
    """The same mix of types in another shape of the day, with so many tasks a day in all."""
    mix = arrivals.rates.sum(axis=0)
    if not mix.any():
        mix = np.ones(len(mix))
    return arrivals.with_rates(tasks * np.outer(_shares(shape), mix / mix.sum()))


def _shares(shape: DayShape) -> FloatArray:
    """The share of each hour in the tasks of a day."""
    patterns: dict[DayShape, ArrivalPattern] = {
        "even": constant(),
        "noon": sinusoidal(0.5),
        "work": work_hours(),
        "night": hourly(np.roll(work_hours().rates, HOURS_OF_DAY // 2).tolist()),
    }
    pattern = patterns[shape]
    rates = np.repeat(pattern.rates, max(HOURS_OF_DAY // len(pattern.rates), 1))
    return np.asarray(rates.reshape(HOURS_OF_DAY, -1).mean(axis=1) / HOURS_OF_DAY)
