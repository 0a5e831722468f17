"""Limits that clash are named, with what each has to give at least."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.plans import e1, odd_plan
from hypothesis import assume, example, given
from hypothesis import strategies as st

from core.capabilities.provision.clashes import find_clash
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.capabilities.provision.rules import read_rule

WORK = (TaskDemand("T1", 1.0, 1.0),)


def plan_of(offers, limits):
    alike = np.ones((1, len(offers)))
    return Plan(WORK, tuple(offers), alike, limits, alike)


def gives(plan):
    clash = find_clash(plan)
    return {f"{give.row}{give.column}": give.needed for give in clash.alone}


def test_limits_that_can_be_kept_do_not_clash():
    offers = [MachineOffer("M1", 2.0, least=3.0, most=3.0), MachineOffer("M2", 1.0)]
    assert find_clash(plan_of(offers, PlanLimits(6.0, 3.0, 3.0))) is None


def test_each_limit_that_would_be_enough_is_named():
    offers = [MachineOffer("M1", 2.0, least=3.0), MachineOffer("M2", 1.0, least=1.0)]
    assert gives(plan_of(offers, PlanLimits(5.5))) == {"budget": 7.0, "M1min": 2.25}
    assert gives(plan_of(offers, PlanLimits(6.5))) == {"budget": 7.0, "M1min": 2.75, "M2min": 0.5}
    assert gives(plan_of(offers, PlanLimits(9.0, 0.0, 3.5))) == {
        "max_machines": 4.0,
        "M1min": 2.5,
        "M2min": 0.5,
    }


def test_too_many_machines_wanted():
    offers = [MachineOffer("M1", 2.0, most=2.0), MachineOffer("M2", 4.0, most=1.0)]
    assert gives(plan_of(offers, PlanLimits(100.0, least_machines=4.0))) == {
        "min_machines": 3.0,
        "M1max": 3.0,
        "M2max": 2.0,
    }


def test_what_idle_machines_draw():
    offers = [MachineOffer("M1", 0.0, count=4.0, idle_power=50.0, least=4.0)]
    assert gives(plan_of(offers, PlanLimits(0.0, power=120.0))) == {"power": 200.0, "M1min": 2.4}


def test_two_limits_that_have_to_give_together():
    offers = [MachineOffer("M1", 1.0, least=10.0, idle_power=50.0)]
    clash = find_clash(plan_of(offers, PlanLimits(4.0, power=100.0)))
    assert [give.remedy for give in clash.alone] == ["lower min of M1 from 10 to 2"]
    offers = [MachineOffer("M1", 1.0, count=3.0, least=2.0, most=2.5, resale=0.5)]
    tight = Plan(WORK, tuple(offers), np.ones((1, 1)), PlanLimits(-1.0, 5.0))
    clash = find_clash(tight)
    assert not clash.alone
    assert {give.column for give in clash.together} == {"budget", "min_machines"}


def ruled(*texts):
    """Machines of price 1 and rules about them, with a budget of 3.5."""
    offers = [MachineOffer("M1", 1.0), MachineOffer("M2", 1.0)]
    rules = [rule for text in texts for rule in read_rule(text, ("M1", "M2"))]
    return replace(plan_of(offers, PlanLimits(3.5)), rules=tuple(rules))


@pytest.mark.parametrize(
    ("rules", "remedies"),
    [
        (["M1 = 1.5"], ['loosen the rule "M1 = 1.5" by 0.5']),
        (["M1 = 1.0000005"], ['loosen the rule "M1 = 1.0000005" by 0.0000005']),
        (["M1 = 1.25"], ['loosen the rule "M1 = 1.25" by 0.25']),
        (
            ["M1 >= 1.5", "M1 <= 1.8"],
            ['loosen the rule "M1 >= 1.5" by 0.5', 'loosen the rule "M1 <= 1.8" by 0.2'],
        ),
        (["all >= 3.2"], ["raise budget from 3.5 to 4", 'loosen the rule "all >= 3.2" by 0.2']),
    ],
)
def test_limits_that_only_machines_in_parts_keep_are_named_too(rules, remedies):
    plan = ruled(*rules)
    assert find_clash(plan) is None
    clash = find_clash(plan, whole=True)
    assert [give.remedy for give in clash.alone] == remedies
    (said, *_) = clash.problems()
    assert said.message.startswith(f"no purchase of whole machines keeps all limits; {remedies[0]}")


def test_limits_that_whole_machines_keep_do_not_clash():
    assert find_clash(ruled("M1 = 2", "all >= 3"), whole=True) is None


def test_limits_that_clash_in_parts_are_named_as_such():
    plan = ruled("all >= 4.5")
    clash = find_clash(plan, whole=True)
    assert clash == find_clash(plan)
    assert not clash.whole


@example(170757, 4.0, 0.0)  # 0.0840424 in place of 0.08404239661
@given(st.integers(0, 2**32), st.floats(0, 5), st.floats(0, 8))
def test_a_limit_that_gives_so_much_is_enough_and_less_is_not(seed, least, total):
    plan, _ = odd_plan(seed)
    offers = (replace(plan.offers[0], least=min(least, plan.offers[0].most)), *plan.offers[1:])
    plan = replace(
        plan,
        offers=offers,
        limits=replace(plan.limits, least_machines=min(total, plan.limits.most_machines)),
    )
    clash = find_clash(plan)
    assume(clash is not None and clash.alone)
    for give in clash.alone:
        assert find_clash(changed(plan, give, give.needed)) is None
        nearly = give.limit + 0.99 * (give.needed - give.limit)
        if abs(give.by) > 1e-3:
            assert find_clash(changed(plan, give, nearly)) is not None


def changed(plan, give, value):
    if give.table == "plan":
        names = {"min_machines": "least_machines", "max_machines": "most_machines"}
        name = names.get(give.column, give.column)
        return replace(plan, limits=replace(plan.limits, **{name: value}))
    name = {"min": "least", "max": "most"}[give.column]
    offers = [
        replace(offer, **{name: value}) if offer.name == give.row else offer
        for offer in plan.offers
    ]
    return replace(plan, offers=tuple(offers))


@pytest.mark.parametrize(("budget", "resale"), [(-4.55, 0.0), (-1.0, 0.0), (-7.3e6, 0.0)])
def test_what_is_needed_is_nothing_and_not_its_rounding(budget, resale):
    """Issue 33, point 31: "raise budget from -4.55 to 0", not to -0.00000000455."""
    plan = replace(e1(budget), offers=tuple(replace(o, resale=resale) for o in e1().offers))
    clash = find_clash(plan)
    (give,) = clash.alone
    assert give.needed == 0
    assert give.remedy.endswith(" to 0")
