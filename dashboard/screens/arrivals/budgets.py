"""The days of an answer at other energy budgets, in worker processes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from core.capabilities.arrivals.question import UNLIMITED, JoulesAllowed, TrialPart
from core.capabilities.arrivals.trials import PolicyTrial, joules_of_jobs
from core.engines.compute.task import Task
from core.vocabulary.intervals import Interval
from dashboard.parts.replays.replaying import ArrivalsFound
from dashboard.screens.arrivals.sweeping import score_of, sweep
from dashboard.server.background import Job
from dashboard.server.pace import Pace

STEPS: Final = tuple(step / 100 for step in range(40, 121, 10))
"""Other energy budgets, as shares of the energy that jobs take without one."""
_Step = tuple[str, int, float]
"""A policy, a day and a budget."""


@dataclass(frozen=True, eq=False, slots=True)
class BudgetScores:
    """The worth by policy, day and budget, as a share of what jobs are worth if each begins when it
    arrives.
    """

    found: ArrivalsFound
    worth: Mapping[_Step, float] = field(default_factory=dict)

    @property
    def all_steps(self) -> list[_Step]:
        """What the whole sweep replays."""
        days, policies = range(self.found.settings.all_days), self.found.compared.question.policies
        return [(policy, day, step) for day in days for step in STEPS for policy in policies]

    @property
    def left(self) -> list[_Step]:
        """What is still to be replayed."""
        return [key for key in self.all_steps if key not in self.worth]

    def with_trial(self, key: _Step, one: PolicyTrial) -> "BudgetScores":
        """The same with what came of a policy on a day at a budget."""
        share = one.score.worth / one.maximum if one.maximum > 0 else 0.0
        return replace(self, worth={**self.worth, key: share})

    def of(self, policy: str, step: float) -> Interval | None:
        """The mean over the days so far; None if there is none."""
        days = range(self.found.settings.all_days)
        values = [self.worth[key] for day in days if (key := (policy, day, step)) in self.worth]
        return Interval.of(np.array(values)) if values else None


def sweeping_budgets(scores: BudgetScores) -> Callable[[Job[BudgetScores]], None]:
    """The work of a job that replays each day of an answer at each budget that is left."""
    found, unlimited = scores.found, dict(scores.found.compared.unlimited)

    def work(job: Job[BudgetScores]) -> None:

        def task_of(key: _Step, pace: Pace) -> Task[PolicyTrial]:
            policy, day, step = key
            question = replace(found.compared.question, budget=JoulesAllowed(share=step))
            if day not in unlimited:
                free = pace.compute(job, Task(score_of, (question, TrialPart(day, UNLIMITED))))
                unlimited[day] = joules_of_jobs(free)
            return Task(score_of, (question, TrialPart(day, policy, unlimited[day])))

        job.begin("Replaying at other budgets")
        sweep(job, scores, scores.left, task_of, BudgetScores.with_trial)

    return work
