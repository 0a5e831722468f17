"""An objective is a weighted sum of joules and seconds, split into what HiGHS is told."""

from fractions import Fraction

import numpy as np
import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.relaxed import (
    ENERGY,
    MAKESPAN,
    Lines,
    Objective,
    lower_bound,
    met_bound,
    proven_bound,
)
from core.engines.relaxed.certificate import proven_bounds, scaled_prices
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import NoPowerData, System
from core.vocabulary.tolerances import NOT_DIVISIBLE, ULP

MIXED = Objective(energy=0.5, makespan=3.0)


@pytest.mark.parametrize(
    ("energy", "makespan"),
    [(0, 0), (-1, 1), (1, -1), (np.inf, 1), (1, np.inf), (np.nan, 1), (1, np.nan)],
)
def test_weights_that_mean_nothing_are_refused(energy, makespan):
    with pytest.raises(ValueError, match="weights"):
        Objective(energy, makespan)


@pytest.mark.parametrize("objective", [ENERGY, MAKESPAN, MIXED])
@examples(5)
@given(schedule=schedules(systems(with_apc=True, dyadic=True)))
def test_both_ways_to_add_it_up_give_the_value_of_the_schedule(objective, schedule):
    system = schedule.system
    value = objective.energy * schedule.energy + objective.makespan * schedule.makespan

    def over_tasks(costs):
        return float(schedule.placed[system.can_run] @ costs[system.can_run])

    above_idle = over_tasks(objective.task_costs(system))
    assert above_idle + objective.price_of_time(system) * schedule.makespan == value

    waiting = system.machine_counts * schedule.makespan - schedule.busy_seconds
    at_work = over_tasks(objective.work_costs(system))
    at_rest = float(objective.waiting_prices(system) @ waiting)
    assert at_work + at_rest + objective.makespan * schedule.makespan == value


@given(system=systems(with_apc=True))
def test_a_pair_that_cannot_run_costs_infinitely_much(system):
    for objective in (ENERGY, MAKESPAN, MIXED):
        for costs in (objective.task_costs(system), objective.work_costs(system)):
            assert (np.isinf(costs) == ~system.can_run).all()


def test_the_makespan_needs_no_power_and_energy_does():
    unpowered = load_sample("e3")
    assert (MAKESPAN.task_costs(unpowered) == 0).all()
    assert (MAKESPAN.work_costs(unpowered) == 0).all()
    assert MAKESPAN.price_of_time(unpowered) == 1
    for costs in (ENERGY.task_costs, ENERGY.work_costs):
        with pytest.raises(NoPowerData):
            costs(unpowered)


def test_the_costs_of_two_by_two_machines_by_hand(two_by_two):
    system = two_by_two(20.0, 10.0)
    assert (ENERGY.energy, ENERGY.makespan) == (1.0, 0.0)
    assert (MAKESPAN.energy, MAKESPAN.makespan) == (0.0, 1.0)
    both = Objective(energy=0.5, makespan=7.0)
    assert both.task_costs(system).tolist() == [[40, 20], [80, 30]]
    assert both.work_costs(system).tolist() == [[50, 30], [100, 45]]
    assert both.waiting_prices(system).tolist() == [10, 5]
    assert both.price_of_time(system) == 22
    assert MAKESPAN.price_of_time(system) == 1


OBJECTIVES = [MAKESPAN, ENERGY, Objective(energy=0.1, makespan=0.7)]
TINY = {"max_task_types": 2, "max_machine_types": 2, "max_count": 2, "with_apc": True}

objectives = pytest.mark.parametrize("objective", OBJECTIVES)


def dual_value(system, objective, prices):
    """The dual formula at these prices, scaled to the worth of a second, and its terms' size."""
    there = system.machine_counts.tolist()
    worth = Fraction(objective.makespan) + Fraction(objective.energy) * sum(
        count * Fraction(watts) for count, watts in zip(there, system.idle_power, strict=True)
    )
    spent = sum(count * Fraction(price) for count, price in zip(there, prices, strict=True))
    value = size = Fraction(0)
    for i, count in enumerate(system.task_counts.tolist()):
        cells = []
        for j in np.flatnonzero(system.can_run[i]):
            seconds = Fraction(system.etc[i, j])
            own = Fraction(0)
            if system.apc is not None:
                watts = Fraction(system.apc[i, j]) - Fraction(system.idle_power[j])
                own = Fraction(objective.energy) * seconds * watts
            time = worth * Fraction(prices[j]) / spent * seconds
            cells.append((own + time, abs(own) + time))
        value += count * min(cells)[0]
        size += count * max(cell[1] for cell in cells)
    return value, size


def underflow(system):
    """What a bound may be above the exact one where numbers are below the least normal float.

    There a float has fewer digits, and a rounding error is no share of it: each of a task's four
    products may be off by half of the least float, and so may the product with the number of tasks.
    """
    return 3 * Fraction(5e-324) * int(system.task_counts.sum())


@objectives
@examples(5)
@given(system=systems(with_apc=True), data=st.data())
def test_the_float_is_at_or_just_below_the_exact_value_of_the_dual_formula(objective, system, data):
    machines = len(system.machine_types)
    price = st.floats(1e-30, 1e30)
    prices = data.draw(st.lists(price, min_size=machines, max_size=machines))
    exact, size = dual_value(system, objective, prices)
    proven = Fraction(proven_bound(system, objective, np.array(prices)))
    assert proven <= exact + underflow(system)
    # A second that is worth next to nothing is worth nothing.
    longest = int(system.task_counts.sum()) * Fraction(system.etc[system.can_run].max())
    lost = 4 * underflow(system) + Fraction(NOT_DIVISIBLE) * longest
    assert exact - size * Fraction(1e-13) - lost <= proven


def test_rounding_does_not_add_up_over_many_machine_types():
    rng = np.random.default_rng(0)
    machines = 3000
    system = System(
        (TaskType("T", 10**12),),
        tuple(
            MachineType(f"M{j}", int(n), float(watts))
            for j, (n, watts) in enumerate(
                zip(
                    rng.integers(1, 10**6, machines),
                    10 ** rng.uniform(-9, 2, machines),
                    strict=True,
                )
            )
        ),
        rng.uniform(1, 10, (1, machines)),
        np.full((1, machines), 200.0),
    )
    prices = system.idle_power.tolist()
    exact, size = dual_value(system, ENERGY, prices)
    proven = Fraction(proven_bound(system, ENERGY, np.array(prices)))
    assert exact - size * Fraction(1e-13) <= proven <= exact


@pytest.mark.thorough
@objectives
@given(system=systems(**TINY), data=st.data())
def test_any_prices_give_a_valid_bound(objective, system, data, exact_optimum):
    machines = len(system.machine_types)
    anything = st.floats() | st.sampled_from([np.nan, np.inf, -np.inf, 0.0, -1.0, 1e308, 5e-324])
    prices = data.draw(st.lists(anything, min_size=machines, max_size=machines))
    bound = proven_bound(system, objective, np.array(prices))
    assert Fraction(bound) <= exact_optimum(system, objective) + underflow(system)


def test_below_the_least_normal_float_a_bound_is_no_higher_than_the_optimum(exact_optimum):
    """One task of a nanosecond and 2.2e-308 W: joules of which a float has six digits."""
    machines = (MachineType("M", 1),)
    system = System((TaskType("T", 1),), machines, [[1e-9]], [[2.225073858507201e-308]])
    below = exact_optimum(system, ENERGY) - Fraction(proven_bound(system, ENERGY, np.ones(1)))
    assert 0 <= below < 4 * underflow(system)


@objectives
@examples(5)
@given(system=systems(**TINY))
def test_the_bound_of_the_program_is_valid(objective, system, exact_optimum):
    bound = lower_bound(system, objective)
    assert Fraction(bound.value) <= exact_optimum(system, objective) + underflow(system)


@pytest.mark.parametrize("useless", [0.0, -1.0, np.nan, np.inf, -np.inf])
def test_without_a_useful_price_all_are_equal(useless):
    nine = load_sample("nine")
    assert proven_bound(nine, MAKESPAN, np.full(9, useless)) == met_bound(nine)


@given(system=systems())
def test_prices_are_relative(system):
    prices = np.arange(1.0, 1.0 + len(system.machine_types))
    bounds = {proven_bound(system, MAKESPAN, 2.0**power * prices) for power in (-1000, 0, 1000)}
    assert len(bounds) == 1


@given(system=systems())
def test_the_met_bound_is_the_published_formula(system):
    fastest = np.where(system.can_run, system.etc, np.inf).min(axis=1)
    work = sum(n * t for n, t in zip(system.task_counts, fastest, strict=True) if n)
    assert met_bound(system) == pytest.approx(work / system.machines, rel=1e-12, abs=0)


@given(system=systems())
def test_the_met_bound_is_no_better_than_that_of_the_program(system):
    # Past a range of 10^9 the program is capped, at the cost of about a billionth.
    assert met_bound(system) <= lower_bound(system, MAKESPAN).value * (1 + 1e-7)


def one_task(count=1, idle=0.0):
    """Of 4 s and 2 W on a single machine; a second type has no tasks, and no place to run."""
    return System(
        (TaskType("T", count), TaskType("none", 0)),
        (MachineType("M", 1, idle), MachineType("none", 0)),
        np.array([[4.0, 4.0], [np.inf, 1.0]]),
        np.array([[2.0, 2.0], [np.nan, 2.0]]),
    )


def test_every_rounding_error_counts_against_the_bound():
    """Of 4 s, 8 ULP for the scaled price, 8 for the cost, 4 for all tasks and 2 for the sum; with
    1 W more at work than idle, which no price scales, 8 fewer of one half.
    """
    assert scaled_prices(one_task(), np.array([[0.0, 1.0]]), np.array([[3.0, 3.0]])).tolist() == [
        [1 - 8 * ULP, 0]
    ]
    assert met_bound(one_task()) == 4 * (1 - 22 * ULP)
    assert met_bound(one_task(2)) == 8 * (1 - 22 * ULP)
    assert proven_bound(one_task(idle=1.0), ENERGY, np.ones(2)) == 8 * (1 - 18 * ULP)


def test_prices_are_scaled_row_by_row_by_hand():
    """All machines draw 30 W idle: 20 W of one, 2 x 5 W of the others, 4 W of a type with none."""
    system = System(
        (TaskType("T"),),
        (MachineType("A", 1, 20.0), MachineType("B", 2, 5.0), MachineType("none", 0, 4.0)),
        np.ones((1, 3)),
        np.ones((1, 3)),
    )
    unknown = [np.nan, np.inf, 7.0]
    rows = [
        # Weights of energy and makespan, prices, and what they come to.
        ([1.0, 0.0], [0.5, 0.25, 7.0], [15.0, 7.5, 0.0]),
        ([0.0, 1.0], [1e300, 1e300, 7.0], [1 / 3, 1 / 3, 0.0]),
        ([0.0, 0.5], [1e-300, 0.0, 7.0], [0.5, 0.0, 0.0]),
        ([2.0, 3.0], [np.nan, 0.5, np.inf], [0.0, 31.5, 0.0]),
        ([1.0, -15.0], [-1.0, 4.0, 7.0], [0.0, 7.5, 0.0]),
        # A second that is worth nothing, or less by a rounding error.
        ([1.0, -30.0], [1.0, 1.0, 7.0], [0.0, 0.0, 0.0]),
        ([1.0, -30.0 - 1e-12], [1.0, 1.0, 7.0], [0.0, 0.0, 0.0]),
        # Without any price all are equal.
        ([0.0, 1.0], unknown, [1 / 3, 1 / 3, 1 / 3]),
    ]
    weights, prices, expected = (np.array(column) for column in zip(*rows, strict=True))
    found = scaled_prices(system, weights, prices)
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=0)
    for row in (slice(0, 1), slice(3, 4)):
        alone = scaled_prices(system, weights[row], prices[row])
        np.testing.assert_array_equal(alone, found[row])


def test_bounds_of_several_weights_by_hand(two_by_two):
    """At equal prices a second of either machine costs half of what a second is worth."""
    weights = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 2.0]])
    bounds = proven_bounds(two_by_two(20.0, 10.0), weights, np.ones((3, 2)))
    # Task 1 costs 80 + 15 J on A, 40 + 30 J on B; task 2 160 + 30 J and 60 + 45 J.
    joules, seconds = 6 * 70 + 6 * 105, 6 * 0.5 + 6 * 1.0
    mixed = 6 * (40 + 32) + 6 * (60 + 48)
    np.testing.assert_allclose(bounds, [joules, seconds, mixed], rtol=1e-13)
    assert proven_bounds(two_by_two(20.0, 10.0), weights[:1], np.ones((1, 2))) == bounds[:1]


WEIGHTS = np.array([[1.0, 0.0], [1.0, 2.5], [0.0, 1.0]])


NEXT_TO_NOTHING = System(
    (TaskType("T", 1),),
    (MachineType("A"), MachineType("B", 9, 2.225073858507e-311)),
    [[1, 1]],
    [[0, 0]],
)


@given(systems(with_apc=True), st.integers(0, 2**32 - 1))
@example(NEXT_TO_NOTHING, 1)
def test_all_machines_together_are_worth_a_second_of_makespan(system, seed):
    prices = np.random.default_rng(seed).random((3, len(system.machine_types)))
    lines = Lines.proven(system, WEIGHTS, prices)
    worth = WEIGHTS @ [system.total_idle_power, 1.0]
    paid = lines.machine_prices @ system.machine_counts
    assert (paid <= worth).all()
    np.testing.assert_allclose(paid, worth, rtol=1e-12, atol=NOT_DIVISIBLE)


def test_lines_follow_each_other_and_are_chosen_with_all_that_is_theirs():
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


def test_a_point_is_above_by_a_share_of_what_it_weighs_however_little_that_is():
    weights = np.array([[1.0, 2.0], [1.0, -2.0], [0.0, 0.0]])
    lines = Lines(weights, np.array([0.125, 0.0, 0.0]), np.zeros((3, 1)))
    points = np.array([[0.125, 0.0625], [0.25, 0.0625], [5.0, 5.0]])
    assert lines.excess(points).tolist() == [0.5, 1 / 3, 0.0]
