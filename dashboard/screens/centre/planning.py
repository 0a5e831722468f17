"""What is computed for the page Centre: at once a first plan, and then a better one and rivals."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import streamlit as st

from core.capabilities.centre.answer import CentreAnswer, answered
from core.capabilities.centre.files.centre_file import CentreFile, CurvesOf
from core.capabilities.centre.settings import DayMethod, DaySettings
from core.engines.compute.task import Task, packed
from dashboard.screens.centre.state import CentreLook
from dashboard.server.background import Job
from dashboard.server.recent import Recent

PAGE: Final = "centre"
_PLAN: Final = 0.4
"""About the seconds of each plan that is made anew."""
BYTES_KEPT: Final = 40_000_000
KeptAnswers = Recent[tuple[str, DaySettings, tuple[DayMethod, ...], CurvesOf], CentreAnswer]
"""Answers by the centre, what is asked, methods and curves."""


@st.cache_resource(show_spinner=False)
def kept_answers() -> KeptAnswers:
    return Recent(BYTES_KEPT, lambda answer: len(packed(answer)))


def asked_of(file: CentreFile, asked: DaySettings, look: CentreLook) -> DaySettings:
    """What is asked: only what is planned on a forecast is planned anew by the clock."""
    return asked if look.forecast and file.has_forecast else replace(asked, replan=0.0)


def curves_of(look: CentreLook) -> CurvesOf:
    """The curves for which plans are made."""
    return "forecast" if look.forecast else "came"


def planning(
    file: CentreFile, asked: DaySettings, look: CentreLook, kept: KeptAnswers
) -> Callable[[Job[CentreAnswer]], None]:
    """The work of a job that shows a first plan, and then what a search and other methods find.
    What is `kept` is shown at once; a bound is computed once, whatever is searched for.
    """
    curves, asked = curves_of(look), asked_of(file, asked, look)
    quick = {"without": ("worth", "price")}
    again = _PLAN * file.grid.seconds / asked.replan if asked.replan else 0.0
    methods: tuple[DayMethod, ...] = ("plan", *look.methods)
    evolved = sum(one in ("nsga2", "ev-moga") for one in methods)
    first = replace(asked, seconds=0.0, replan=0.0)

    def work(job: Job[CentreAnswer]) -> None:
        key = file.fingerprint, asked, methods, curves
        if (found := kept.get(key)) is not None:
            job.show(found)
            return
        job.begin("Looking for a first plan")
        quickly = file.fingerprint, first, (), curves
        if (found := kept.get(quickly)) is None:
            found = job.compute(Task(answered, (file, first, ("plan",), curves), quick))
            kept.put(quickly, found)
        job.show(replace(found, asked=asked))
        with job.turn() as turn:
            seconds = asked.seconds * (1 + evolved + (again > 0)) + again
            job.begin("Looking for better plans", seconds + 1.0)
            more = {"without": ("price",), "bound": found.bound}
            found = turn.compute(Task(answered, (file, asked, methods, curves), more))
            kept.put(key, found)
            job.show(found)

    return work
