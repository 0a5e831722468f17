"""What comes of whole tasks under each policy, while the page is already shown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import LeastStretch
from core.capabilities.fair_shares.shares import FairShares
from core.capabilities.fair_shares.tasks.comparison import compare_beside
from core.capabilities.fair_shares.tasks.online import ONLINE_POLICIES, OnlineStep, online_steps
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES, task_policy_named
from core.engines.compute.task import Task
from core.vocabulary.budget import Budget, never
from dashboard.server.background import Job
from dashboard.workspace.answering import polish_for

MOST_TASKS: Final = 10_000
"""Tasks of bags that are replayed on the page; a server does this for many."""
MOST_PLANNED: Final = 1_000_000
"""Tasks in the plans of all releases, which a session keeps: 60 MB."""
_POLISH: Final = 0.6
"""Seconds of counted work that a policy may polish at each release."""


@dataclass(frozen=True, eq=False, slots=True)
class PolicyFound:
    """What came of a policy, and what the judge finds wrong. Stretches in `scores` are multiples of
    the same durations as those of the plan.
    """

    name: str
    outcome: TaskOutcome
    scores: dict[str, float]
    wrong: tuple[str, ...]

    @property
    def label(self) -> str:
        return TASK_POLICIES[self.name].label


def tasks_of(found: FairShares) -> int:
    """How many whole tasks there are."""
    return int(found.now.bags.work.counts.sum())


def may_replay(found: FairShares) -> bool:
    """Whether there are few enough tasks."""
    return tasks_of(found) <= MOST_TASKS


def may_step(found: FairShares) -> bool:
    """Whether there are few enough tasks and releases to keep a plan of each release."""
    bags = found.now.bags
    releases = len(set(bags.release[bags.present].tolist()))
    return may_replay(found) and tasks_of(found) * releases <= MOST_PLANNED


def stepping(found: FairShares, policy: str) -> Callable[[Job[Sequence[OnlineStep]]], None]:
    """The work of a job that plans release by release under one of `ONLINE_POLICIES`."""

    def work(job: Job[Sequence[OnlineStep]]) -> None:
        job.begin("Planning release by release")
        with job.turn() as turn:
            job.show(turn.compute(Task(_steps, (found.now.bags, policy))))

    return work


def _steps(bags: ArrivingBags, policy: str) -> list[OnlineStep]:
    return online_steps(bags, ONLINE_POLICIES[policy], polish_for(_POLISH))


def replaying_tasks(
    found: FairShares, known: Sequence[PolicyFound] = ()
) -> Callable[[Job[Sequence[PolicyFound]]], None]:
    """The work of a job that replays one policy after the other, but for those that are known."""

    def work(job: Job[Sequence[PolicyFound]]) -> None:
        done = tuple(known)
        if done:
            job.show(done)
        for name in TASK_POLICIES:
            if name in {one.name for one in known}:
                continue
            job.begin(f"{len(done):,} of {len(TASK_POLICIES):,} policies")
            with job.turn() as turn:
                done = (*done, turn.compute(Task(policy_found, (found.now, name))))
            job.show(done)

    return work


def best_replay(found: Sequence[PolicyFound]) -> PolicyFound | None:
    """The replay with the smallest worst stretch, of those that the judge finds right."""
    right = [one for one in found if not one.wrong]
    return min(right, key=lambda one: one.scores["max_stretch"], default=None)


def policy_found(
    now: LeastStretch, name: str, should_stop: Callable[[], bool] = never
) -> PolicyFound:
    """What comes of a policy. Raises `InvalidInput` if a task fits on no machine."""
    budget = Budget(should_stop=should_stop)
    (run,) = compare_beside(now, [task_policy_named(name)], polish_for(_POLISH), budget)
    return PolicyFound(name, run.outcome, run.scores.as_dict(), tuple(run.faults))
