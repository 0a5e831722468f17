"""A line is below every schedule, whatever prices it was made of."""

from collections.abc import Callable

import numpy as np
import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.relaxed import ENERGY, MAKESPAN, Lines, lower_bound
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import MachineType, System, TaskType
from core.vocabulary.tolerances import NOT_DIVISIBLE

WEIGHTS = np.array([[1.0, 0.0], [1.0, 2.5], [0.0, 1.0]])


@given(schedules(systems(with_apc=True)), st.integers(0, 2**32 - 1))
def test_no_schedule_is_below_a_line_of_any_prices(schedule: Schedule, seed: int) -> None:
    system = schedule.system
    random = np.random.default_rng(seed)
    prices = random.normal(size=(3, len(system.machine_types))) * 10.0 ** random.integers(-9, 9)
    lines = Lines.proven(system, WEIGHTS, prices)
    point = np.array([schedule.energy, schedule.makespan])
    assert (WEIGHTS @ point >= lines.value * (1 - 1e-12)).all()


NEXT_TO_NOTHING = System(
    (TaskType("T", 1),),
    (MachineType("A"), MachineType("B", 9, 2.225073858507e-311)),
    [[1, 1]],
    [[0, 0]],
)


@given(systems(with_apc=True), st.integers(0, 2**32 - 1))
@example(NEXT_TO_NOTHING, 1)
def test_all_machines_together_are_worth_a_second_of_makespan(system: System, seed: int) -> None:
    prices = np.random.default_rng(seed).random((3, len(system.machine_types)))
    lines = Lines.proven(system, WEIGHTS, prices)
    worth = WEIGHTS @ [system.total_idle_power, 1.0]
    paid = lines.machine_prices @ system.machine_counts
    assert (paid <= worth).all()
    np.testing.assert_allclose(paid, worth, rtol=1e-12, atol=NOT_DIVISIBLE)


@given(systems(with_apc=True, dyadic=True))
@examples(10)
def test_prices_of_an_optimum_prove_it(system: System) -> None:
    bounds = [lower_bound(system, objective) for objective in (ENERGY, MAKESPAN)]
    lines = Lines.proven(system, np.eye(2), np.array([bound.prices for bound in bounds]))
    np.testing.assert_allclose(lines.value, [bound.value for bound in bounds], rtol=1e-9)


def test_how_far_points_are_above(two_by_two: Callable[..., System]) -> None:
    lines = Lines.proven(two_by_two(), np.eye(2), np.ones((2, 2)))
    assert len(lines) == 2
    np.testing.assert_allclose(lines.value, [900, 9], rtol=1e-12)
    points = np.array([[1000.0, 30.0], [900.0, 12.0]])
    np.testing.assert_allclose(lines.excess(points), [0.1, 0.25], rtol=1e-9)
    last = lines.chosen(slice(1, 2))
    assert len(last) == 1
    np.testing.assert_allclose(last.excess(points[:1]), [0.7], rtol=1e-9)
    assert lines.chosen(np.array([1, 0])).value == pytest.approx(lines.value[::-1])


def test_where_all_is_nothing_nothing_is_above(two_by_two: Callable[..., System]) -> None:
    lines = Lines.proven(two_by_two(), np.eye(2)[:1], np.ones((1, 2)))
    assert lines.excess(np.array([[0.0, 5.0]])).tolist() == [0.0]


def test_lines_follow_each_other_and_are_chosen_with_all_that_is_theirs() -> None:
    lines = Lines(np.array([[1.0, 2.0]]), np.array([3.0]), np.array([[4.0, 5.0, 6.0]]))
    other = Lines(np.array([[7.0, 8.0]]), np.array([9.0]), np.array([[1.0, 0.0, 2.0]]))
    both = lines.followed_by(other)
    assert len(both) == 2
    assert both.weights.tolist() == [[1, 2], [7, 8]]
    assert both.value.tolist() == [3, 9]
    assert both.machine_prices.tolist() == [[4, 5, 6], [1, 0, 2]]
    last = both.chosen(np.array([1]))
    assert (last.weights.tolist(), last.value.tolist()) == ([[7, 8]], [9])
    assert last.machine_prices.tolist() == [[1, 0, 2]]


def test_a_point_is_above_by_a_share_of_what_it_weighs_however_little_that_is() -> None:
    lines = Lines(np.array([[1.0, 2.0], [1.0, -2.0], [0.0, 0.0]]), np.zeros(3), np.zeros((3, 1)))
    points = np.array([[0.125, 0.0625], [0.25, 0.0625], [5.0, 5.0]])
    assert lines.excess(points).tolist() == [1.0, 1 / 3, 0.0]
