"""A chain holds the points that no other dominates, each once, in order; it is 2 long."""

import numpy as np
import pytest
from chains import convex_chains, points, scales
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import staircase
from core.vocabulary.plane.points import (
    Gap,
    Steps,
    exchange_rates,
    gaps,
    knee,
    largest_gap,
    nadir,
    nearest_to_knee,
    non_dominated,
    normalised,
    sorted_front,
    utopia,
)
from core.vocabulary.plane.polygons import area, closed


def dominates(a: FloatArray, b: FloatArray) -> bool:
    return bool((a <= b).all() and (a < b).any())


@given(points())
def test_kept_is_what_nothing_dominates_and_the_first_of_equals(points: FloatArray) -> None:
    expected = [
        not any(dominates(other, point) for other in points)
        and not (points[:index] == point).all(axis=1).any()
        for index, point in enumerate(points)
    ]
    assert non_dominated(points).tolist() == expected


@given(points())
def test_a_sorted_front_trades_energy_for_makespan(points: FloatArray) -> None:
    chain = sorted_front(points)
    assert sorted(map(tuple, chain)) == sorted(map(tuple, points[non_dominated(points)]))
    assert (np.diff(chain[:, 0]) > 0).all()
    assert (np.diff(chain[:, 1]) < 0).all()


def test_utopia_and_nadir_take_each_coordinate_by_itself() -> None:
    front = np.array([[900.0, 30.0], [1140.0, 18.0], [1404.0, 10.8]])
    assert utopia(front).tolist() == [900.0, 10.8]
    assert nadir(front).tolist() == [1404.0, 30.0]


@given(convex_chains(min_size=2), scales())
def test_a_chain_of_two_or_more_points_is_2_long_in_any_units(
    chain: FloatArray, scale: FloatArray
) -> None:
    assert gaps(chain * scale).sum() == pytest.approx(2)
    assert gaps(chain * scale) == pytest.approx(gaps(chain))


def test_what_does_not_differ_is_0_when_normalised() -> None:
    assert normalised(np.array([[7.0, 3.0]])).tolist() == [[0.0, 0.0]]
    assert normalised(np.array([[7.0, 3.0], [7.0, 1.0]])).tolist() == [[0.0, 1.0], [0.0, 0.0]]
    assert gaps(np.array([[7.0, 3.0]])).tolist() == []


def hypervolume(points: FloatArray, energy: int, makespan: int) -> int:
    """How many unit squares of the box up to a nadir are dominated: exact for whole numbers."""
    squares = ((x, y) for x in range(energy) for y in range(makespan))
    return sum(bool((points <= square).all(axis=1).any()) for square in squares)


def test_a_hypervolume_counted_by_hand() -> None:
    # Up to (4, 3): 3 squares up and right of (1, 2), and 4 of (2, 1), 2 of which are the same.
    assert hypervolume(np.array([[1.0, 2.0], [2.0, 1.0]]), 4, 3) == 3 + 4 - 2


@given(points())
def test_the_hypervolume_is_the_area_up_and_right_of_the_staircase(points: FloatArray) -> None:
    for corner in ((7, 7), (3, 4)):
        region = closed(staircase(points), np.array(corner, float))
        assert area(region) == pytest.approx(hypervolume(points, *corner))


def test_a_saved_second_costs_the_more_the_faster(known_front: FloatArray) -> None:
    assert exchange_rates(known_front) == pytest.approx([20, 36.66666666666667])
    assert exchange_rates(known_front[:1]).tolist() == []


@given(convex_chains())
def test_what_the_saved_seconds_cost_is_the_energy_between_the_ends(chain: FloatArray) -> None:
    rates = exchange_rates(chain)
    assert rates @ -np.diff(chain[:, 1]) == pytest.approx(chain[-1, 0] - chain[0, 0])
    assert (np.diff(rates) >= -1e-9).all()


def test_the_knee_is_the_point_nearest_to_having_both() -> None:
    assert knee(np.array([[0, 10], [1, 4], [2, 1], [6, 0.5], [10, 0]])) == 2


def test_a_front_without_a_bend_has_no_knee() -> None:
    assert knee(np.array([[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]])) is None
    assert knee(np.array([[0.0, 2.0], [1.0, 0.985], [2.0, 0.0]])) is None
    assert knee(np.array([[0.0, 2.0], [1.0, 0.975], [2.0, 0.0]])) == 1
    assert knee(np.array([[0.0, 2.0], [1.0, 1.5], [2.0, 0.0]])) is None
    assert knee(np.array([[0.0, 2.0], [2.0, 0.0]])) is None
    assert knee(np.array([[0.0, 2.0]])) is None


@given(convex_chains(min_size=3), scales())
def test_the_knee_does_not_depend_on_units(chain: FloatArray, scale: FloatArray) -> None:
    here, there = knee(chain), knee(chain * scale)
    if here is None or there is None:
        assert here == there
    else:
        span = np.ptp(chain, axis=0)
        assert (chain[here] / span).sum() == pytest.approx((chain[there] / span).sum())


@given(convex_chains(min_size=3), st.integers(1, 20), st.integers(0, 2**32))
def test_nearest_to_the_knee_by_brute_force(front: FloatArray, many: int, seed: int) -> None:
    """It is the nearest of all, and no other dominates it."""
    points = front.mean(axis=0) * np.random.default_rng(seed).uniform(0.2, 3, (many, 2))
    found, bend = nearest_to_knee(points, front), knee(front)
    if bend is None:
        assert found is None
        return
    span = np.ptp(front, axis=0)

    def beyond(point: FloatArray) -> tuple[float, float]:
        shares = (point - front[bend]) / span
        return max(shares), sum(shares)

    assert found is not None
    assert beyond(points[found]) == min(map(beyond, points))
    assert non_dominated(points)[found]


def test_nothing_is_nearest_where_there_is_no_point_or_no_knee() -> None:
    assert nearest_to_knee(np.empty((0, 2)), np.array([[0, 10], [2, 1], [10, 0]])) is None
    assert nearest_to_knee(np.array([[1.0, 1.0]]), np.array([[0.0, 1.0]])) is None


def test_the_largest_gap(known_front: FloatArray) -> None:
    assert largest_gap(known_front) == Gap(0, 240.0, 12.0)
    assert largest_gap(known_front[:1]) is None
    assert largest_gap(np.array([[5.0, 3.0], [9.0, 3.0]])) == Gap(0, 4.0, 0.0)


CELLS = st.lists(st.integers(-9, 50).map(float) | st.just(np.inf), min_size=1, max_size=12)


@given(CELLS, st.sampled_from([0.0, 1.0, 20.0]))
def test_steps_are_below_the_cells_and_not_far(cells: list[float], worth_a_step: float) -> None:
    joules = np.array(cells)
    begins = np.arange(len(cells) + 1.0) + 7
    steps = Steps.of_cells(begins, joules, worth_a_step)
    # What a slower schedule cannot do a faster one cannot do either.
    exact = np.maximum.accumulate(joules[::-1])[::-1]
    possible = exact < np.inf
    assert steps.begins[0] == 7 + (~possible).sum()
    assert (np.diff(steps.begins) > 0).all()
    assert (np.diff(steps.joules) < 0).all()
    assert steps.joules[-1] == -np.inf
    if possible.any():
        lost = exact[possible] - steps.needed(begins[:-1][possible])
        assert (lost >= 0).all()
        assert lost.sum() <= worth_a_step * len(steps.joules)


def test_steps_worth_nothing_are_left_out() -> None:
    begins, joules = np.arange(5.0), np.array([9.0, 8.0, 3.0, 2.0])
    steps = Steps.of_cells(begins, joules, 1.5)
    assert steps.begins.tolist() == [0.0, 2.0, 4.0]
    assert steps.joules.tolist() == [8.0, 2.0, -np.inf]


@pytest.mark.parametrize(
    ("worth_a_step", "begins"), [(0.9, [0, 2, 4]), (1.0, [0, 4]), (1.1, [0, 4])]
)
def test_what_a_step_is_worth_is_joules_by_seconds(
    worth_a_step: float, begins: list[float]
) -> None:
    # Half a joule over 2 s; the last step, below which nothing is known, is worth any.
    steps = Steps.of_cells(np.array([0.0, 2.0, 4.0]), np.array([2.5, 2.0]), worth_a_step)
    assert steps.begins.tolist() == begins
    assert steps.joules.tolist() == ([2.5, 2, -np.inf] if len(begins) == 3 else [2, -np.inf])


def test_half_a_joule_less_is_another_step() -> None:
    steps = Steps.descending(np.array([1.0, 2.0, 3.0]), np.array([2.5, 2.0, 2.0]))
    assert (steps.begins.tolist(), steps.joules.tolist()) == ([1, 2], [2.5, 2])


@given(CELLS, CELLS, st.integers(0, 8))
def test_two_prove_what_either_does(cells: list[float], other: list[float], later: int) -> None:
    one = Steps.of_cells(np.arange(len(cells) + 1.0), np.array(cells), 0.0)
    two = Steps.of_cells(np.arange(len(other) + 1.0) + later, np.array(other), 0.0)
    both = one.raised_to(two)
    assert both.begins[0] == max(one.begins[0], two.begins[0])
    makespans = np.linspace(both.begins[0], 30, 200)
    higher = np.maximum(one.needed(makespans), two.needed(makespans))
    assert (both.needed(makespans) == higher).all()
    assert (np.diff(both.joules) < 0).all()


def test_where_nothing_is_known_but_the_least_makespan() -> None:
    none = Steps.none_before(3.0)
    assert none.needed(np.array([3.0, 9.0])).tolist() == [-np.inf, -np.inf]
