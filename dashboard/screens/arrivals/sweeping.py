"""More replays of the days of an answer, one after the other, in worker processes."""

import time
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from core.capabilities.arrivals.trials import PolicyTrial, ReplayQuestion, TrialPart, replayed
from core.engines.compute.task import Task
from dashboard.server.background import Job
from dashboard.server.pace import Pace

T = TypeVar("T")
Key = TypeVar("Key")
Result = TypeVar("Result")
_SHOW_SECONDS: Final = 0.5


def score_of(question: ReplayQuestion, part: TrialPart) -> PolicyTrial:
    """What comes of a policy on a day."""
    return replayed(question, part)[0]


def sweep(
    job: Job[T],
    begun: T,
    keys: Iterable[Key],
    task_of: Callable[[Key, Pace], Task[Result]],
    put: Callable[[T, Key, Result], T],
) -> None:
    """Computes the task of each key, and shows what is `begun` with what came of them so far."""
    found, left, pace, shown = begun, list(keys), Pace("replay"), 0.0
    for done, key in enumerate(left, 1):
        found = put(found, key, pace.compute(job, task_of(key, pace)))
        pace.tell(job, done, len(left), len(left) - done)
        if time.monotonic() - shown >= _SHOW_SECONDS or done == len(left):
            job.show(found)
            shown = time.monotonic()
