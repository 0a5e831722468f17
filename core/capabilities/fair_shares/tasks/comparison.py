"""Policies side by side: what comes of the same bags under each, beside the least worst stretch."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from core.capabilities.fair_shares.optimum import LeastStretch
from core.capabilities.fair_shares.tasks.judge import judged_scores, task_faults
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.outcome import StretchScores, TaskOutcome
from core.capabilities.fair_shares.tasks.policies import (
    POLISH_EFFORT,
    TASK_POLICIES,
    TaskPolicy,
    run_policy,
    task_policy_named,
)
from core.capabilities.fair_shares.tasks.running import compile_replays
from core.vocabulary.budget import Budget, Effort
from core.vocabulary.tolerances import SAME

_FIRST_IN_TURN: Final = task_policy_named("fifo-rr").rules


@dataclass(frozen=True)
class PolicyScores:
    """What came of the policy of this name, what the judge says is wrong with it, and how long it
    took (s).
    """

    name: str
    scores: StretchScores
    faults: tuple[str, ...]
    seconds: float

    @property
    def verified(self) -> bool:
        return not self.faults


@dataclass(frozen=True, eq=False)
class PolicyRun(PolicyScores):
    """The same, with what became of each task."""

    outcome: TaskOutcome

    @property
    def policy(self) -> TaskPolicy:
        return TASK_POLICIES[self.name]

    @property
    def alone(self) -> PolicyScores:
        """The scores without the tasks."""
        return PolicyScores(self.name, self.scores, self.faults, self.seconds)


def compare_policies(
    optimum: LeastStretch,
    policies: Sequence[TaskPolicy],
    effort: Effort = POLISH_EFFORT,
    budget: Budget | None = None,
) -> list[PolicyRun]:
    """Each policy on the bags of an optimum, with an effort at each release for those that polish.
    Stretches in scores are multiples of its baseline; no outcome may have a smaller worst one.

    Raises `InvalidInput` if a task fits on no machine, `SolverFailed`, and `NoScheduleFound` if the
    budget ends before.
    """
    bags, baseline = optimum.bags, optimum.baseline
    # The judge measures by ideal durations, which are shorter after some changes.
    proven = optimum.proven * float((baseline / bags.ideal).min())
    work = MachineWork.of(bags)
    compile_replays(work, _FIRST_IN_TURN)  # no policy is timed with it
    found: list[PolicyRun] = []
    for policy in policies:
        begun = time.perf_counter()
        known = [run.outcome for run in found]
        outcome = run_policy(work, policy, effort, budget, known=known, baseline=baseline)
        seconds = time.perf_counter() - begun
        scores, wrong = outcome.scores_over(baseline), tuple(_faults(outcome, proven))
        found.append(PolicyRun(policy.name, scores, wrong, seconds, outcome))
    return found


def scores_of(runs: Iterable[PolicyRun]) -> dict[str, dict[str, float]]:
    """The five scores of each policy, by their names."""
    return {run.name: run.scores.as_dict() for run in runs}


def faults_of(runs: Iterable[PolicyRun]) -> tuple[str, ...]:
    """All that the judge finds wrong, and under which policy."""
    return tuple(f"{run.policy.label}: {fault}" for run in runs for fault in run.faults)


def _faults(outcome: TaskOutcome, proven: float) -> list[str]:
    wrong = task_faults(outcome)
    if not wrong and judged_scores(outcome).max_stretch < proven * (1 - SAME):
        wrong.append("the worst stretch is below what is proven")
    return wrong
