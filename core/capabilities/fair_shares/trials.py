"""Policies for whole tasks, compared in many trials, each drawn by its own seed: bags with other
release dates, or scenarios like the published ones. Means, and differences trial by trial.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import attrgetter
from typing import Final, NamedTuple, Self

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags, Network
from core.capabilities.fair_shares.bags_reader import MEGABYTE
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.tasks.outcome import SCORE_NAMES
from core.capabilities.fair_shares.tasks.policies import (
    PolicyScores,
    compare_policies,
    task_policy_named,
)
from core.engines.compute.compiled import compile_from_now_on
from core.engines.compute.executors import Engine, InThisThread
from core.engines.compute.many import RunsProgress, run_many
from core.engines.trials.paired import PairedTrials
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget, Effort, never
from core.vocabulary.intervals import Interval
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def mean_gap(bags: ArrivingBags) -> float:
    """Seconds from one release to the next, on average; 0 if all bags come at once."""
    release = bags.release[bags.present]
    return float(np.ptp(release)) / max(len(release) - 1, 1)


def redrawn(bags: ArrivingBags, seed: int) -> ArrivingBags:
    """The bags in a random order, with exponential gaps of the same mean. The first of them comes
    when the first one came.
    """
    rng = np.random.default_rng(seed)
    here, gap = bags.present, mean_gap(bags)
    dates = float(bags.release[here].min()) + np.append(
        0.0, np.cumsum(rng.exponential(gap, len(here) - 1))
    )
    release = bags.release.copy()
    release[rng.permutation(here)] = dates
    return replace(bags, release=release)


def published_scenario(
    seed: int,
    bags: int = 20,
    workers: int = 10,
    each: int = 1,
    most_work: float = 409.0,
    most_data: float = 6000.0,
) -> ArrivingBags:
    """Bags on workers, which are so many machines `each` that together are one of the publication.

    Release dates are log-normal; work and data are log-uniform, from 31 Gflop and 400 MB a bag to
    the most (Gflop, MB); tasks are as many as keep 3.1 Gflop and 40 MB each, but at least 10.
    """
    rng = np.random.default_rng(seed)
    release = np.sort(rng.lognormal(4.0, 1.2, bags))
    work = np.exp(rng.uniform(math.log(31), math.log(most_work), bags))
    data = np.exp(rng.uniform(math.log(400), math.log(most_data), bags))
    tasks = np.maximum(10, np.floor(np.minimum(work / 3.1, data / 40)))
    speeds = rng.uniform(0.05, 0.8, workers)
    links = rng.uniform(4, 12.5, workers)
    system = System(
        tuple(TaskType(f"bag {k + 1}", int(count)) for k, count in enumerate(tasks)),
        tuple(MachineType(f"worker {u + 1}", each) for u in range(workers)),
        (work / tasks)[:, None] / speeds * each,
    )
    network = Network.of(system, 40 * MEGABYTE, links * MEGABYTE / each)
    return ArrivingBags(system, release - release.min(), data / tasks * MEGABYTE, network)


@dataclass(frozen=True)
class NetworkChange:
    """What takes the place of the network of bags: the bandwidth of the master (MB/s), and the
    memory of each machine (MB); None where it stays.
    """

    bandwidth: float | None = None
    memory: float | None = None

    def applied(self, bags: ArrivingBags) -> ArrivingBags:
        network = bags.network
        if self.bandwidth is not None:
            network = replace(network, bandwidth=self.bandwidth * MEGABYTE)
        if self.memory is not None:
            memory = np.full(len(network.memory), self.memory * MEGABYTE)
            network = replace(network, memory=memory)
        return replace(bags, network=network)


class MeasuredBags(NamedTuple):
    """Bags, and the durations that their stretches are multiples of (s); None: the ideal ones."""

    bags: ArrivingBags
    baseline: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class DrawnTrials:
    """Which policies to compare, what a policy that polishes is allowed at each release, and what
    the networks are instead. Release dates are drawn of some bags; without bags, trials are
    scenarios like the published ones.
    """

    policies: tuple[str, ...]
    change: NetworkChange
    effort: Effort
    of: MeasuredBags | None = None

    def drawn(self, seed: int) -> MeasuredBags:
        """What a trial is about."""
        if self.of is None:
            return MeasuredBags(self.change.applied(published_scenario(seed)))
        return self.of._replace(bags=redrawn(self.change.applied(self.of.bags), seed))


@dataclass(frozen=True)
class TrialScores:
    """The least worst stretch of a trial, and what came of each policy."""

    least: float
    runs: tuple[PolicyScores, ...]


def run_trials(
    asked: DrawnTrials,
    seeds: Sequence[int],
    engine: Engine,
    *,
    should_stop: Callable[[], bool] = never,
    report: Callable[[RunsProgress], None] | None = None,
) -> list[TrialScores]:
    """The trials that were done, in the order of their seeds.

    What polishes by seconds differs from run to run; all else does not depend on the engine. Raises
    `RunsFailed`, `EngineRefused`, and `NoScheduleFound` if it is stopped within a trial here.
    """
    # What is computed here can be stopped within a trial, if anybody may ask for it.
    stops = isinstance(engine, InThisThread) and should_stop is not never
    budget = Budget(should_stop=should_stop) if stops else None
    found: dict[int, TrialScores] = {}
    trial = partial(_trial_of, asked, budget=budget)
    for results in run_many(trial, seeds, engine, should_stop=should_stop, report=report):
        found |= dict(results)
    return [found[seed] for seed in seeds if seed in found]


def prepare() -> None:
    """Load what a trial needs, in the process that others are forked from."""
    few = DrawnTrials(("fifo-rr", "cbs3m-edf-online", "mwma-ms"), NetworkChange(), Effort(0.0))
    _trial_of(few, 0, budget=None)


def _trial_of(asked: DrawnTrials, seed: int, *, budget: Budget | None) -> TrialScores:
    compile_from_now_on()
    bags, baseline = asked.drawn(seed)
    optimum = least_stretch(bags, budget, early=False, baseline=baseline)
    policies = [task_policy_named(name) for name in asked.policies]
    runs = compare_policies(optimum, policies, asked.effort, budget)
    return TrialScores(optimum.stretch, tuple(one.alone for one in runs))


SCORE_OF: Final = {name: attrgetter(f"scores.{name}") for name in SCORE_NAMES}
"""The five scores of a policy in a trial, by their names."""


@dataclass(frozen=True)
class TaskTrials(PairedTrials[PolicyScores]):
    """Policies in the trials that all have; `optimum` is the best possible worst stretch."""

    optimum: FloatArray

    @classmethod
    def of(cls, trials: Sequence[TrialScores]) -> Self:
        """At least one trial, each with the same policies."""
        found = {
            one.name: {number: trial.runs[place] for number, trial in enumerate(trials)}
            for place, one in enumerate(trials[0].runs)
        }
        return cls(found, np.array([trial.least for trial in trials]))

    @cached_property
    def means(self) -> Mapping[str, Mapping[str, Interval]]:
        """The five scores, by their names and by policy."""
        return {
            score: {policy: self.interval(policy, of) for policy in self.trials}
            for score, of in SCORE_OF.items()
        }

    @cached_property
    def best(self) -> Mapping[str, str]:
        """The policy with the smallest mean, by score."""
        return {score: self.least(of) for score, of in SCORE_OF.items()}

    def behind(self, policy: str, score: str) -> Interval:
        """By how much a score exceeds that of its best policy in the same trial, on average."""
        return self.more(policy, self.best[score], SCORE_OF[score])

    def over_optimum(self, policy: str) -> Interval:
        """The worst stretch over the best possible one."""
        return Interval.of(self.ratios(policy, SCORE_OF["max_stretch"], self.optimum))

    def faults(self, policy: str) -> list[str]:
        """What the judge says of a policy, each once."""
        runs = self.trials[policy].values()
        return list(dict.fromkeys(fault for run in runs for fault in run.faults))
