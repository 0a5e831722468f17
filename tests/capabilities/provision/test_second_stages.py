"""What counts are worth in each scenario is the optimum there, and bounds all other counts."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.by_highs import hindsight, values_of
from capabilities.provision.plans import odd_plan, odder_plan
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.plan_as_stated import decide_as_stated
from core.capabilities.provision.futures.uncertainty import Scenarios, mean_future
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.capabilities.provision.second_stages import SecondStages, Weights
from core.capabilities.provision.two_stage import decide
from core.engines.lp.program import SolverFailed

AIMS = st.sampled_from([Weights(), Weights(3, 0.1, 0.5, 0.05), Weights(0, 0, 1, 1)])


@examples(10)
@given(st.integers(0, 2**32), AIMS)
def test_values_are_optima_and_cuts_are_nowhere_below(seed, weights):
    plan, scenarios = odd_plan(seed)
    stages = SecondStages(plan, scenarios, weights)
    random = np.random.default_rng(seed)
    tried = []
    for _ in range(4):
        counts = random.uniform(0, 4, len(plan.offers)) * (random.random(len(plan.offers)) < 0.8)
        optima = values_of(plan, scenarios, counts, weights)
        if optima is not None:
            tried.append((counts, optima, stages.of(counts)))
    for counts, optima, found in tried:
        assert found.values == pytest.approx(optima, abs=1e-8)
        assert found.constants + found.slopes @ counts == pytest.approx(optima, abs=1e-7)
        assert (found.slopes[:, plan.idle_powers == 0] >= -1e-12).all()
        earned = (found.busy * stages.pairs.worth).sum(axis=1)
        assert earned == pytest.approx(optima, abs=1e-8)
        for others, least, _ in tried:
            assert (found.constants + found.slopes @ others >= least - 1e-8).all()


@examples(10)
@given(st.integers(0, 2**32), AIMS)
def test_what_is_known_before_is_worth_its_optimum(seed, weights):
    plan, scenarios = odd_plan(seed)
    try:
        values, counts, _ = SecondStages(plan, scenarios, weights).wait_and_see()
    except SolverFailed:
        return  # the machines that there are break a limit that no purchase mends
    assert values == pytest.approx(hindsight(plan, scenarios, weights), abs=1e-7)
    assert (counts >= plan.least - 1e-9).all()
    assert (counts <= plan.most + 1e-9).all()
    assert (counts.sum(axis=1) <= plan.limits.most_machines + 1e-9).all()
    for k, one in enumerate(counts):
        change = one - plan.counts
        cost = plan.prices @ np.maximum(change, 0) - plan.resales @ np.maximum(-change, 0)
        assert cost <= plan.limits.budget + 1e-8
        again = SecondStages(plan, scenarios.part(k, k + 1), weights).of(one).values[0]
        spent = weights.cost * cost + weights.power * plan.idle_powers @ one
        assert again - spent == pytest.approx(values[k], abs=1e-7)


@example(229, Weights())  # a pair that cannot run has a power below that of idling
@example(15409, Weights(3, 0.1, 0.5, 0.05))  # 1e-7 of a machine is worth 3e-7
@examples(4)
@given(st.integers(0, 2**32), AIMS)
def test_machines_may_draw_less_when_they_work_than_when_they_idle(seed, weights):
    """Issue 33, point 29: the optima are those of HiGHS, and who knows the future keeps the limit
    of power with idle machines, as the purchase does.
    """
    plan, scenarios = odder_plan(seed)
    plan = replace(plan, rules=())
    best, value = decide_as_stated(plan, scenarios, weights)
    if value == -np.inf:
        return
    stages = SecondStages(plan, scenarios, weights)
    optima = values_of(plan, scenarios, np.maximum(best.counts - 1e-7, 0), weights)
    if optima is not None:
        counts = np.maximum(best.counts - 1e-7, 0)
        assert stages.of(counts).values == pytest.approx(optima, abs=1e-7)
    known = stages.wait_and_see()
    assert known.values == pytest.approx(hindsight(plan, scenarios, weights), abs=1e-6)
    assert (known.counts @ plan.idle_powers <= plan.limits.power + 1e-6).all()
    found = decide(plan, scenarios, weights, gap=1e-8)
    assert found.lower == pytest.approx(value, abs=1e-6)


def test_a_machine_that_draws_less_when_it_works_earns():
    """Issue 33, point 29: one machine of 130 W idle and 100 W busy does all; the answer was 0."""
    plan = Plan(
        (TaskDemand("t", 1.0, 0.1),),
        (MachineOffer("M1", 10.0, idle_power=130.0),),
        np.array([[10.0]]),
        PlanLimits(100.0, power=500.0),
        np.array([[-30.0]]),
    )
    found = decide(plan, mean_future(plan))
    assert found.lower == pytest.approx(0.1)
    assert found.purchase.buy == pytest.approx([1], abs=1e-6)


@pytest.mark.parametrize(
    ("offer", "limits", "cost", "machines"),
    [
        ({"count": 1.0, "most": 3.0}, {}, 0.0, 3),
        ({"count": 1.0}, {"most_machines": 2.5}, 0.0, 2.5),
        ({"count": 1.0}, {}, 0.0, 6),
        ({"count": 4.0}, {}, 3.0, 0),
        ({"count": 4.0, "least": 1.5}, {}, 3.0, 1.5),
        ({"count": 4.0}, {"least_machines": 2.0}, 3.0, 2),
    ],
)
def test_what_is_known_before_keeps_each_limit(offer, limits, cost, machines):
    """A machine earns 1, costs 2 and brings 1; there are 10 to spend, and work without end."""
    plan = Plan(
        (TaskDemand("T", 1.0, 100.0),),
        (MachineOffer("M", 2.0, 1.0, **offer),),
        np.array([[1.0]]),
        PlanLimits(10.0, **limits),
    )
    weights = Weights(cost=cost)
    stages = SecondStages(plan, Scenarios(np.array([[100.0]]), plan.times[None]), weights)
    counts = stages.wait_and_see().counts
    assert counts[0, 0] == pytest.approx(machines)


def test_each_scenario_starts_from_its_last_optimum():
    """The same counts again take no step, and give the same."""
    plan, scenarios = odd_plan(5)
    stages = SecondStages(plan, scenarios, Weights())
    counts = np.ones(len(plan.offers))
    first, again = stages.of(counts), stages.of(counts)
    assert first.values == pytest.approx(again.values, abs=1e-14)
    elsewhere = stages.of(2 * counts)
    fresh = SecondStages(plan, scenarios, Weights()).of(2 * counts)
    assert elsewhere.values == pytest.approx(fresh.values, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_times_may_be_of_any_size_in_any_scenario(seed):
    """One pair in one scenario is a million times faster; the others are no less exact."""
    random = np.random.default_rng(seed)
    times = np.exp(random.normal(0, 4, (60, 4, 3)))
    plan = Plan(
        tuple(TaskDemand(f"T{i}", 1.0, 1.0) for i in range(4)),
        tuple(MachineOffer(f"M{j}", 1.0) for j in range(3)),
        np.ones((4, 3)),
        PlanLimits(10.0),
    )
    scenarios = Scenarios(np.exp(random.normal(0, 2, (60, 4))), times)
    stages = SecondStages(plan, scenarios, Weights())
    for _ in range(6):
        counts = np.exp(random.normal(0, 2, 3))
        optima = values_of(plan, scenarios, counts, Weights())
        assert stages.of(counts).values == pytest.approx(optima, rel=1e-6)


@pytest.mark.parametrize("powers", [[30.0, 20.0, 20.0], [20.0, 20.0, 30.0], [20.0, 30.0, 20.0]])
@pytest.mark.parametrize("failures", [[2.0, 1.0, 3.0], [3.0, 2.0, 1.0], [1.0, 3.0, 2.0]])
def test_of_what_earns_the_same_the_least_power_then_the_fewest_failures_count(powers, failures):
    """One task a second keeps one of three machines busy; all take the same time."""
    plan = Plan(
        (TaskDemand("T", 5.0, 1.0),),
        tuple(MachineOffer(f"M{j}", 1.0, failure_rate=failures[j]) for j in range(3)),
        np.ones((1, 3)),
        PlanLimits(10.0),
        np.array([powers]),
    )
    scenarios = Scenarios(np.ones((2, 1)), plan.times[None], plan.powers[None])
    worth = SecondStages(plan, scenarios, Weights()).of(np.ones(3), thrifty=True)
    assert worth.values.tolist() == [5.0, 5.0]
    best = min(range(3), key=lambda j: (powers[j], failures[j]))
    assert worth.busy.tolist() == [np.eye(3)[best].tolist()] * 2


def test_less_power_never_costs_reward():
    """The dear machine is twice as fast, so both are busy, however much it draws."""
    plan = Plan(
        (TaskDemand("T", 5.0, 9.0),),
        (MachineOffer("fast", 1.0), MachineOffer("slow", 1.0)),
        np.array([[1.0, 2.0]]),
        PlanLimits(10.0),
        np.array([[1e6, 1.0]]),
    )
    scenarios = Scenarios(np.array([[9.0]]), plan.times[None], plan.powers[None])
    worth = SecondStages(plan, scenarios, Weights()).of(np.ones(2), thrifty=True)
    assert worth.values.tolist() == [7.5]
    assert worth.busy.tolist() == [[1.0, 1.0]]


@examples(10)
@given(st.integers(0, 2**32), AIMS)
def test_thrifty_operations_are_worth_as_much_with_the_same_cuts(seed, weights):
    plan, scenarios = odd_plan(seed)
    stages, again = (SecondStages(plan, scenarios, weights) for _ in range(2))
    counts = np.random.default_rng(seed).uniform(0, 4, len(plan.offers))
    if values_of(plan, scenarios, counts, weights) is None:
        return
    any_of, thrifty = stages.of(counts), again.of(counts, thrifty=True)
    assert thrifty.values == pytest.approx(any_of.values, abs=1e-12)
    assert (thrifty.constants == any_of.constants).all()
    assert (thrifty.slopes == any_of.slopes).all()
    earned = (thrifty.busy * stages.pairs.worth).sum(axis=1)
    assert earned == pytest.approx(any_of.values, abs=1e-7)
    if stages.powers is not None:
        drawn = [(one.busy * stages.powers).sum(axis=1) for one in (thrifty, any_of)]
        assert (drawn[0] <= drawn[1] + 1e-7).all()
