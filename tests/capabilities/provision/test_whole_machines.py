"""Whole machines: the best purchase of all, as trying all of them shows."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.by_enumeration import best_whole, keeps_limits
from capabilities.provision.plans import odd_plan, odder_plan
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from core.capabilities.provision.clashes import find_clash
from core.capabilities.provision.comparison import compare
from core.capabilities.provision.futures.uncertainty import Scenarios, mean_future
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.capabilities.provision.second_stages import Weights
from core.capabilities.provision.two_stage import decide
from core.engines.lp.program import Infeasible, Program

AIMS = [Weights(), Weights(1, 0.05, 0.3, 0.02), Weights(1, 0.01, caution=0.5, worst=0.7)]


@examples(8)
@given(st.integers(0, 2**32), st.sampled_from(AIMS))
def test_whole_machines_are_the_best_of_all(seed, weights):
    """Issue 33, points 25, 27, 28 and 29: the best of all purchases that keep all limits, proven;
    beside it, knowing more is worth more, and no rival refuses the plan.
    """
    plan, scenarios = odder_plan(seed)
    best = best_whole(plan, scenarios, weights)
    clash = find_clash(plan, whole=True)
    if best == -np.inf:
        assert clash is not None
        with pytest.raises(Infeasible):
            decide(plan, scenarios, weights, whole=True)
        return
    assert clash is None
    found = compare(plan, scenarios, weights, whole=True)
    decision = found.decision
    assert decision.lower == pytest.approx(best, rel=2e-6, abs=2e-6)
    assert decision.upper >= best - 1e-7
    assert decision.upper - decision.lower <= 1e-6 * max(abs(best), 1)
    assert found.vss >= -1e-6
    assert found.evpi >= -1e-6
    for one in found.outcomes.values():
        purchase = one.purchase
        assert keeps_limits(plan, purchase.buy, purchase.sell)
        assert (purchase.buy % 1 == 0).all()
        assert (purchase.sell % 1 == 0).all()


@examples(8)
@given(st.integers(0, 2**32), st.booleans())
@example(64, False)
@example(121, True)
def test_limits_and_counts_need_not_be_whole(seed, in_parts):
    """HiGHS 1.15 lost the best purchase where a bound of a whole column was none, such as 2.24."""
    plan, scenarios = odder_plan(seed)
    random = np.random.default_rng([seed, 5])
    offers = [
        replace(
            offer,
            count=(count := offer.count + (random.choice([0, 0.3, 0.5]) if in_parts else 0.0)),
            most=max(offer.most + random.choice([0, 0.24, 0.9]), count),
            least=max(offer.least - random.choice([0, 0.4]), 0.0),
        )
        for offer in plan.offers
    ]
    plan = replace(plan, offers=tuple(offers))
    best = best_whole(plan, scenarios, Weights())
    if best == -np.inf:
        return
    found = decide(plan, scenarios, whole=True)
    assert found.lower == pytest.approx(best, rel=2e-6, abs=2e-6)
    assert found.upper >= best - 1e-7


@examples(8)
@given(st.integers(0, 2**32))
@example(548263740)
def test_a_coarse_answer_keeps_its_gap(seed):
    """Issue 35: a first answer, whose bound is proven, too. Of the example, HiGHS 1.15 lost the
    best purchase where it had to find out that counts are whole.
    """
    plan, scenarios = odder_plan(seed)
    best = best_whole(plan, scenarios, Weights())
    if best == -np.inf:
        return
    found = decide(plan, scenarios, gap=0.01, whole=True)
    assert found.upper >= best - 1e-7
    assert found.lower <= best + 1e-7
    assert found.upper - found.lower <= 0.0101 * abs(best) + 1e-6


def fleet(*machines, times, rates, **limits):
    """A plan with rewards of 1."""
    demands = tuple(TaskDemand(f"T{i}", 1.0, rate) for i, rate in enumerate(rates))
    return Plan(demands, machines, np.array(times), PlanLimits(**limits))


def spread(plan, count):
    """Futures with between 65 and 135 % of what arrives on average."""
    share = np.random.default_rng(0).uniform(0.65, 1.35, (count, len(plan.demands)))
    return Scenarios(plan.arrival_rates * share, plan.times[None])


def test_a_purchase_that_was_tried_in_parts_is_the_best_whole_one():
    """Issue 33, point 25: one machine may be bought, and is; nothing was bought and "proven"."""
    plan = fleet(MachineOffer("M1", 15.0, most=1.0), times=[[10]], rates=[0.05], budget=1000)
    found = decide(plan, spread(plan, 100), whole=True)
    assert found.purchase.buy.tolist() == [1]
    assert found.gap <= 1e-6


def test_whole_machines_for_the_mean_future_are_the_best_of_it():
    """Issue 33, point 25: with nothing bought for the mean future, VSS was all of the reward."""
    offers = MachineOffer("A", 100.0, most=6.0), MachineOffer("B", 100.0, most=4.0)
    plan = fleet(*offers, times=[[10, 12], [30, 20]], rates=[0.45, 0.2], budget=5000)
    for_mean = decide(plan, mean_future(plan), whole=True)
    assert for_mean.lower == pytest.approx(0.65)
    assert for_mean.purchase.cost == 900
    found = compare(plan, spread(plan, 20), whole=True)
    assert 0 <= found.vss < 0.05


@pytest.mark.parametrize("worst", [0.05, 0.07])
def test_whole_machines_with_caution_leave_no_gap(worst):
    """Issue 33, point 25: cuts of the worst scenarios are tight, also if a part of one counts."""
    plan = fleet(MachineOffer("M1", 15.0, most=4.0), times=[[10]], rates=[0.3], budget=1000)
    weights = Weights(caution=0.999, worst=worst)
    scenarios = spread(plan, 150)
    found = decide(plan, scenarios, weights, whole=True)
    assert found.lower == pytest.approx(best_whole(plan, scenarios, weights), rel=1e-9)
    assert found.gap <= 1e-6
    assert decide(plan, scenarios, weights).gap <= 1e-6


@pytest.mark.parametrize("seed", [50, 253, 314])
def test_what_a_solver_found_is_no_proof(seed, monkeypatch):
    """Issue 33, point 25: where it stops with a gap, the best of all is within what is proven."""
    plan, scenarios = odd_plan(seed)
    monkeypatch.setattr("core.capabilities.provision.first_stage.SAME_OPTIMUM", 0.9)
    found = decide(plan, scenarios, whole=True)
    best = best_whole(plan, scenarios, Weights())
    assert found.lower <= best + 1e-7
    assert found.upper >= best - 1e-7


def test_one_in_parts_is_within_its_bound():
    """Issue 33, point 25: of a purchase in whole numbers, the bound is what HiGHS has proven."""
    program = Program(mip_rel_gap=0.5)
    row = program.add_rows(-np.inf, 7.0)
    entries = [(np.full(3, row[0]), np.array([2.0, 3.0, 4.0]))]
    program.add_columns(entries, np.array([-3.0, -4.0, -6.0]), upper=2.0, whole=True)
    found = program.minimise()
    assert found.bound <= -10
    assert found.objective >= -10
