"""The panel of the front: what other lateness and excess would cost, and the plans to take."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import streamlit as st

from core.capabilities.centre.answer import CentreAnswer, caps_of
from core.capabilities.centre.bound import DaySearch
from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.front import DaySlice, front_slices, sliced_aim
from core.capabilities.centre.objectives import DayAim
from core.capabilities.centre.settings import DaySettings
from core.engines.compute.task import Task
from core.vocabulary.budget import Cancelled, never
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.frame.watch import show_end
from dashboard.screens.centre import state
from dashboard.screens.centre.front_chart import front_figure
from dashboard.screens.centre.planning import PAGE
from dashboard.screens.centre.state import CentreDesk
from dashboard.server.background import Job
from dashboard.workspace import asking

_FRONT: Final = "front"
_REST: Final = 0.5
"""Seconds until the front begins: who changes one setting after the other waits for none."""
DaySlices = tuple[DaySlice, ...]


def slices_found(
    file: CentreFile,
    asked: DaySettings,
    report: Callable[[DaySlice], None],
    should_stop: Callable[[], bool] = never,
) -> DaySlices:
    """All slices of the front under the other caps, of the day that came; each is reported when it
    is there.
    """
    day, found = file.day(), []
    for one in front_slices(DaySearch(day), asked, caps_of(asked, day), should_stop):
        report(one)
        found.append(one)
    return tuple(found)


def ask_front(desk: CentreDesk) -> Job[DaySlices]:
    """The job that finds the slices, which are the same whatever lateness and excess is asked."""
    aim = sliced_aim(desk.inputs.asked)
    asked = replace(desk.inputs.asked, minimise=aim, most_late=None, most_excess=None, seconds=0.0)
    key = desk.name, desk.file.fingerprint, asked
    return asking.jobs(PAGE).ask(_FRONT, key, _finding(desk.file, asked))


def _finding(file: CentreFile, asked: DaySettings) -> Callable[[Job[DaySlices]], None]:
    def work(job: Job[DaySlices]) -> None:
        job.begin("Trying other lateness and excess")
        if not job.rest(_REST):
            raise Cancelled
        found: list[DaySlice] = []

        def report(one: DaySlice) -> None:
            found.append(one)
            job.show(tuple(found))

        with job.turn() as turn:
            task = Task(slices_found, (file, asked), reports=True)
            job.show(turn.compute(task, report=report))

    return work


def show_front(answer: CentreAnswer, aim: DayAim, job: Job[DaySlices]) -> None:
    """The chart of what is known so far."""
    show_end(job, "This was stopped.", _again, "Go on trying", "Nothing more is known:")
    slices = job.latest
    if not slices:
        st.caption("Other lateness and excess are being tried.")
        return

    def take(mark: list[Any]) -> None:
        places = [(one.late, point.excess) for one in slices for point in one.points]
        if mark and mark[0] in range(len(places)):
            late, excess = places[int(mark[0])]
            state.ask_for(most_late=late, most_excess=excess)

    show_chart(
        front_figure(answer, slices, aim),
        "centre-front",
        "Line chart: what no plan is below, over the excess, for several lateness; and plans.",
        take,
    )
    st.caption(
        "No plan is below its line, proven. A click on a plan asks for no more lateness and excess."
    )


def _again() -> None:
    asking.jobs(PAGE).drop(_FRONT)
