"""Jobs that replay whole tasks while the page is already shown: under all policies, under the few
that are likely best, release by release, and in trials with other release dates.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import LeastStretch
from core.capabilities.fair_shares.shares import FairShares
from core.capabilities.fair_shares.tasks.policies import (
    ONLINE_POLICIES,
    TASK_POLICIES,
    OnlineStep,
    PolicyRun,
    compare_policies,
    online_steps,
    task_policy_named,
)
from core.capabilities.fair_shares.trials import (
    DrawnTrials,
    MeasuredBags,
    NetworkChange,
    TrialScores,
    mean_gap,
    run_trials,
)
from core.capabilities.fair_shares.words import CLOSE, alone_said, later_by, whole_said
from core.engines.compute.executors import InThisThread
from core.engines.compute.task import Task
from core.vocabulary.budget import Budget, Cancelled, Effort, never
from core.vocabulary.say.words import Sense, counted, share
from dashboard.server.background import Job
from dashboard.server.pace import Pace
from dashboard.workspace.answering import polish_for

MOST_TASKS: Final = 10_000
"""Tasks of bags that are replayed on the page; a server does this for many."""
MOST_PLANNED: Final = 1_000_000
"""Tasks in the plans of all releases, which a session keeps: 60 MB."""
LIKELY_BEST: Final = ("cbs3m-edf-online", "polished-online", "polished-offline")
"""The best one that is published, and ours: what whole tasks keep of promises is the best of these
replays, which nobody has to ask for.
"""
POLISH: Final = 0.6
"""Seconds of counted work that a policy may polish at each release."""
TRIAL_POLISH: Final = 0.05
"""Seconds that a policy may polish at each release, in each of many trials."""
_REST: Final = 0.5
"""Seconds until unasked replays begin: who edits one number after the other waits for none."""
FIRST_SEED: Final = 1


Replays = Job[Sequence[PolicyRun]]


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


def may_try(found: FairShares) -> bool:
    """Whether there are few enough tasks, and release dates to draw anew."""
    return may_replay(found) and mean_gap(found.now.bags) > 0


def replay_effort() -> Effort:
    """What a policy may polish at each release."""
    return polish_for(POLISH)


def steps_found(bags: ArrivingBags, policy: str, effort: Effort) -> Sequence[OnlineStep]:
    """What one of `ONLINE_POLICIES` knows and plans, release by release."""
    return online_steps(bags, ONLINE_POLICIES[policy], effort)


def policy_found(
    now: LeastStretch, name: str, effort: Effort, should_stop: Callable[[], bool] = never
) -> PolicyRun:
    """What comes of a policy. Raises `InvalidInput` if a task fits on no machine."""
    budget = Budget(should_stop=should_stop)
    (run,) = compare_policies(now, [task_policy_named(name)], effort, budget)
    return run


def best_replay(found: Sequence[PolicyRun]) -> PolicyRun | None:
    """The replay with the smallest worst stretch, of those that the judge finds right."""
    right = [one for one in found if not one.faults]
    return min(right, key=lambda one: one.scores.max_stretch, default=None)


def replaying(
    found: FairShares,
    names: Collection[str],
    known: Sequence[PolicyRun] = (),
    *,
    unasked: bool = False,
) -> Callable[[Replays], None]:
    """The work of a job that replays policies, but for those that are known, and shows one after
    the other; all at once if nobody has asked for them, so that the page stays calm.
    """

    def work(job: Replays) -> None:
        if unasked and not job.rest(_REST):
            raise Cancelled
        done = tuple(known)
        if done:
            job.show(done)
        for name in [one for one in names if one not in {each.name for each in known}]:
            job.begin(f"{len(done):,} of {len(names):,} policies for whole tasks")
            with job.turn() as turn:
                task = Task(policy_found, (found.now, name, replay_effort()))
                done = (*done, turn.compute(task))
            if not unasked or len(done) == len(names):
                job.show(done)

    return work


def trying_releases(
    found: FairShares, trials: int, known: dict[int, TrialScores]
) -> Callable[[Job[Sequence[TrialScores]]], None]:
    """The work of a job that replays all policies in so many trials. Those that are `known`, by
    their seeds, are not computed again, and others become known.
    """
    bags = MeasuredBags(found.now.bags, found.now.baseline)
    asked = DrawnTrials(tuple(TASK_POLICIES), NetworkChange(), Effort(TRIAL_POLISH), bags)

    def work(job: Job[Sequence[TrialScores]]) -> None:
        seeds = range(FIRST_SEED, FIRST_SEED + trials)
        pace = Pace("trial")
        for seed in seeds:
            there = [known[each] for each in seeds if each in known]
            job.show(there)
            if seed in known:
                continue
            pace.tell(job, len(there), trials, trials - len(there))
            known[seed] = pace.compute(job, Task(trial_found, (asked, seed)))
        job.show([known[seed] for seed in seeds])

    return work


def trial_found(asked: DrawnTrials, seed: int) -> TrialScores:
    """One trial. Raises `InvalidInput` if a task fits on no machine, and `RunsFailed`."""
    (found,) = run_trials(asked, [seed], InThisThread())
    return found


@dataclass(frozen=True, eq=False, slots=True)
class KeptPromises:
    """What whole tasks keep of promises: the best replay so far, and what is `said` about it."""

    best: PolicyRun | None
    said: str

    @property
    def worst(self) -> float | None:
        """The worst stretch of the best replay."""
        return None if self.best is None else self.best.scores.max_stretch

    def beside(self, answer: FairShares, stretch: float) -> list[str]:
        """By when each bag is done as whole tasks, and how much later than promised then."""
        if self.best is None:
            return []
        ends = self.best.outcome.completion
        later = ends - answer.promises(stretch)
        return [
            f"done by {answer.asked.clock.said(end, Sense.SPENT, answer.span)} ({later_by(by)})"
            for end, by in zip(ends.tolist(), later.tolist(), strict=True)
        ]


def kept_promises(answer: FairShares, *jobs: Replays | None) -> KeptPromises:
    """What is known of whole tasks by now, from these jobs."""
    if not may_replay(answer):
        many = counted(tasks_of(answer), "task")
        return KeptPromises(None, f"{many} are more than this page replays as whole tasks.")
    there = [job for job in jobs if job is not None]
    found = {one.name: one for job in there for one in job.latest or ()}
    best = best_replay([*found.values()])
    if best is None:
        failed = any(job.failure and not isinstance(job.failure, Cancelled) for job in there)
        running = any(job.running for job in there)
        said = "Whole tasks are being replayed." if running else "Whole tasks were not replayed."
        return KeptPromises(None, "Whole tasks cannot be replayed." if failed else said)
    return KeptPromises(best, _best_said(answer, best, len(found)))


def _best_said(answer: FairShares, best: PolicyRun, replays: int) -> str:
    worst, least, policy = best.scores.max_stretch, answer.now.stretch, best.policy
    knows = "from its release on" if policy.mode == "online" else "from the beginning"
    knowing = f", which knows each bag {knows}" if policy.mode else ""
    more = worst / least - 1
    beyond = f"{share(more, Sense.SPENT)} more than promised" if more > CLOSE else "as promised"
    return (
        f"Whole tasks: under {policy.label}{knowing}, each bag is done within "
        f"{whole_said(worst)} times {alone_said(answer)}: {beyond}. It is "
        f"the best of {counted(replays, 'replay')}, each judged by other code."
    )
