"""The search for a better schedule than the first, while the page is already shown."""

from collections.abc import Callable
from typing import Final

from core import System, Terms, earn
from core.capabilities.profit.earn import Phase, Profit, ProfitProgress
from core.engines.compute.task import Task
from core.vocabulary.say.money import Money
from core.vocabulary.say.words import Sense
from dashboard.server.archive import ARCHIVE
from dashboard.server.background import Job
from dashboard.workspace.answering import SLOWER, polish_for

_DOING: Final[dict[Phase, str]] = {
    "bound": "Proving the upper bound",
    "recover": "Making a schedule",
    "polish": "Polishing",
    "verify": "Checking",
}
SECONDS: Final = 1.5
MOST_NUMBERS: Final = 1_000_000
"""With more numbers, known schedules would take too long to send to the search."""
PAUSE_SECONDS: Final = 0.4
"""A pause, while a person drags a slider."""


def polishing(system: System, terms: Terms, money: Money) -> Callable[[Job[Profit]], None]:
    """The work of a job that shows the profit of a polished schedule."""

    def work(job: Job[Profit]) -> None:
        job.begin("Searching for a better schedule")
        if not job.rest(PAUSE_SECONDS):
            return
        known = ARCHIVE.of(system)
        candidates = known.schedules if known.numbers <= MOST_NUMBERS else ()
        wanted = {"effort": polish_for(SECONDS), "known": candidates}
        task = Task(earn, (system, terms), wanted, reports=True)
        with job.turn() as turn:
            job.show(turn.compute(task, SLOWER * SECONDS, _telling(job, money)))

    return work


def _telling(job: Job[Profit], money: Money) -> Callable[[ProfitProgress], None]:
    """Lets a job say its phase, and the profit so far."""

    def tell(progress: ProfitProgress) -> None:
        if progress.phase != "polish":
            job.begin(_DOING[progress.phase])
        elif progress.profit is not None:
            earns = money.say_rate(progress.profit, Sense.EARNED)
            job.begin(f"Polishing: {earns} so far", progress.allowed, progress.spent)

    return tell


def better(quick: Profit, polished: Profit | None) -> Profit:
    """The better of two results."""
    return polished if polished is not None and polished.value >= quick.value else quick
