"""The limits that leave a purchase no room are named, and what it earns above nothing."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.plans import e1, odder_plan

from core.capabilities.provision.answer import reached_limits, reached_said
from core.capabilities.provision.comparison import compare
from core.capabilities.provision.first_stage import keeps_limits, nothing_bought
from core.capabilities.provision.futures.uncertainty import mean_future
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.capabilities.provision.rules import read_rule
from core.capabilities.provision.told import run_said, untouched_said
from core.capabilities.provision.words import RewardRate
from core.engines.lp.program import Infeasible

RATE = RewardRate("1/s", "EUR")


def machines(*offers, rules=(), **limits):
    """Work for 10 machines of 100 W that earn 1 a second each."""
    return Plan(
        (TaskDemand("T", 1.0, 10.0),),
        offers,
        np.ones((1, len(offers))),
        PlanLimits(**({"budget": 100.0} | limits)),
        np.full((1, len(offers)), 100.0),
        tuple(row for text in rules for row in read_rule(text, [one.name for one in offers])),
    )


def found(plan, *, whole=True):
    return compare(plan, mean_future(plan), whole=whole)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (machines(MachineOffer("M", 1.0)), "none"),
        (machines(MachineOffer("M", 15.0)), "the budget"),
        (machines(MachineOffer("M", 25.5)), "the budget"),
        (machines(MachineOffer("M", 1.0, most=3.0)), "max of M"),
        (machines(MachineOffer("M", 1.0), MachineOffer("N", 2.0, least=1.0)), "min of N"),
        (machines(MachineOffer("M", 1.0), most_machines=4.0), "the largest number of machines"),
        (machines(MachineOffer("M", 1.0), least_machines=12.0), "the least number of machines"),
        (machines(MachineOffer("M", 1.0), power=500.0), "power"),
        (machines(MachineOffer("M", 1.0, failure_rate=0.5), failure_rate=2.0), "failures"),
        (machines(MachineOffer("M", 1.0), rules=("M <= 3",)), 'the rule "M <= 3"'),
        (machines(MachineOffer("M", 1.0, most=3.0), power=300.0), "max of M and power"),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_the_limits_that_are_reached_are_named(plan, said, *, whole):
    """Issue 33, point 32: the text names the limits that bind."""
    assert reached_said(plan, found(plan, whole=whole)) == said


def test_a_limit_may_be_reached_in_some_scenarios():
    plan = machines(MachineOffer("M", 1.0), power=500.0)
    few = mean_future(plan)
    some = replace(few, arrivals=np.array([[1.0], [2.0], [8.0], [4.0]]))
    outcome = compare(plan, some, whole=True)
    (limit,) = reached_limits(plan, outcome)
    assert str(limit) == "power in 25 % of the scenarios"


def test_room_for_one_more_machine_is_room():
    plan = machines(MachineOffer("M", 25.0), budget=99.0)
    assert reached_said(plan, found(plan)) == "the budget"
    small = replace(plan, demands=(TaskDemand("T", 1.0, 2.0),))
    assert reached_said(small, found(small)) == "none"


def test_what_comes_of_nothing_stands_beside_the_purchase():
    """Issue 33, point 32: the reward without buying, and payback."""
    plan = machines(MachineOffer("M", 10.0, count=2.0))
    one = found(plan)
    assert (one.untouched.reward, one.untouched.purchase.cost) == (2, 0)
    assert one.payback == pytest.approx(80 / 8)
    assert untouched_said(one, RATE) == (
        "Buying and selling nothing earns 2 EUR a second, 8 EUR a second less: by its reward, the "
        "purchase pays for itself in 10 s."
    )
    assert run_said(one.outcomes["rp"], RATE) == "draws 1 kW on average"
    failing = replace(plan, offers=(replace(plan.offers[0], failure_rate=0.5),))
    assert run_said(found(failing).outcomes["rp"], RATE) == (
        "draws 1 kW and has 5 failures a second on average"
    )
    assert run_said(compare(e1(), mean_future(e1())).outcomes["rp"], RATE) == ""


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (machines(MachineOffer("M", 10.0, least=3.0)), "does not keep all limits."),
        (machines(MachineOffer("M", 10.0, count=12.0)), "earns as much, 10 EUR a second."),
        (
            machines(MachineOffer("M", 10.0, 5.0, count=12.0), budget=-40),
            "does not keep all limits.",
        ),
    ],
)
def test_nothing_may_break_limits_or_earn_as_much(plan, said):
    """Issue 33, point 28: what cannot keep the limits is said to be so."""
    one = found(plan)
    assert one.payback is None
    assert untouched_said(one, RATE) == f"Buying and selling nothing {said}"


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_never_better_than_the_purchase(seed):
    plan, scenarios = odder_plan(seed)
    try:
        one = compare(plan, scenarios, whole=True)
    except Infeasible:
        return
    assert (one.untouched is not None) == keeps_limits(plan, nothing_bought(plan))
    if one.untouched is not None:
        assert one.untouched.value <= one.decision.upper + 1e-6


def test_what_brings_money_needs_no_payback():
    swapped = machines(MachineOffer("M", 50.0, 50.0, count=1.0), MachineOffer("N", 20.0), budget=0)
    faster = replace(swapped, times=np.array([[4.0, 1.0]]))
    one = found(faster)
    assert one.outcomes["rp"].purchase.cost <= 0
    assert one.outcomes["rp"].reward > 1
    assert one.payback is None
    assert "pays for itself" not in untouched_said(one, RATE)
