"""The days of an answer at other energy budgets, in worker processes."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from core.capabilities.arrivals.trials import (
    UNLIMITED,
    JoulesAllowed,
    PolicyTrial,
    ReplayQuestion,
    TrialPart,
    replayed,
)
from core.engines.compute.task import Task
from core.vocabulary.intervals import Interval
from dashboard.parts.replays.replaying import ArrivalsFound
from dashboard.server.background import Job
from dashboard.server.pace import Pace

STEPS: Final = tuple(step / 100 for step in range(40, 121, 10))
"""Other energy budgets, as shares of the energy that is spent without one."""
_SHOW_SECONDS: Final = 0.5


@dataclass(frozen=True, eq=False, slots=True)
class BudgetScores:
    """The worth by policy, day and budget, as a share of what jobs are worth if each begins when it
    arrives.
    """

    found: ArrivalsFound
    worth: Mapping[tuple[str, int, float], float] = field(default_factory=dict)

    @property
    def all_steps(self) -> list[tuple[str, int, float]]:
        """What the whole sweep replays."""
        days, policies = range(self.found.settings.all_days), self.found.compared.question.policies
        return [(policy, day, step) for day in days for step in STEPS for policy in policies]

    def of(self, policy: str, step: float) -> Interval | None:
        """The mean over the days so far; None if there is none."""
        days = range(self.found.settings.all_days)
        values = [self.worth[key] for day in days if (key := (policy, day, step)) in self.worth]
        return Interval.of(np.array(values)) if values else None


def score_of(question: ReplayQuestion, part: TrialPart) -> PolicyTrial:
    """What comes of a policy on a day."""
    return replayed(question, part)[0]


def sweeping_budgets(
    found: ArrivalsFound, before: BudgetScores | None = None
) -> Callable[[Job[BudgetScores]], None]:
    """The work of a job that replays each day of an answer at each budget."""

    def work(job: Job[BudgetScores]) -> None:
        scores, unlimited = before or BudgetScores(found), dict(found.compared.unlimited)
        job.begin("Replaying at other budgets")
        pace, shown, steps = Pace("replay"), 0.0, scores.all_steps
        for policy, day, step in steps:
            if (policy, day, step) in scores.worth:
                continue
            question = replace(found.compared.question, budget=JoulesAllowed(share=step))
            if day not in unlimited:
                free = pace.compute(job, Task(score_of, (question, TrialPart(day, UNLIMITED))))
                unlimited[day] = free.score.joules
            part = TrialPart(day, policy, unlimited[day])
            one = pace.compute(job, Task(score_of, (question, part)))
            share = one.score.worth / one.maximum if one.maximum > 0 else 0.0
            scores = replace(scores, worth={**scores.worth, (policy, day, step): share})
            pace.tell(job, len(scores.worth), len(steps), len(steps) - len(scores.worth))
            if time.monotonic() - shown >= _SHOW_SECONDS or len(scores.worth) == len(steps):
                job.show(scores)
                shown = time.monotonic()

    return work
