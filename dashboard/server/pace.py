"""How long the runs of a job still take, by those that are done."""

import time
from statistics import median
from typing import Any, TypeVar

from core.engines.compute.task import Task
from core.vocabulary.say.words import counted
from dashboard.server.background import Job

T = TypeVar("T")


class Pace:
    """How long a run takes, by the median of those so far: the first may load what the next use.
    Waiting for a turn is no part of that. `run` is what a run is called.
    """

    def __init__(self, run: str) -> None:
        self._run = run
        self._seconds: list[float] = []

    def compute(self, job: Job[Any], task: Task[T]) -> T:
        """Takes a turn for one run."""
        with job.turn() as turn:
            began = time.monotonic()
            found = turn.compute(task)
            self._seconds.append(time.monotonic() - began)
        return found

    def tell(self, job: Job[Any], done: int, of: int, left: int) -> None:
        """Says how many are done; if any is, about how long those that are `left` take."""
        known = self._seconds if done else []
        spent = sum(known)
        more = median(known) * left if known else 0.0
        job.begin(f"{done:,} of {counted(of, self._run)}", spent + more, spent)
