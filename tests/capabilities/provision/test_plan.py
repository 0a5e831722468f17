"""A plan with faults is refused with every fault, its place and its remedy."""

import math
from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.plans import e1, odd_plan

from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.vocabulary.problems import InvalidInput

T, M = TaskDemand("T", 1.0, 2.0), MachineOffer("M", 3.0)
FREE = PlanLimits(10.0)
ONE = np.array([[1.0]])


def said(demands=(T,), offers=(M,), times=ONE, limits=FREE, powers=None):
    """What is told about a plan."""
    try:
        plan = Plan(demands, offers, times, limits, powers)
    except InvalidInput as refused:
        return [str(problem) for problem in refused.problems]
    assert plan.warnings == ()
    return []


def test_a_plan_without_faults_is_taken():
    assert said() == []
    assert said(offers=(replace(M, resale=3.0, least=2.0, most=2.0),)) == []
    assert said(limits=PlanLimits(-5.0, 2.0, 2.0, power=0.0), powers=ONE) == []
    fails = (replace(M, failure_rate=0.1),)
    assert said(offers=fails, limits=PlanLimits(1.0, failure_rate=0.0)) == []
    assert said(times=np.array([[math.inf]]), powers=np.array([[math.nan]])) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"demands": ()}, ": has no task type or no machine type; give at least one of each"),
        ({"offers": ()}, ": has no task type or no machine type; give at least one of each"),
        (
            {"demands": (T, T), "times": np.ones((2, 1))},
            "tasks, row T: is there more than once; give each type a name of its own",
        ),
        (
            {"offers": (M, M), "times": np.ones((1, 2))},
            "machines, row M: is there more than once; give each type a name of its own",
        ),
        ({"times": np.ones((2, 1))}, "etc: has the shape (2, 1), where (1, 1) types are; mend it"),
        ({"powers": np.ones((1, 2))}, "apc: has the shape (1, 2), where (1, 1) types are; mend it"),
        (
            {"times": np.array([[math.nan]])},
            "etc, row T, column M: nan is outside 1e-09 to 1e+15 s; mend it",
        ),
        (
            {"times": np.array([[0.0]])},
            "etc, row T, column M: 0 is outside 1e-09 to 1e+15 s; mend it",
        ),
        (
            {"powers": np.array([[math.nan]])},
            "apc, row T, column M: nan is outside -1e+12 to 1e+12 W; mend it",
        ),
        (
            {"offers": (replace(M, least=2.0, most=1.5),)},
            "machines, row M, column max: at most 1.5 machines contradict at least 2; raise max, "
            "or lower min",
        ),
        (
            {"offers": (replace(M, resale=3.01),)},
            "machines, row M, column resale: a machine would be sold for 3.01 and bought for 3, a "
            "gain without end; let it bring at most its price",
        ),
        (
            {"limits": PlanLimits(math.inf)},
            "plan, column budget: there is no budget; give one, 0 to change at no cost at all",
        ),
        (
            {"limits": PlanLimits(math.nan)},
            "plan, column budget: there is no budget; give one, 0 to change at no cost at all",
        ),
        (
            {"limits": PlanLimits(1.0, 3.0, 2.0)},
            "plan, column max_machines: at most 2 machines contradict at least 3; raise "
            "max_machines, or lower min_machines",
        ),
        (
            {"limits": PlanLimits(1.0, failure_rate=-0.1)},
            "plan, column failure_rate: is below 0; give 0 or more, or leave it out",
        ),
        (
            {"limits": PlanLimits(1.0, power=math.nan), "powers": ONE},
            "plan, column power: is below 0; give 0 or more, or leave it out",
        ),
    ],
)
def test_each_fault_has_its_place_and_remedy(changes, expected):
    assert said(**changes) == [f"error: {expected}" if expected[0] != ":" else f"error{expected}"]


@pytest.mark.parametrize(
    ("column", "field", "value", "allowed"),
    [
        ("reward", "reward", -1.0, "0 to 1e+12 a task"),
        ("arrival_rate", "arrival_rate", math.inf, "0 to 1e+12 tasks a second"),
        ("price", "price", math.nan, "0 to 1e+12 a machine"),
        ("resale", "resale", -1.0, "0 to 1e+12 a machine"),
        ("failure_rate", "failure_rate", 2e9, "0 to 1e+09 failures a second"),
        ("count", "count", -1.0, "0 to 1e+06 machines"),
        ("min", "least", -1.0, "0 to 1e+06 machines"),
        ("idle_power", "idle_power", -1.0, "0 to 1e+12 W"),
    ],
)
def test_a_number_beyond_its_range_is_named(column, field, value, allowed):
    outside = f"column {column}: {value:g} is outside {allowed}; mend it"
    if hasattr(T, field):
        assert said(demands=(replace(T, **{field: value}),)) == [f"error: tasks, row T, {outside}"]
    else:
        assert said(offers=(replace(M, **{field: value}),)) == [
            f"error: machines, row M, {outside}"
        ]


@pytest.mark.parametrize("idle", [0.0, 5.0])
def test_a_limit_of_power_needs_powers_of_pairs(idle):
    offers = (replace(M, idle_power=idle),)
    assert said(offers=offers, limits=PlanLimits(1.0, power=1e9)) == [
        "error: plan, column power: a limit needs the powers of pairs (apc), since idle powers do "
        "not say what busy machines draw; add apc, or remove the limit"
    ]
    assert said(offers=offers, limits=PlanLimits(1.0, power=1e9), powers=ONE) == []


def test_a_limit_of_failures_without_failures_is_a_warning():
    (warning,) = Plan((T,), (M,), ONE, PlanLimits(1.0, failure_rate=0.0)).warnings
    assert str(warning) == (
        "warning: plan, column failure_rate: the limit changes nothing, since no machine type has "
        "a failure_rate; add that column to the machines, or remove the limit"
    )


def test_all_faults_are_told_at_once():
    offers = (replace(M, name="A", price=-1.0), replace(M, name="B", resale=4.0))
    told = said(offers=offers, times=np.array([[1.0, -1.0]]), limits=PlanLimits(math.inf))
    places = [one.partition(": ")[2].partition(":")[0] for one in told]
    assert places == [
        "etc, row T, column B",
        "machines, row A, column price",
        "machines, row B, column resale",
        "plan, column budget",
    ]


def test_a_plan_cannot_be_changed_and_keeps_what_it_was_given():
    times = e1().times.copy()
    plan = replace(e1(), times=times)
    times[0, 0] = 7.0
    assert plan.times[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        plan.times[0, 0] = 7.0


def test_columns_are_those_of_the_types():
    plan, _ = odd_plan(11)
    for name, field in (
        ("counts", "count"),
        ("prices", "price"),
        ("resales", "resale"),
        ("failure_rates", "failure_rate"),
        ("idle_powers", "idle_power"),
        ("least", "least"),
        ("most", "most"),
    ):
        assert getattr(plan, name).tolist() == [getattr(offer, field) for offer in plan.offers]
    assert plan.rewards.tolist() == [demand.reward for demand in plan.demands]
    assert plan.arrival_rates.tolist() == [demand.arrival_rate for demand in plan.demands]
