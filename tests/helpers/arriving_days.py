"""Small days for tests of charts and words."""

import numpy as np

from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.policy import Blocked, Measure, Order, Policy, Switch
from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, Workload

HOUR = 3600.0


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
