"""Plan against actual: where the forecast was wrong, and what it costs not to know."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from core.capabilities.centre.answer import CentreAnswer, caps_of
from core.capabilities.centre.bound import DayBound
from core.capabilities.centre.files.centre_file import CentreFile, CurvesOf
from core.capabilities.centre.method_plan import MethodPlan
from core.capabilities.centre.not_knowing import LivedDay, NotKnowing, unknown_in
from core.capabilities.centre.settings import DaySettings
from core.capabilities.centre.told import NOT_KNOWING
from core.engines.compute.task import Task
from core.shells.told.told import Told
from core.vocabulary.budget import Cancelled, never
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.frame.watch import show_end
from dashboard.parts.told import show_table
from dashboard.screens.centre.actual_chart import actual_figure
from dashboard.screens.centre.planning import PAGE, asked_of, curves_of
from dashboard.screens.centre.state import CentreDesk, CentreLook
from dashboard.server.background import Job
from dashboard.workspace import asking

_PRICE: Final = "not knowing"
_REST: Final = 0.5
"""Seconds until it begins: who changes one setting after the other waits for none."""


def price_found(
    file: CentreFile,
    asked: DaySettings,
    curves: CurvesOf,
    ours: MethodPlan,
    bound: DayBound,
    report: Callable[[str], None],
    should_stop: Callable[[], bool] = never,
) -> NotKnowing:
    """What it costs not to know, where `ours` came of a day; what is tried is reported."""
    caps = caps_of(asked, file.day())
    unknown = unknown_in(file, asked, caps, curves)
    return LivedDay(file, asked, caps, bound, unknown, should_stop).not_knowing(ours, report)


def ask_price(desk: CentreDesk, look: CentreLook, answer: CentreAnswer) -> Job[NotKnowing] | None:
    """The job that finds what it costs not to know; None if all is known, or there is no plan."""
    asked, curves = asked_of(desk.file, desk.inputs.asked, look), curves_of(look)
    unknown = unknown_in(desk.file, asked, answer.caps, curves)
    if not unknown or answer.ours.method != "plan" or answer.ours.found is None:
        return None
    given = desk.file, asked, curves, answer.ours, answer.bound

    def work(job: Job[NotKnowing]) -> None:
        job.begin("Trying what it costs not to know")
        if not job.rest(_REST):
            raise Cancelled
        with job.turn() as turn:
            task = Task(price_found, given, reports=True)
            job.show(turn.compute(task, report=lambda what: job.begin(f"Trying {what}")))

    key = desk.name, desk.inputs, look.forecast
    return asking.jobs(PAGE).ask(_PRICE, key, work)


def show_against_actual(
    answer: CentreAnswer, look: CentreLook, job: Job[NotKnowing] | None, said: Told
) -> None:
    """Where the forecast was wrong, and what is known so far of what that cost."""
    if job is None and not (look.forecast or answer.asked.unannounced):
        st.caption("Plan on the forecast, and this says where it was wrong and what that cost.")
        return
    if job is not None:
        show_end(job, "This was stopped.", _again, "Go on with this")
    figure = actual_figure(answer)
    if figure is not None:
        show_chart(
            figure,
            "centre-actual",
            "Line charts with one time axis: each curve as it was forecast and as it came, and "
            "what it cost not to know.",
        )
    for table in said.tables:
        if table.title == NOT_KNOWING:
            st.subheader(table.title, anchor=False)
            show_table(table)
    if not unknown_in(answer.file, answer.asked, answer.caps, curves_of(look)):
        st.caption("What was forecast makes no difference to what is asked.")
    elif job is None or job.running:
        st.caption("What it costs not to know is found when the plan is.")


def _again() -> None:
    asking.jobs(PAGE).drop(_PRICE)
