"""Policies have the published names and rules; the published maximum starts all on arrival."""

import numpy as np
import pytest

from core.capabilities.arrivals.policies import (
    POLICIES,
    PUBLISHED,
    STOPPING,
    EnergyFilter,
    PolicySwitches,
    UnknownPolicy,
    policy_named,
    published_maximum,
    stopping_policy,
)
from core.engines.replay.policy import NEVER_DROPPED, Blocked, Filter, Measure, Order, Switch
from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, Truth, Workload
from core.engines.replay.worth import WorthCurves, WorthPiece

NAMES = [
    *("random", "conservative", "easy", "queues"),
    *("max-util", "max-upt", "max-upr", "max-upe"),
    *("max-util-res", "max-upt-res", "max-upr-res", "max-upe-res"),
    *("event-based", "task-based"),
]


def test_every_policy_has_a_name_and_no_two_are_alike() -> None:
    assert list(PUBLISHED) == NAMES
    assert list(POLICIES) == [*NAMES, "prices"]
    rules = {repr(one.policy).partition(",")[2] for one in POLICIES.values()}
    assert len(rules) == len({one.label for one in POLICIES.values()}) == len(NAMES) + 1


def test_policies_that_stop_jobs_have_names_of_their_own() -> None:
    assert not STOPPING.keys() & POLICIES.keys()
    rules = {repr(one.policy).partition(",")[2] for one in STOPPING.values()}
    assert len(rules) == len({one.label for one in STOPPING.values()}) == len(STOPPING)
    assert stopping_policy("max-upt", "greedy") == "upt-greedy"
    assert stopping_policy("easy", "tiers") == "easy-tiers"
    assert stopping_policy("upt-diff", "greedy") == "upt-diff"
    with pytest.raises(UnknownPolicy, match="easy stops no job by 'greedy'; these do: max-util,"):
        stopping_policy("easy", "greedy")


@pytest.mark.parametrize(
    ("name", "order", "measure", "blocked", "fastest", "switch"),
    [
        ("random", Order.ARRIVAL, Measure.ANY, Blocked.RESERVE, False, Switch.NEVER),
        ("easy", Order.ARRIVAL, Measure.EARLIEST, Blocked.RESERVE_FIRST, True, Switch.NEVER),
        ("queues", Order.QUEUES, Measure.EARLIEST, Blocked.RESERVE, True, Switch.NEVER),
        ("max-upr-res", Order.BEST, Measure.PER_RESOURCE, Blocked.RESERVE, False, Switch.NEVER),
        ("max-upe", Order.BEST, Measure.PER_ENERGY, Blocked.HOLD, False, Switch.NEVER),
        ("event-based", Order.BEST, Measure.PER_RESOURCE, Blocked.HOLD, False, Switch.BY_EVENT),
        ("task-based", Order.BEST, Measure.PER_RESOURCE, Blocked.HOLD, False, Switch.BY_TASK),
    ],
)
def test_a_policy_is_its_choices(name, order, measure, blocked, fastest, switch) -> None:
    policy = policy_named(name).policy
    assert (policy.order, policy.measure, policy.blocked) == (order, measure, blocked)
    assert (policy.fastest_only, policy.switch) == (fastest, switch)
    assert (policy.drop_below, policy.filter) == (NEVER_DROPPED, Filter.NONE)


def test_a_filter_is_for_those_alone_that_do_not_look_at_energy() -> None:
    by_shares = policy_named("max-vptr").policy
    assert PolicySwitches(memory_weight=3.0).applied(by_shares).weights == (1.0, 3.0)
    assert PolicySwitches(memory_weight=3.0).applied(policy_named("max-vpm").policy).weights == (
        *(0.0, 1.0),
    )
    switches = PolicySwitches(0.25, EnergyFilter("task", 2.0))
    filtered = {
        name
        for name, one in POLICIES.items()
        if switches.applied(one.policy).filter == Filter.PER_TASK
    }
    assert filtered == {f"max-{x}{end}" for x in ("util", "upt", "upr") for end in ("", "-res")}
    assert switches.applied(policy_named("max-upr").policy).leniency == 2.0
    assert {switches.applied(one.policy).drop_below for one in POLICIES.values()} == {0.25}
    assert EnergyFilter("resource", 4.0).text == "resource:4"


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownPolicy, match="no policy is called 'maxupr'; did you mean max-upr"):
        policy_named("maxupr")
    with pytest.raises(UnknownPolicy, match=r"there are these: \(random, conservative"):
        policy_named("%")


def test_the_published_maximum_starts_every_job_on_arrival_on_its_fastest_option() -> None:
    """Worth 4 falls to 0 within 100 s in a line; the horizon is from 50 to 150 s."""
    falling = WorthCurves(((WorthPiece(0, 1, 0, 0), WorthPiece(100, 0, 0, 0)),), ("line",))
    jobs = ArrivingJobs(
        np.array([30.0, 60.0, 130.0]),
        np.zeros(3, int),
        ("a",),
        np.full(3, 4.0),
        np.zeros(3),
        np.zeros(3, int),
    )
    options = Options.of([0, 0, 1, 1, 2, 2], 0, 1, [80.0, 40, 50, 25, 40, 80], 1)
    workload = Workload(Pools.of(["p"], [1]), jobs, options, falling, Horizon(50, 150))
    # Half of the first (0.6 of 4), all of the second (0.75 of 4), half of the third (0.6 of 4).
    assert published_maximum(workload) == pytest.approx(1.2 + 3.0 + 1.2)
    halved = Truth(np.full(3, 0.5), np.ones(3))
    # 20 s: all before the horizon; 12.5 s: 0.875; 20 s: all within, 0.8.
    assert published_maximum(workload, halved) == pytest.approx(3.5 + 3.2)
