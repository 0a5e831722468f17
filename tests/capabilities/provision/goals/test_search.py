"""One objective is the best there is, and the means of others keep their limits."""

import math
from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.plans import e1, e1_scenarios, odd_plan
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.plan_as_stated import decide_as_stated
from core.capabilities.provision.confidence import Sampling
from core.capabilities.provision.futures.uncertainty import Scenarios, Uncertainty, Variation
from core.capabilities.provision.goals.goal import Goal, ImpossibleGoal
from core.capabilities.provision.goals.search import decide_goal, on_fresh
from core.capabilities.provision.objectives import OBJECTIVES, weights_of
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.engines.lp.program import Infeasible
from core.vocabulary.budget import Cancelled
from core.vocabulary.problems import InvalidInput


def small():
    """One task type, of which 2 arrive a second, or 1; a machine type that is cheap and one that
    saves power. Each does 1 task a second.
    """
    offers = (MachineOffer("cheap", 1.0, failure_rate=0.5), MachineOffer("saving", 2.0))
    times, powers = np.ones((1, 2)), np.array([[10.0, 4.0]])
    plan = Plan((TaskDemand("T", 1.0, 1.5),), offers, times, PlanLimits(9.0), powers)
    return plan, Scenarios(np.array([[2.0], [1.0]]), times[None], powers[None])


def test_the_cheapest_purchase_earns_what_is_asked():
    # One machine earns 1 in both scenarios, a second one only in the first.
    plan, scenarios = small()
    found = decide_goal(plan, scenarios, Goal("cost", reward=1.25))
    assert found.purchase.counts == pytest.approx([1.5, 0], abs=1e-6)
    assert found.purchase.cost == pytest.approx(1.5)
    assert found.means == pytest.approx(
        {"reward": 1.25, "cost": 1.5, "failures": 0.625, "power": 12.5}
    )
    assert found.each[:, 0] == pytest.approx([1.5, 1])
    assert (found.value, found.bound) == pytest.approx((1.5, 1.5))
    assert found.bound <= found.value * (1 + 1e-9)
    assert found.prices == pytest.approx({"reward": 2.0})


def test_the_least_power_for_a_reward_takes_machines_that_save():
    plan, scenarios = small()
    found = decide_goal(plan, scenarios, Goal("power", reward=1.25))
    assert found.purchase.counts == pytest.approx([0, 1.5], abs=1e-5)
    assert found.value == pytest.approx(4 * 1.25)
    assert found.prices == pytest.approx({"reward": 4.0})


def test_the_most_reward_keeps_a_mean_of_power_and_the_budget():
    plan, scenarios = small()
    poor = replace(plan, limits=PlanLimits(3.0))
    found = decide_goal(poor, scenarios, Goal(power=7.0))
    _, value = decide_as_stated(poor, scenarios, weights_of(np.eye(4)[0]), on_means={"power": 7.0})
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.means["power"] <= 7 + 1e-6
    assert found.purchase.cost <= 3 + 1e-9


def test_of_purchases_that_are_as_good_the_cheapest_is_chosen():
    # Cheap machines may do 1 task a second on average: 1.5 when 2 arrive, and 0.5 when 1 does.
    # More machines that save would earn as much.
    plan, scenarios = small()
    found = decide_goal(plan, scenarios, Goal(failures=0.5))
    assert found.value == pytest.approx(1.5)
    assert found.purchase.counts == pytest.approx([1.5, 0.5], abs=2e-3)
    assert found.means["failures"] <= 0.5 + 1e-6


@pytest.mark.thorough
def test_the_usual_goal_is_the_two_stage_decision():
    found = decide_goal(e1(), e1_scenarios(0, 1000), Goal())
    assert found.value == pytest.approx(2.007607, abs=2e-6)
    assert found.purchase.counts == pytest.approx([1.874263, 0, 1.625737], abs=2e-3)
    assert found.bound >= found.value
    assert Goal().is_usual
    assert not Goal("cost").is_usual
    assert not Goal(power=0.0).is_usual


@pytest.mark.parametrize(
    ("goal", "name", "best", "kept"),
    [
        (Goal("cost", reward=1.6), "reward", 1.5, ()),
        (Goal("cost", reward=1.0, power=3.9), "power", 4.0, ("reward",)),
        (Goal("power", reward=1.5, failures=-0.1), "failures", 0.0, ("reward",)),
    ],
)
def test_an_impossible_limit_says_what_is_possible(goal, name, best, kept):
    with pytest.raises(ImpossibleGoal) as refused:
        decide_goal(*small(), goal)
    assert (refused.value.name, refused.value.kept) == (name, kept)
    assert refused.value.best == pytest.approx(best, abs=1e-6)
    assert refused.value.limit == goal.limits[name]


def test_a_limit_that_is_just_possible_is_kept():
    found = decide_goal(*small(), Goal("cost", reward=1.5))
    assert found.purchase.counts == pytest.approx([2, 0], abs=1e-6)


def test_power_needs_watts():
    plan, scenarios = small()
    for goal in (Goal("power"), Goal(power=3.0)):
        with pytest.raises(InvalidInput, match="power needs the watts"):
            decide_goal(plan, replace(scenarios, powers=None), goal)
    without = replace(scenarios, powers=None)
    found = decide_goal(replace(plan, powers=None), without, Goal("cost", reward=1.0))
    assert found.value == pytest.approx(1.0)
    assert math.isnan(found.means["power"])


def test_what_solvers_neglect_is_no_gap():
    plan, scenarios = small()
    found = decide_goal(plan, scenarios, Goal("failures", reward=1.5))
    assert found.value == pytest.approx(0.0, abs=1e-12)
    assert found.gap <= 1e-6
    for seed in (18, 148):
        plan, scenarios = odd_plan(seed)
        assert decide_goal(plan, scenarios, Goal("failures")).gap <= 1e-6


def test_progress_is_told_and_a_search_can_be_stopped():
    told = []
    decide_goal(*small(), Goal("cost", reward=1.25), report=told.append)
    assert [one.tries for one in told] == [*range(len(told))]
    assert told[0].gap is None
    with pytest.raises(Cancelled):
        decide_goal(*small(), Goal("cost", reward=1.25), should_stop=lambda: True)


GOALS = [
    ("cost", ("reward",)),
    ("power", ("reward",)),
    ("reward", ("power",)),
    ("failures", ("reward", "power")),
    ("cost", ("reward", "failures", "power")),
]


@pytest.mark.thorough
@given(st.integers(0, 2**32), st.sampled_from(GOALS), st.floats(0.0, 1.0))
@example(17, ("power", ("reward",)), 2.0**-24)
def test_it_is_the_optimum_of_the_program_as_stated(seed, asked, share):
    plan, scenarios = odd_plan(seed)
    objective, limited = asked
    try:
        most = decide_goal(plan, scenarios, Goal())
    except Infeasible:
        return
    usual = {"reward": share * most.value, "failures": 0.1, "power": 0.8 * most.means["power"]}
    limits = {name: usual[name] for name in limited}
    aim = weights_of(np.eye(4)[OBJECTIVES.index(objective)])
    _, stated = decide_as_stated(plan, scenarios, aim, on_means=limits)
    goal = Goal(objective, **limits)
    try:
        found = decide_goal(plan, scenarios, goal)
    except ImpossibleGoal:
        assert stated == -math.inf
        return
    value = stated if objective == "reward" else -stated
    # Where the limit is all that is possible, a little of it is worth much of the objective.
    off = 3e-6 if share < 1 - 1e-6 else 1e-5
    assert found.value == pytest.approx(value, rel=off, abs=3e-6)
    sign = -1 if objective == "reward" else 1
    assert sign * found.bound <= sign * value + 3e-6
    for name, limit in limits.items():
        over = found.means[name] - limit
        assert (-over if name == "reward" else over) <= 1e-5
    assert (found.purchase.counts <= plan.most + 1e-7).all()
    assert found.purchase.cost <= plan.limits.budget + 1e-6


def test_fresh_scenarios_are_run_by_the_same_mix():
    plan, _ = small()
    still = Sampling(Uncertainty(), 8)
    found = decide_goal(plan, still.scenarios(plan), Goal("power", reward=1.2))
    again = on_fresh(plan, found, still)
    assert {name: one.mean for name, one in again.items()} == pytest.approx(found.means)
    varied = Sampling(Uncertainty(Variation(0.3)), 64)
    found = decide_goal(plan, varied.scenarios(plan), Goal("power", reward=1.2))
    fresh = on_fresh(plan, found, varied)
    assert fresh["reward"].mean == pytest.approx(1.2, abs=0.1)
    assert 0 < fresh["power"].half_width < 0.5
