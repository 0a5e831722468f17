"""The least worst stretch is the published optimum; a plan has it, and prices prove it."""

import math
from dataclasses import replace

import numpy as np
import pytest
from capabilities.fair_shares.as_published import (
    earliest_mean,
    least_by_bisection,
    least_by_halves,
    possible,
)
from capabilities.fair_shares.made import compute_only, f9, f10, f12, made, random_bags
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.bags import ArrivingBags, Network
from core.capabilities.fair_shares.optimum import least_stretch, stretch_in_turns
from core.capabilities.fair_shares.recheck import faults
from core.capabilities.fair_shares.trials import published_scenario

EXAMPLES = {
    "F1": (made((10,), [[2]], data=4), 1),
    "F2": (compute_only((1, 3)), 4 / 3),
    "F3": (compute_only((4, 1), (0, 1)), 5 / 4),
    "F4": (compute_only((2, 2), (0, 1)), 3 / 2),
    "F5": (compute_only((2, 1, 1), (0, 1.5, 1.5)), 2),
    "F6": (made((11,), [[1], [2]], data=1, links=(1, 0.25), bandwidth=1.1), 1),
    "F7": (made((5, 5), [[1, 4], [4, 1]]), 5 / 4),
    "F8": (made((4, 4), [[1e-3, 1e-3]] * 2, data=1, release=(0, 2)), 3 / 2),
    "F9": (f9(), 3 / 2),
    "F9 without buffers": (f9(0), 5 / 3),
    "F9b 0.5": (f9(0.5), 1.5),
    "F9b 0.25": (f9(0.25), 4.75 / 3),
    "F9b 0.1": (f9(0.1), 4.9 / 3),
    "F10": (f10(), 5 / 4),
    "F11": (made((2, 2), [[1, math.inf], [math.inf, 1]]), 1),
    "F11 with a shared worker": (made((2, 2), [[1, math.inf], [math.inf, 1], [1, 1]]), 4 / 3),
    "F12": (f12(), 201 / 142),
    "F12 without buffers": (f12(0), 69 / 44),
}


@pytest.mark.parametrize(("bags", "expected"), EXAMPLES.values(), ids=EXAMPLES)
def test_examples_that_are_computed_by_hand(bags: ArrivingBags, expected: float) -> None:
    found = least_stretch(bags)
    assert found.stretch == pytest.approx(expected, rel=1e-9)
    assert found.proven == pytest.approx(expected, rel=1e-9)
    assert found.stretch <= found.plan_stretch <= found.stretch * (1 + 1.001e-6)
    assert faults(found.plan, found.plan_stretch) == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("seed", "expected"),
    {200: 7.966136, 201: 5.971203, 202: 5.596197, 203: 8.257957}.items(),
)
def test_scenarios_of_the_publication(seed: int, expected: float) -> None:
    found = least_stretch(published_scenario(seed), early=False)
    assert found.stretch == pytest.approx(expected, abs=1e-6)
    assert found.proven == pytest.approx(found.stretch, rel=1e-9)
    assert faults(found.plan, found.stretch) == []


def test_deadlines_are_what_can_be_promised() -> None:
    found = least_stretch(compute_only((4, 1), (0, 1)), early=False)
    assert found.deadlines == pytest.approx([5, 2.25])
    assert least_stretch(compute_only((1, 3)), early=False).deadlines == pytest.approx([4 / 3, 4])


@pytest.mark.thorough
def test_it_takes_few_programs() -> None:
    assert least_stretch(compute_only((2, 1, 1), (0, 1.5, 1.5)), early=False).programs <= 3
    found = least_stretch(published_scenario(200), early=False)
    assert len(found.milestones) == 145
    assert found.programs < 10
    # With halves in place of what prices say, they are 172, not 97.
    seeds = range(200, 220)
    few = [least_stretch(published_scenario(seed, 12, 5), early=False) for seed in seeds]
    assert sum(one.programs for one in few) <= 110


@pytest.mark.thorough
@examples(60)
@given(st.integers(0, 2**32))
def test_any_bags_have_the_published_optimum(seed: int) -> None:
    bags = random_bags(seed)
    found = least_stretch(bags)
    assert found.stretch == pytest.approx(least_by_halves(bags), rel=1e-7)
    assert found.proven == pytest.approx(found.stretch, rel=1e-8)
    assert faults(found.plan, found.plan_stretch) == []
    assert faults(least_stretch(bags, early=False).plan, found.stretch) == []


@pytest.mark.parametrize("seed", range(4))
def test_search_bisection_and_interior_points_agree(seed: int) -> None:
    bags = random_bags(seed + 100, bags=5)
    found = least_stretch(bags, early=False).stretch
    assert found == pytest.approx(least_by_bisection(bags), abs=2e-6)
    assert found == pytest.approx(least_by_halves(bags, "highs-ipm"), rel=1e-6)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [304, 309])
def test_memory_from_none_to_plenty(seed: int) -> None:
    """The stretch falls with memory, and each plan keeps to it."""
    plenty = published_scenario(seed, bags=8, workers=4)
    found = []
    for megabytes in (0, 20, 100, 400, math.inf):
        network = replace(plenty.network, memory=np.full(4, megabytes * 1e6))
        bags = replace(plenty, network=network)
        optimum = least_stretch(bags)
        assert faults(optimum.plan, optimum.plan_stretch) == []
        assert optimum.proven == pytest.approx(optimum.stretch, rel=1e-9)
        found.append(optimum.stretch)
        if megabytes in (0, 100):
            assert optimum.stretch == pytest.approx(least_by_halves(bags), rel=1e-7)
    assert (np.diff(found) <= 1e-9).all()
    assert found[0] > found[-1] + 1e-3
    assert found[-1] == pytest.approx(least_stretch(plenty, early=False).stretch)


@examples(8)
@given(st.integers(0, 2**32), st.sampled_from([1e-3, 60.0, 86_400.0]))
def test_the_unit_of_time_does_not_matter(seed: int, unit: float) -> None:
    bags, wide = random_bags(seed), math.inf
    network = Network.of(bags.system, wide, wide, bags.network.memory)
    here = replace(bags, network=network)
    system = replace(bags.system, etc=bags.system.etc * unit)
    there = ArrivingBags(system, bags.release * unit + 1e7 * unit, bags.data, network)
    expected = least_stretch(here, early=False).stretch
    assert least_stretch(there, early=False).stretch == pytest.approx(expected, rel=1e-7)


@examples(20)
@given(st.integers(0, 2**32))
def test_another_bag_never_lowers_the_stretch(seed: int) -> None:
    bags = random_bags(seed)
    fewer = bags.system.task_counts.copy()
    fewer[-1] = 0
    if not fewer.any():
        return
    without = replace(bags, system=bags.system.with_counts(fewer, bags.system.machine_counts))
    less = least_stretch(without, early=False)
    assert less.proven <= least_stretch(bags, early=False).stretch
    assert len(less.deadlines) == len(bags.names) - 1


def test_ten_thousand_machines_are_as_few_workers_as_ten() -> None:
    few, many = published_scenario(200), published_scenario(200, each=1000)
    assert many.system.machines == 10_000
    assert least_stretch(many, early=False).stretch == pytest.approx(
        least_stretch(few, early=False).stretch, rel=1e-9
    )


@examples(12)
@given(st.integers(0, 2**32))
def test_of_all_plans_it_is_one_of_those_that_end_earliest(seed: int) -> None:
    ends_earliest(random_bags(seed, bags=3))


@pytest.mark.parametrize("seed", [22, 230, 281])
def test_intervals_count_with_their_ends(seed: int) -> None:
    """Of these bags, other plans begin intervals earliest."""
    ends_earliest(random_bags(seed))


def test_what_prices_do_not_prove_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    bags = compute_only((4, 1), (0, 1))
    assert least_stretch(bags).proven == pytest.approx(5 / 4)
    monkeypatch.setattr("core.capabilities.fair_shares.optimum.proven_stretch", lambda *_: 1.01)
    found = least_stretch(bags)
    assert (found.stretch, found.proven) == (pytest.approx(5 / 4), 1.01)


def ends_earliest(bags: ArrivingBags) -> None:
    found = least_stretch(bags)
    plan, stretch = found.plan, found.stretch * (1 + 1e-6)
    ends = plan.dates[1:] - bags.release[bags.present].min()
    weights = bags.system.task_counts[bags.present] * bags.ideal * len(bags.ideal)
    mean = float(np.einsum("kuj,j,k->", plan.computed, ends, 1 / weights))
    assert mean == pytest.approx(earliest_mean(bags, stretch), rel=1e-5)


@pytest.mark.parametrize(("sent_early", "sent"), [(False, (0.5, 1.5)), (True, (1.5, 0.5))])
def test_tasks_may_be_sent_as_early_as_they_can(sent_early, sent) -> None:
    """A bag of 1 s without data is due at 1.5 s, one of 2 tasks of 1 s and 1 MB at 3 s. Half a task
    is computed before, and the link carries one and a half.
    """
    bags = made((1, 2), [[1, 1]], data=(0, 1))
    plan = least_stretch(bags, sent_early=sent_early).plan
    assert plan.computed[1, 0].tolist() == pytest.approx([0.5, 1.5], abs=1e-4)
    assert plan.sent[1, 0].tolist() == pytest.approx(sent, abs=1e-4)


@pytest.mark.parametrize(
    ("counts", "release", "expected"),
    [
        ((5,), (3,), 1),
        ((1, 3), (0, 0), 4 / 3),
        ((4, 1), (0, 1), 5 / 4),
        ((2, 1, 1), (0, 1.5, 1.5), 2),
    ],
)
def test_on_one_machine_it_is_the_optimum(counts, release, expected) -> None:
    bags = compute_only(counts, release)
    found = stretch_in_turns(bags.work.release, bags.ideal)
    assert expected <= found <= expected * (1 + 1e-6)


def test_in_turns_from_a_start_on() -> None:
    """At 3 s, 2 s and 1 s are left of bags of 4 s and 1 s: at 5 s, at 6 s, or the other way round,
    at 6 s of 4 s and at 4 s of 1 s.
    """
    release, left, ideal = np.array([0.0, 1]), np.array([2.0, 1]), np.array([4.0, 1])
    found = stretch_in_turns(release, left, ideal, 3.0)
    assert 3 <= found <= 3 * (1 + 1e-6)


@examples(30)
@given(st.integers(0, 2**32))
def test_it_is_possible_with_any_network(seed: int) -> None:
    bags = random_bags(seed)
    assert possible(bags, stretch_in_turns(bags.work.release, bags.ideal) * (1 + 1e-9))
