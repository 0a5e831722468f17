"""The mean future has the means of a plan, and nothing else."""

import numpy as np
from capabilities.provision.plans import e1, odd_plan

from core.capabilities.provision.futures.scenarios import mean_future


def test_the_mean_future_is_one_scenario_of_means() -> None:
    plan, _ = odd_plan(3)
    found = mean_future(plan)
    assert len(found) == found.sets == 1
    assert found.arrivals.tolist() == [plan.arrival_rates.tolist()]
    assert np.array_equal(found.times[0], plan.times)
    assert found.powers is not None
    assert plan.powers is not None
    assert np.array_equal(found.powers[0], plan.powers, equal_nan=True)


def test_a_plan_without_powers_has_none_in_the_mean_future() -> None:
    assert mean_future(e1()).powers is None
