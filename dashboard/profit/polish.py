"""A better schedule than the quick one, looked for while the page is already there."""

from collections.abc import Callable
from typing import Final

from core import System, Terms, earn
from core.engine.task import Task
from core.model.budget import Effort
from core.profit.earn import Phase, Profit, ProfitProgress
from core.say.money import Money
from core.say.words import Sense
from dashboard.shell.archive import ARCHIVE
from dashboard.shell.background import Job

_DOING: Final[dict[Phase, str]] = {
    "bound": "Proving the bound",
    "recover": "Making a schedule",
    "polish": "Polishing",
    "verify": "Checking",
}
SECONDS: Final = 1.5
MOST_NUMBERS: Final = 1_000_000
"""Of what is known no more is handed over, for it would take longer than it helps."""
PAUSE_SECONDS: Final = 0.4
"""For whoever still drags a slider."""


def polishing(system: System, terms: Terms, money: Money) -> Callable[[Job[Profit]], None]:
    """The work of a job that shows a polished schedule."""

    def work(job: Job[Profit]) -> None:
        job.begin("Looking for a better schedule")
        if not job.rest(PAUSE_SECONDS):
            return
        known = ARCHIVE.of(system)
        candidates = known.schedules if known.numbers <= MOST_NUMBERS else ()
        wanted = {"effort": Effort(SECONDS), "known": candidates}
        task = Task(earn, (system, terms), wanted, reports=True)
        with job.turn() as turn:
            job.show(turn.compute(task, SECONDS, _telling(job, money)))

    return work


def _telling(job: Job[Profit], money: Money) -> Callable[[ProfitProgress], None]:
    """Lets a job say what is being done, and what is earned so far."""

    def tell(progress: ProfitProgress) -> None:
        if progress.phase != "polish":
            job.begin(_DOING[progress.phase])
        elif progress.profit is not None:
            earns = money.say_rate(progress.profit, Sense.EARNED)
            job.begin(f"Polishing: {earns} so far", progress.allowed, progress.spent)

    return tell


def better(quick: Profit, polished: Profit | None) -> Profit:
    """Of two answers to the same question."""
    return polished if polished is not None and polished.value >= quick.value else quick
