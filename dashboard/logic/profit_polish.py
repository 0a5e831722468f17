"""A better schedule than the quick one, looked for while the page is already there."""

from collections.abc import Callable
from typing import Final

from core.profit.earn import Profit, earn
from core.profit.terms import Terms
from core.system import System
from dashboard.logic.background import Job

SECONDS: Final = 1.5
PAUSE_SECONDS: Final = 0.4
"""For whoever still drags a slider."""


def polishing(system: System, terms: Terms) -> Callable[[Job[Profit]], None]:
    """The work of a job that shows a polished schedule."""

    def work(job: Job[Profit]) -> None:
        job.begin("Looking for a better schedule")
        if not job.rest(PAUSE_SECONDS):
            return
        with job.turn():
            job.begin("Polishing", SECONDS)
            job.show(earn(system, terms, seconds=SECONDS, should_stop=job.should_stop))

    return work


def better(quick: Profit, polished: Profit | None) -> Profit:
    """Of two answers to the same question."""
    return polished if polished is not None and polished.value >= quick.value else quick
