"""Small days and bags for tests of charts and words."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.trials import (
    PolicyTrial,
    ReplayComparison,
    ReplayQuestion,
    TrialBound,
)
from core.capabilities.arrivals.uncertain.bound import BagBound
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.outcome import ReplayOutcome, ReplayScore
from core.engines.replay.policy import Blocked, Measure, Order, Policy, Switch
from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, Workload

HOUR, KWH = 3600.0, 3.6e6


def two_nodes(jobs: int = 20, nodes: int = 2, end: float = 24 * HOUR) -> Workload:
    """A job arrives each half hour, takes an hour on one node, and draws 1 kW."""
    options = Options.of(jobs, 0, 1, HOUR, 1000.0)
    arriving = ArrivingJobs.plain(np.arange(jobs) * HOUR / 2, np.arange(jobs) % 2, ("even", "odd"))
    return Workload(Pools.of(["nodes"], [nodes]), arriving, options, horizon=Horizon(0.0, end))


def a_day(
    *, joules: float = np.inf, switch: Switch = Switch.NEVER, workload: Workload | None = None
) -> ReplayOutcome:
    """What comes of two nodes, or of another workload, under Max UPR with place-holders."""
    there = workload or two_nodes()
    policy = Policy("upr", Order.BEST, Measure.PER_RESOURCE, Blocked.HOLD, switch=switch)
    windows = EnergyWindows.daily(there.horizon, joules)
    return replay(there, policy, settings=ReplaySettings(windows))


def a_trial(worth: float, *, budget: float = 6.3 * KWH, verified: bool = True) -> PolicyTrial:
    """Eight of ten jobs are done within an hour; they draw 5 kWh and earn so much of 100."""
    score = ReplayScore(worth, 5 * KWH, 8, 2, 60.0, 2.0, HOUR, 0.1, 10)
    return PolicyTrial(score, 100.0, budget, verified, 10)


def tried_days(
    question: ReplayQuestion,
    worths: Mapping[str, Sequence[float]],
    bound: float | None = None,
    budget: float = 6.3 * KWH,
) -> ReplayComparison:
    """What policies have earned on the first days, and a bound of each."""
    trials = {
        policy: {day: a_trial(worth, budget=budget) for day, worth in enumerate(days)}
        for policy, days in worths.items()
    }
    bounds = {} if bound is None else dict.fromkeys(range(question.trials), TrialBound(bound))
    return ReplayComparison(trials, question, bounds=bounds)


class ExpectedBag(NamedTuple):
    """Makespan (s) and energy (J) of a bag, and what was expected of both."""

    seconds: float
    joules: float
    expected_seconds: float
    expected_joules: float

    @property
    def trial(self) -> PolicyTrial:
        score, expected = (
            ReplayScore(1024.0, joules, 1024, 0, HOUR, 2.0, seconds, 0.1, 10)
            for seconds, joules in (self[:2], self[2:])
        )
        return PolicyTrial(score, 1024.0, np.inf, True, 1024, expected)


def tried_bags(
    settings: ArrivalsSettings,
    runs: Mapping[str, Sequence[ExpectedBag]],
    bounds: Sequence[BagBound] = (),
) -> ReplayComparison:
    """What methods have come to on the first bags, and the first bounds."""
    trials = {one: dict(enumerate(bag.trial for bag in bags)) for one, bags in runs.items()}
    proven = {bag: TrialBound(1024.0, one) for bag, one in enumerate(bounds)}
    return ReplayComparison(trials, settings.question(None), bounds=proven)
