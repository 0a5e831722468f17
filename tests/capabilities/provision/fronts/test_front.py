"""Fronts have every vertex, and nothing is beyond them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from capabilities.provision.plans import odd_plan
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.plan_as_stated import decide_as_stated
from core.capabilities.provision.confidence import confidence_region
from core.capabilities.provision.first_stage import Purchase, mixture
from core.capabilities.provision.fronts.front import (
    FrontPoint,
    feasible_region,
    front_of_three,
    front_of_two,
    lines_for,
    most_beyond,
    orthogonal_weighings,
)
from core.capabilities.provision.futures.uncertainty import Scenarios
from core.capabilities.provision.objectives import OBJECTIVES, SIGNS, objectives_of, weights_of
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.capabilities.provision.second_stages import SecondStages, Weights
from core.vocabulary.problems import InvalidInput


def small():
    """One task type; a machine type that is cheap and one that saves power; each does 1 task a
    second. With 3 of money, there can be 3 cheap ones, or 1.5 that save.
    """
    offers = (MachineOffer("cheap", 1.0), MachineOffer("saving", 2.0))
    work = (TaskDemand("T", 1.0, 2.0),)
    times, powers = np.ones((1, 2)), np.array([[10.0, 4.0]])
    plan = Plan(work, offers, times, PlanLimits(3.0), powers)
    return plan, Scenarios(np.array([[2.0]]), times[None], powers[None])


def test_the_front_of_reward_and_power_has_its_three_vertices():
    # Nothing; 1.5 that save; 1 that saves and 1 cheap, which serve all that arrives.
    front = front_of_two(*small(), ("reward", "power"), gap=1e-6)
    assert front.chain == pytest.approx(np.array([[0, 0], [1.5, 6], [2, 14]]), abs=1e-6)
    assert [point.purchase.cost for point in front.points] == pytest.approx([0, 3, 3], abs=1e-6)


def test_the_region_of_reward_and_power_has_its_corners():
    # The most power takes 3 cheap ones, but only 2 are busy.
    corners = feasible_region(*small(), ("reward", "power"), gap=1e-6)
    found = {tuple(corner) for corner in corners.round(5).tolist()}
    assert found == {(0, 0), (1.5, 6), (2, 14), (2, 20)}


def test_a_region_without_an_end_is_refused():
    plan, scenarios = small()
    free = replace(plan, offers=(MachineOffer("cheap", 0.0), *plan.offers[1:]))
    with pytest.raises(InvalidInput, match="row cheap, column max: costs nothing and has no limit"):
        feasible_region(free, scenarios, ("reward", "power"))
    with pytest.raises(InvalidInput, match="money can always be wasted"):
        feasible_region(plan, scenarios, ("cost", "power"))
    bounded = replace(free, limits=PlanLimits(3.0, most_machines=2.0))
    assert len(feasible_region(bounded, scenarios, ("reward", "power"))) >= 3


def test_power_needs_watts():
    plan, scenarios = small()
    with pytest.raises(InvalidInput, match="power needs the watts"):
        front_of_two(plan, replace(scenarios, powers=None), ("reward", "power"))


def test_a_front_has_every_vertex_and_no_other_point():
    # With one more machine, the scenarios are served one after the other, as they have more work.
    plan, scenarios = small()
    many = Scenarios(np.array([[1.0], [2.0], [3.0], [4.0]]), scenarios.times, scenarios.powers)
    rich = replace(
        plan,
        limits=PlanLimits(9.0),
        offers=plan.offers[:1],
        times=np.ones((1, 1)),
        powers=np.array([[10.0]]),
    )
    many = replace(many, times=np.ones((1, 1, 1)), powers=np.full((1, 1, 1), 10.0))
    front = front_of_two(rich, many, ("reward", "cost"), gap=1e-6)
    assert front.chain == pytest.approx(
        np.array([[0, 0], [1, 1], [1.75, 2], [2.25, 3], [2.5, 4]]), abs=1e-6
    )
    assert front.gap <= 1e-6
    some = front_of_two(rich, many, ("reward", "cost"), gap=1e-6, most=3)
    assert len(some.points) == 3
    assert 0.01 < some.gap < 0.5


@pytest.mark.parametrize("a_second", [0.3, 3e-9])
def test_rare_failures_have_their_front(a_second):
    """A machine that fails once in ten years does so 3e-9 times a second, which is no rounding."""
    plan, scenarios = small()
    cheap, saving = plan.offers
    plan = replace(plan, offers=(replace(cheap, failure_rate=a_second), saving))
    front = front_of_two(plan, scenarios, ("reward", "failures"), gap=1e-6)
    assert front.chain == pytest.approx(np.array([[1.5, 0], [2, a_second]]), rel=1e-6, abs=1e-14)


def test_a_type_that_cannot_be_had_hides_no_failures_of_others() -> None:
    """Its rate once made the range of all others a rounding."""
    plan, scenarios = small()
    offers = tuple(replace(one, failure_rate=1e-7 * (k + 1)) for k, one in enumerate(plan.offers))
    few = front_of_two(replace(plan, offers=offers), scenarios, ("reward", "failures"), gap=1e-6)
    never = MachineOffer("never", 1.0, most=0.0, failure_rate=1.0)
    times, powers = np.ones((1, 3)), np.array([[10.0, 4.0, 4.0]])
    more = replace(plan, offers=(*offers, never), times=times, powers=powers)
    wide = Scenarios(np.array([[2.0]]), times[None], powers[None])
    many = front_of_two(more, wide, ("reward", "failures"), gap=1e-6)
    assert len(few.points) > 1
    assert many.chain == pytest.approx(few.chain, rel=1e-6, abs=1e-14)


PAIRS = [("reward", "power"), ("reward", "cost"), ("power", "cost"), ("reward", "failures")]


@pytest.mark.thorough
@example(0, ("reward", "failures"), 0.5)
@example(526, ("reward", "failures"), 0.5)  # neither here, but more of it: 8e-10
@example(4574, ("reward", "failures"), 0.5)  # failures have no range but rounding
@example(6031, ("reward", "failures"), 0.5)  # and here from the beginning: 1e-16
@example(157559, ("reward", "failures"), 0.5)  # all that fail are sold: 3e-11 are left
@given(st.integers(0, 2**32), st.sampled_from(PAIRS), st.floats(0.02, 0.98))
def test_no_purchase_is_beyond_the_front(seed, names, share):
    plan, scenarios = feasible(seed)
    front = front_of_two(plan, scenarios, names, gap=1e-6)
    at = [OBJECTIVES.index(name) for name in names]
    weights = np.zeros(4)
    weights[at] = np.array([share, 1 - share]) / front.ranges
    _, value = decide_as_stated(plan, scenarios, weights_of(weights))
    ours = max(-float(weights @ (SIGNS * point.objectives)) for point in front.points)
    assert ours == pytest.approx(value, abs=1e-5)
    for one, other in pairwise(front.points):
        between = mixture(plan, [one.purchase, other.purchase], np.array([1 - share, share]))
        assert (between.counts <= plan.most + 1e-9).all()
        assert between.cost <= plan.limits.budget + 1e-6


def feasible(seed):
    """An odd plan whose limits can be kept."""
    plan, scenarios = odd_plan(seed)
    idle = float(plan.idle_powers @ plan.counts)
    limits = replace(
        plan.limits,
        most_machines=max(plan.limits.most_machines, float(plan.counts.sum())),
        power=max(plan.limits.power, idle),
    )
    return replace(plan, limits=limits), scenarios


@pytest.mark.thorough
def test_points_of_three_objectives_beat_none_of_each_other():
    plan, scenarios = feasible(5)
    found = front_of_three(plan, scenarios, ("reward", "cost", "power"), lines=7)
    points = found.points
    signed = np.array([(SIGNS * point.objectives)[[0, 1, 3]] for point in points])
    assert len(points) >= 3
    finer = front_of_three(plan, scenarios, ("reward", "cost", "power"), lines=15)
    assert 0 < finer.gap < found.gap < 1
    for one in signed:
        better = (signed <= one + 1e-9).all(axis=1) & (signed < one - 1e-4).any(axis=1)
        assert not better.any()


def test_objectives_are_those_of_every_scenario():
    plan, scenarios = small()
    two = Scenarios(np.array([[2.0], [0.5]]), scenarios.times, scenarios.powers)
    stages = SecondStages(plan, two, Weights(1.0, power=0.01))
    counts = np.array([1.0, 1.0])
    purchase = Purchase(counts, 0 * counts, counts, 3.0)
    found = objectives_of(stages, purchase, stages.of(counts).busy)
    assert found == pytest.approx(np.array([[2, 3, 0, 14], [0.5, 3, 0, 2]]))
    front = front_of_two(plan, two, ("reward", "power"), gap=1e-6)
    assert isinstance(front.points[0], FrontPoint)
    assert front.points[-1].covariance[0, 0] == pytest.approx(1.125)


@pytest.mark.parametrize(
    ("rates", "sets", "variance", "estimates"),
    [
        ([2.0, 0.5], 1, 1.125, 2),
        ([2.0, 0.5, 0.5, 2.0], 1, 0.75, 4),
        ([2.0, 0.5, 0.5, 2.0], 2, 0.0, 2),
        ([2.0, 2.0, 0.5, 0.5], 2, 1.125, 2),
    ],
)
def test_regions_are_of_what_is_independent(rates, sets, variance, estimates):
    plan, scenarios = small()
    each = Scenarios(np.array(rates)[:, None], scenarios.times, scenarios.powers, sets)
    best = front_of_two(plan, each, ("reward", "power"), gap=1e-6).points[-1]
    assert best.covariance[0, 0] == pytest.approx(variance, abs=1e-9)
    assert best.estimates == estimates
    known = confidence_region(best.objectives[:1], best.covariance[:1, :1], estimates)
    assert best.region(["reward"]).axes == pytest.approx(known.axes)
    assert best.region(["reward"]).centre == pytest.approx(best.objectives[:1])
    both = best.region(["power", "reward"])
    assert both.centre == pytest.approx(best.objectives[[3, 0]])
    assert np.isinf(both.axes).all() == (estimates == 2)


@pytest.mark.parametrize(("lines", "kept"), [(5, 8), (11, 34), (21, 140), (31, 293), (51, 814)])
def test_as_many_points_of_the_grid_are_weights(lines, kept):
    found = orthogonal_weighings(3, lines)
    assert len(found) == 3 + kept
    assert (found >= 0).all()
    assert found.sum(axis=1) == pytest.approx(1)
    assert (found[:3] == np.eye(3)).all()


def test_two_objectives_get_weights_at_equal_distances():
    found = orthogonal_weighings(2, 5)[2:]
    first = np.linspace(0, 1, 5)
    assert found == pytest.approx(np.stack([first, 1 - first], axis=1))


@pytest.mark.parametrize(("most", "lines"), [(5, 3), (6, 3), (7, 4), (36, 10), (37, 11), (40, 11)])
def test_the_grid_is_the_finest_with_at_most_so_many_weighings(most, lines):
    assert lines_for(3, most) == lines


ALONE = np.eye(3)


def test_a_single_point_that_is_best_in_all_objectives_is_all_there_is():
    assert most_beyond(np.zeros((1, 3)), ALONE, np.zeros(3)) == pytest.approx(0.0, abs=1e-9)


def test_three_points_leave_open_what_is_between_them():
    # Each is best in one objective and worst in the others; (0, 0, 0) is not ruled out. The mix
    # of all is at 2/3 in each.
    points = 1 - np.eye(3)
    assert most_beyond(points, ALONE, np.zeros(3)) == pytest.approx(2 / 3)


IN_TWOS = (1 - np.eye(3)) / 2


def test_weighings_of_two_and_of_all_close_the_gap():
    points = 1 - np.eye(3)
    weighings = np.vstack([ALONE, IN_TWOS, np.full(3, 1 / 3)])
    closed = np.array([0, 0, 0, 0.5, 0.5, 0.5, 2 / 3])
    assert most_beyond(points, weighings, closed) == pytest.approx(0.0, abs=1e-9)
    half = np.append(closed[:-1], 1 / 3)
    assert most_beyond(points, weighings, half) == pytest.approx(1 / 6, abs=1e-6)


def test_a_point_that_is_worse_than_all_others_in_one_objective_may_be_possible():
    # Nothing rules out (0, 0, 2), which half of two points misses by 1/2.
    weighings = np.vstack([ALONE, np.full(3, 1 / 3)])
    found = most_beyond(1 - np.eye(3), weighings, np.append(np.zeros(3), 2 / 3))
    assert found == pytest.approx(1 / 2)


def test_a_gap_is_a_share_of_the_ranges_of_the_front():
    """Without failures, any purchase has the fewest, also one that earns nothing: the range of what
    is best in one objective is 46 times that of the front.
    """
    front = front_of_two(*feasible(0), ("reward", "failures"), gap=1e-6)
    assert np.ptp(front.chain[:, 0]) == pytest.approx(0.1086, abs=1e-4)
    assert front.ranges == pytest.approx(np.ptp(front.chain, axis=0), rel=0.01)
    assert front.chain[-1, 1] == pytest.approx(0.0330402, abs=1e-7)
