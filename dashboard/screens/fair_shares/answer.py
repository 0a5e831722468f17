"""What is computed for the page Fair shares, each in a job of its own: the answer, and replays of
whole tasks, under all policies, release by release, and in trials with other release dates.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

import numpy as np

from core import System
from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.energy import EnergyFront, energy_front
from core.capabilities.fair_shares.optimum import LeastStretch
from core.capabilities.fair_shares.recheck import front_faults
from core.capabilities.fair_shares.shares import (
    AskedBags,
    FairShares,
    OneMore,
    Shortage,
    TriedStretch,
    one_more_of_each,
    promises_of,
)
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
from dashboard.screens.fair_shares.inputs import BagsInputs, bags_of, work_of
from dashboard.screens.fair_shares.state import BagsDesk
from dashboard.server.background import Job
from dashboard.server.pace import Pace
from dashboard.workspace import asking
from dashboard.workspace.answering import polish_for

PAGE: Final = "fair_shares"
_QUICK_WORK: Final = 10_000
"""More than this takes long, and leaves room for others."""
FRONT_SECONDS: Final = 20.0
"""For the front of energy, which takes less than a second for a dozen bags."""
T = TypeVar("T")


def ask(name: str, desk: BagsDesk, work: Callable[[Job[T]], None], *more: object) -> Job[T]:
    """The job of this name, for what is asked on the desk, and what it is about `more`."""
    return asking.jobs(PAGE).ask(name, (desk.asked, *more), work)


def again(name: str) -> Callable[[], None]:
    """A step that lets a job begin anew that ended early."""

    def drop() -> None:
        asking.jobs(PAGE).drop(name)

    return drop


def computed(
    said: str, task: Task[T], seconds: float = 0.0, *, at_once: bool = False
) -> Callable[[Job[T]], None]:
    """The work of a job of one computation. It leaves room for others unless done `at_once`."""

    def work(job: Job[T]) -> None:
        job.begin(said, seconds)
        if at_once:
            job.show(job.compute(task))
            return
        with job.turn() as turn:
            job.show(turn.compute(task))

    return work


def answering(desk: BagsDesk) -> Callable[[Job[FairShares]], None]:
    """The work of a job that answers."""
    system, inputs, title = desk.system, desk.inputs, desk.title

    def work(job: Job[FairShares]) -> None:
        quick = work_of(bags_of(system, inputs)) <= _QUICK_WORK
        task = Task(shares_found, (system, inputs, title))
        computed("Looking for the best possible worst stretch", task, at_once=quick)(job)

    return work


def shares_found(system: System, inputs: BagsInputs, name: str = "") -> FairShares:
    """The answer. Raises `InvalidInput` and `SolverFailed`."""
    return promises_of(AskedBags(bags_of(system, inputs), name, inputs.change, inputs.clock))


def at_best(found: FairShares) -> TriedStretch:
    """The best possible stretch, which is planned already."""
    now = found.now
    short = found.short or Shortage(0.0, np.zeros(0), np.zeros(0))
    return TriedStretch(now.bags, now.plan_stretch, 1.0, now.plan, short, found.wrong)


class CheckedFront(NamedTuple):
    """The front of worst stretch and energy, and what an independent check finds wrong."""

    front: EnergyFront
    wrong: tuple[str, ...]


def front_found(now: LeastStretch) -> CheckedFront:
    """The front, as far as it is traced in time. Raises `SolverFailed` and `NoScheduleFound`."""
    front = energy_front(now, Budget(FRONT_SECONDS))
    return CheckedFront(front, tuple(front_faults(front, now.baseline.tolist())))


def one_more(before: LeastStretch) -> tuple[OneMore, ...]:
    """What one more of each kind of machines brings, and more bandwidth."""
    return tuple(one_more_of_each(before))


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
