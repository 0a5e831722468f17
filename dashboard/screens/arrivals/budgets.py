"""What policies earn at other energy budgets, replay by replay as the results come."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from core.capabilities.arrivals.trials import JoulesAllowed
from core.engines.compute.task import Task
from core.vocabulary.intervals import Interval
from core.vocabulary.say.words import counted
from dashboard.screens.arrivals.found import ArrivalsFound
from dashboard.screens.arrivals.replaying import AskedReplays, replayed
from dashboard.server.background import Job

STEPS: Final = tuple(step / 100 for step in range(40, 121, 10))
"""The budgets of a sweep, as shares of the energy that is spent without one."""
_SHOW_SECONDS: Final = 0.5


@dataclass(frozen=True, eq=False, slots=True)
class BudgetScores:
    """The worth by policy, day and budget, as a share of what jobs are worth if each begins when it
    arrives.
    """

    found: ArrivalsFound
    worth: Mapping[tuple[str, int, float], float] = field(default_factory=dict)

    @property
    def replays(self) -> int:
        """How many replays the whole sweep takes."""
        return len(STEPS) * len(self.found.days) * len(self.found.policies)

    def of(self, policy: str, step: float) -> Interval | None:
        """The mean over the days so far; None if there is none."""
        values = [
            self.worth[policy, day, step]
            for day in self.found.days
            if (policy, day, step) in self.worth
        ]
        return Interval.of(np.array(values)) if values else None


def sweeping_budgets(
    asked: AskedReplays, found: ArrivalsFound, before: BudgetScores | None = None
) -> Callable[[Job[BudgetScores]], None]:
    """The work of a job that replays each day of an answer at each budget."""

    def work(job: Job[BudgetScores]) -> None:
        scores = before or BudgetScores(found)
        job.begin("Replaying at other budgets")
        shown, began = 0.0, time.monotonic()
        steps = [
            (day, step, policy)
            for day in found.days
            for step in STEPS
            for policy in found.policies
            if (policy, day, step) not in scores.worth
        ]
        for done, (day, step, policy) in enumerate(steps, 1):
            facts = found.days[day]
            question = replace(asked.question, budget=JoulesAllowed(share=step))
            with job.turn() as turn:
                task = Task(replayed, (question, day, policy, facts.free_joules))
                score, _, _ = turn.compute(task)
            share = score.worth / facts.maximum if facts.maximum > 0 else 0.0
            scores = replace(scores, worth={**scores.worth, (policy, day, step): share})
            spent = time.monotonic() - began
            said = f"{len(scores.worth):,} of {counted(scores.replays, 'replay')}"
            job.begin(said, spent + spent / done * (len(steps) - done), spent)
            if time.monotonic() - shown >= _SHOW_SECONDS or done == len(steps):
                job.show(scores)
                shown = time.monotonic()

    return work
