"""Small days and bags for tests of charts and words."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.capabilities.arrivals.question import ReplayQuestion
from core.capabilities.arrivals.trials import PolicyTrial, ReplayComparison, TrialBound
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
    score = ReplayScore(worth, 5 * KWH, 5 * KWH, 8, 2, 60.0, 2.0, HOUR, 0.1, 10)
    return PolicyTrial(score, 100.0, budget, verified, 10)


def a_bag(seconds: float, joules: float, expected: tuple[float, float]) -> PolicyTrial:
    """A bag that takes so long and so much, and what was expected of both (s, J)."""
    actual, hoped = (
        ReplayScore(1024.0, drawn, drawn, 1024, 0, HOUR, 2.0, takes, 0.1, 10)
        for takes, drawn in ((seconds, joules), expected)
    )
    return PolicyTrial(actual, 1024.0, np.inf, True, 1024, hoped)


def tried(
    question: ReplayQuestion,
    found: Mapping[str, Sequence[PolicyTrial]],
    bounds: Sequence[TrialBound] = (),
) -> ReplayComparison:
    """What came of policies in the first trials, and the first bounds."""
    trials = {policy: dict(enumerate(each)) for policy, each in found.items()}
    return ReplayComparison(trials, question, bounds=dict(enumerate(bounds)))
