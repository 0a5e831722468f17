"""Days that are replayed under many settings: a trial is a day that is drawn, and every setting
meets the same days.
"""

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from core.capabilities.arrivals.made.testbed import BladeSettings, draw_testbed
from core.capabilities.arrivals.policies import (
    DROP_BELOW,
    FILTERS,
    PUBLISHED,
    PUBLISHED_LENIENCY,
    FilterName,
    policy_named,
    published_maximum,
)
from core.engines.compute.compiled import compile_from_now_on
from core.engines.compute.executors import Engine
from core.engines.compute.many import RunsProgress, run_many
from core.engines.replay.clock import EVERY, ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.outcome import ReplayScore
from core.engines.replay.policy import NEVER_DROPPED, Policy
from core.engines.replay.pricing import Foresight
from core.engines.replay.workload import Workload
from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import Interval

K = TypeVar("K")
R = TypeVar("R")


class DaySetting(NamedTuple):
    """How a day is replayed: the name of a policy, the budget of energy for 24 h in units of the
    task, the worth below which jobs are dropped, and the kind of filter with its leniency, which is
    the published one if it is None.
    """

    policy: str
    budget: float = math.inf
    drop_below: float = DROP_BELOW
    filter: FilterName | None = None
    leniency: float | None = None

    @property
    def rules(self) -> Policy:
        """The policy with all that is set; a filter works here for policies of energy, too."""
        policy = replace(policy_named(self.policy).policy, drop_below=self.drop_below)
        if self.filter is None:
            return policy
        leniency = PUBLISHED_LENIENCY[self.filter] if self.leniency is None else self.leniency
        return replace(policy, filter=FILTERS[self.filter], leniency=leniency)


def undropped(policy: str) -> DaySetting:
    """No job is dropped while it can be worth anything, unless the policy itself says so."""
    return DaySetting(policy, drop_below=NEVER_DROPPED)


class DayScore(NamedTuple):
    """The figures of a day, and what its worth is a share of: the published maximum."""

    score: ReplayScore
    jobs: int
    maximum: float


@dataclass(frozen=True)
class DayTask:
    """The day of one trial, the settings that meet it, and what their worth is a share of. A budget
    of 1 is `joules`.
    """

    draw: Callable[[int], Workload]
    trial: int
    settings: Sequence[DaySetting]
    joules: float = 1.0
    every: float = EVERY
    maximum: Callable[[Workload], float] = published_maximum


@dataclass(frozen=True)
class Days:
    """What came of each setting, trial by trial."""

    scores: Mapping[DaySetting, Sequence[DayScore]]

    def __or__(self, other: "Days") -> "Days":
        """With other settings of the same days."""
        return Days({**self.scores, **other.scores})

    def shares(self, setting: DaySetting) -> FloatArray:
        """The worth of each trial, in percent of the published maximum."""
        return np.array([100 * one.score.worth / one.maximum for one in self.scores[setting]])

    def joules(self, setting: DaySetting) -> FloatArray:
        return np.array([one.score.joules for one in self.scores[setting]])

    def seconds_per_event(self, setting: DaySetting) -> FloatArray:
        return np.array([one.score.seconds / one.score.events for one in self.scores[setting]])

    def share(self, setting: DaySetting) -> Interval:
        return Interval.of(self.shares(setting))

    def lead(self, better: DaySetting, worse: DaySetting) -> Interval:
        """By how many percentage points of the maximum one is ahead, in paired trials."""
        return Interval.of(self.shares(better) - self.shares(worse))

    def best(self, settings: Sequence[DaySetting]) -> DaySetting:
        """The setting with the highest mean."""
        return max(settings, key=lambda one: self.share(one).mean)


@dataclass(frozen=True)
class DaysOfKinds(Generic[K]):
    """What came of each kind of days, under policies that are `undropped`."""

    days: Mapping[K, Days]

    def shares(self, kind: K, policy: str) -> FloatArray:
        """The worth of each trial, in percent of the published maximum."""
        return self.days[kind].shares(undropped(policy))

    def share(self, kind: K, policy: str) -> Interval:
        return Interval.of(self.shares(kind, policy))

    def seconds(self, kind: K, policy: str) -> FloatArray:
        """Processor time of each whole replay (s)."""
        scores = self.days[kind].scores[undropped(policy)]
        return np.array([one.score.seconds for one in scores])

    def lead(self, kind: K, better: str, worse: str) -> Interval:
        """By how many percentage points of the maximum one is ahead, in paired trials."""
        return Interval.of(self.shares(kind, better) - self.shares(kind, worse))

    def gains(self, kind: K, better: str, worse: str) -> FloatArray:
        """By how many percent of its rival one earns more, in each trial."""
        return 100 * (self.shares(kind, better) / self.shares(kind, worse) - 1)

    def best(self, kind: K, policies: Iterable[str]) -> str:
        """The policy with the highest mean."""
        return max(policies, key=lambda one: self.share(kind, one).mean)


def replayed(tasks: Sequence[DayTask], engine: Engine, say: Callable[[str], None]) -> Days:
    """All tasks, which have the same settings, and a trial each."""
    columns = zip(*each_trial(replayed_day, tasks, engine, say), strict=True)
    return Days(dict(zip(tasks[0].settings, columns, strict=True)))


class OfTrial(Protocol):
    """A task of one trial."""

    @property
    def trial(self) -> int: ...


T = TypeVar("T", bound=OfTrial)


def each_trial(
    function: Callable[[T], R],
    tasks: Sequence[T],
    engine: Engine,
    say: Callable[[str], None],
) -> list[R]:
    """What the function says of each task, which have a trial each."""

    def said(progress: RunsProgress) -> None:
        left = "" if progress.left is None else f", about {progress.left / 60:.0f} min left"
        say(f"  {progress.done} of {progress.all} trials{left}")

    found: dict[int, R] = {}
    for results in run_many(function, tasks, engine, report=said):
        found.update({task.trial: result for task, result in results})
    return [found[task.trial] for task in tasks]


def prepare() -> None:
    """Loads what a trial needs, in the process that others are forked from."""
    settings = [*(DaySetting(name, 1.0) for name in PUBLISHED), DaySetting("upt-greedy")]
    replayed_day(DayTask(_tiny_day, 0, settings))


def _tiny_day(seed: int) -> Workload:
    return draw_testbed(BladeSettings(length=600.0, seed=seed))


def replayed_day(task: DayTask) -> list[DayScore]:
    """The figures of each setting on the day of a task."""
    compile_from_now_on()
    workload = task.draw(task.trial)
    maximum, jobs = task.maximum(workload), len(workload.jobs)
    scores = []
    for setting in task.settings:
        windows = EnergyWindows.daily(workload.horizon, setting.budget * task.joules)
        settings = ReplaySettings(windows, task.every, task.trial, pricing=Foresight())
        began = time.thread_time()
        outcome = replay(workload, setting.rules, settings=settings)
        score = ReplayScore.of(outcome, time.thread_time() - began)
        scores.append(DayScore(score, jobs, maximum))
    return scores
