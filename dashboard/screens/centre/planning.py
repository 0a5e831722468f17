"""What is computed for the page Centre: at once a first plan, and then a better one and rivals."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from core.capabilities.centre.answer import CentreAnswer, answered
from core.capabilities.centre.files.centre_file import CentreFile, CurvesOf
from core.capabilities.centre.settings import DayMethod, DaySettings
from core.engines.compute.task import Task
from dashboard.screens.centre.state import CentreLook
from dashboard.server.background import Job

PAGE: Final = "centre"


def curves_of(look: CentreLook) -> CurvesOf:
    """The curves for which plans are made."""
    return "forecast" if look.forecast else "came"


def planning(
    file: CentreFile, asked: DaySettings, look: CentreLook
) -> Callable[[Job[CentreAnswer]], None]:
    """The work of a job that shows a first plan, and then what a search and other methods find."""
    curves = curves_of(look)
    methods: tuple[DayMethod, ...] = ("plan", *look.methods)
    evolved = sum(one in ("nsga2", "ev-moga") for one in methods)

    def work(job: Job[CentreAnswer]) -> None:
        job.begin("Looking for a first plan")
        first = replace(asked, seconds=0.0)
        found = job.compute(Task(answered, (file, first, ("plan",), curves), {"with_worth": False}))
        job.show(replace(found, asked=asked))
        with job.turn() as turn:
            job.begin("Looking for better plans", asked.seconds * (1 + evolved) + 1.0)
            job.show(turn.compute(Task(answered, (file, asked, methods, curves))))

    return work
