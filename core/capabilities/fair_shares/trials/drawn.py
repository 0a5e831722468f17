"""Policies for whole tasks, compared in many trials: each is drawn by its own seed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.redrawn import redrawn
from core.capabilities.fair_shares.scenarios import published_scenario
from core.capabilities.fair_shares.tasks.comparison import compare_beside
from core.capabilities.fair_shares.tasks.outcome import StretchScores
from core.capabilities.fair_shares.tasks.policies import task_policy_named
from core.engines.compute.compiled import compile_from_now_on
from core.engines.compute.executors import Engine, InThisThread
from core.engines.compute.many import RunsProgress, run_many
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget, Effort, never


@dataclass(frozen=True)
class NetworkChange:
    """What takes the place of the network of bags: the bandwidth of the master (B/s), and the
    memory of each machine (bytes); None where it stays.
    """

    bandwidth: float | None = None
    memory: float | None = None

    def applied(self, bags: ArrivingBags) -> ArrivingBags:
        network = bags.network
        if self.bandwidth is not None:
            network = replace(network, bandwidth=self.bandwidth)
        if self.memory is not None:
            memory = np.full(len(network.memory), self.memory)
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
class PolicyScores:
    """What came of a policy in a trial, what the judge says, and how long it took (s)."""

    policy: str
    scores: StretchScores
    faults: tuple[str, ...]
    seconds: float


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
    runs = compare_beside(optimum, policies, asked.effort, budget)
    return TrialScores(
        optimum.stretch,
        tuple(
            PolicyScores(one.policy.name, one.scores, tuple(one.faults), one.seconds)
            for one in runs
        ),
    )
