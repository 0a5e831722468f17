"""The plain loop over cores that ours is timed against earns the same as ours."""

import pytest
from interpreted import interpreted

from benchmarks.per_core import plain_greedy
from core.capabilities.arrivals.made.urgent import UrgentSettings, draw_urgent_day
from core.capabilities.arrivals.policies import policy_named
from core.engines.replay.clock import replay


@pytest.mark.parametrize("curves", ["step", "classes"])
def test_it_earns_what_max_upt_greedy_earns(curves) -> None:
    workload = draw_urgent_day(UrgentSettings(150, 10, burst=6, curves=curves, seed=3))
    with interpreted():
        ours = replay(workload, policy_named("upt-greedy").policy)
        assert len(ours.stops) > 0
        assert plain_greedy(workload) == pytest.approx(ours.worth, rel=1e-12)
