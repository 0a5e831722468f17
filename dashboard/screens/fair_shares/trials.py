"""Trials of policies with other release dates, while the page is already shown."""

import time
from collections.abc import Callable, Sequence
from typing import Final

from core.capabilities.fair_shares.redrawn import mean_gap
from core.capabilities.fair_shares.shares import FairShares
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES
from core.capabilities.fair_shares.trials.drawn import (
    DrawnTrials,
    MeasuredBags,
    NetworkChange,
    TrialScores,
    run_trials,
)
from core.capabilities.fair_shares.trials.words import trials_progress
from core.engines.compute.executors import InThisThread
from core.engines.compute.many import RunsProgress
from core.engines.compute.task import Task
from core.vocabulary.budget import Effort
from core.vocabulary.ranges import Range
from dashboard.screens.fair_shares.whole_tasks import may_replay
from dashboard.server.background import Job

POLISH: Final = 0.05
"""Seconds that a policy may polish at each release, in each of many trials."""
FIRST_SEED: Final = 1
TRIALS: Final = Range(2, 200, "trials")
"""Two have an interval; 200 of a dozen bags take some minutes."""


def may_try(found: FairShares) -> bool:
    """Whether there are few enough tasks, and release dates to draw anew."""
    return may_replay(found) and mean_gap(found.now.bags) > 0


def trying_releases(
    found: FairShares, trials: int, known: dict[int, TrialScores]
) -> Callable[[Job[Sequence[TrialScores]]], None]:
    """The work of a job that replays all policies in so many trials. Those that are `known`, by
    their seeds, are not computed again, and others become known.
    """
    now = found.now
    asked = DrawnTrials(
        tuple(TASK_POLICIES), NetworkChange(), Effort(POLISH), MeasuredBags(now.bags, now.baseline)
    )

    def work(job: Job[Sequence[TrialScores]]) -> None:
        seeds = range(FIRST_SEED, FIRST_SEED + trials)
        began, done = time.monotonic(), 0
        for seed in seeds:
            there = [known[each] for each in seeds if each in known]
            job.show(there)
            if seed in known:
                continue
            spent = time.monotonic() - began
            left = spent / done * (trials - len(there)) if done else None
            said = trials_progress(RunsProgress(len(there), trials, None))
            job.begin(said, 0.0 if left is None else spent + left, 0.0 if left is None else spent)
            with job.turn() as turn:
                known[seed] = turn.compute(Task(trial_found, (asked, seed)))
            done += 1
        job.show([known[seed] for seed in seeds])

    return work


def trial_found(asked: DrawnTrials, seed: int) -> TrialScores:
    """One trial. Raises `InvalidInput` if a task fits on no machine, and `RunsFailed`."""
    (found,) = run_trials(asked, [seed], InThisThread())
    return found
