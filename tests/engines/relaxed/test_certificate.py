"""Whatever the prices, no schedule beats the bound that they prove, not by one rounding error."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.engines.relaxed import ENERGY, MAKESPAN, Objective, lower_bound, met_bound, proven_bound
from core.engines.relaxed.certificate import proven_bounds, scaled_prices
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System
from core.vocabulary.tolerances import ULP

OBJECTIVES = [MAKESPAN, ENERGY, Objective(energy=0.1, makespan=0.7)]
TINY = {"max_task_types": 2, "max_machine_types": 2, "max_count": 2, "with_apc": True}

objectives = pytest.mark.parametrize("objective", OBJECTIVES)


def dual_value(
    system: System, objective: Objective, prices: list[float]
) -> tuple[Fraction, Fraction]:
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


@objectives
@given(system=systems(with_apc=True), data=st.data())
def test_the_float_is_at_or_just_below_the_exact_value_of_the_dual_formula(
    objective: Objective, system: System, data: st.DataObject
) -> None:
    machines = len(system.machine_types)
    price = st.floats(1e-30, 1e30)
    prices = data.draw(st.lists(price, min_size=machines, max_size=machines))
    exact, size = dual_value(system, objective, prices)
    proven = Fraction(proven_bound(system, objective, np.array(prices)))
    assert exact - size * Fraction(1e-13) <= proven <= exact


def test_rounding_does_not_add_up_over_many_machine_types() -> None:
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


@objectives
@given(system=systems(**TINY), data=st.data())
def test_any_prices_give_a_valid_bound(
    objective: Objective,
    system: System,
    data: st.DataObject,
    exact_optimum: Callable[[System, Objective], Fraction],
) -> None:
    machines = len(system.machine_types)
    anything = st.floats() | st.sampled_from([np.nan, np.inf, -np.inf, 0.0, -1.0, 1e308, 5e-324])
    prices = data.draw(st.lists(anything, min_size=machines, max_size=machines))
    bound = proven_bound(system, objective, np.array(prices))
    assert Fraction(bound) <= exact_optimum(system, objective)


@objectives
@given(system=systems(**TINY))
def test_the_bound_of_the_program_is_valid(
    objective: Objective,
    system: System,
    exact_optimum: Callable[[System, Objective], Fraction],
) -> None:
    bound = lower_bound(system, objective)
    assert Fraction(bound.value) <= exact_optimum(system, objective)


@pytest.mark.parametrize("useless", [0.0, -1.0, np.nan, np.inf, -np.inf])
def test_without_a_useful_price_all_are_equal(useless: float) -> None:
    nine = load_sample("nine")
    assert proven_bound(nine, MAKESPAN, np.full(9, useless)) == met_bound(nine)


@given(system=systems())
def test_prices_are_relative(system: System) -> None:
    prices = np.arange(1.0, 1.0 + len(system.machine_types))
    bounds = {proven_bound(system, MAKESPAN, 2.0**power * prices) for power in (-1000, 0, 1000)}
    assert len(bounds) == 1


@given(system=systems())
def test_the_met_bound_is_the_published_formula(system: System) -> None:
    fastest = np.where(system.can_run, system.etc, np.inf).min(axis=1)
    work = sum(n * t for n, t in zip(system.task_counts, fastest, strict=True) if n)
    assert met_bound(system) == pytest.approx(work / system.machines, rel=1e-12, abs=0)


@given(system=systems())
def test_the_met_bound_is_no_better_than_that_of_the_program(system: System) -> None:
    # Past a range of 10^9 the program is capped, at the cost of about a billionth.
    assert met_bound(system) <= lower_bound(system, MAKESPAN).value * (1 + 1e-7)


@pytest.mark.parametrize(("name", "seconds"), [("two-by-two", 9.0), ("nine", 2155.80)])
def test_met_bounds_of_the_samples(name: str, seconds: float) -> None:
    assert met_bound(load_sample(name)) == pytest.approx(seconds, abs=5e-3)


def one_task(count: int = 1, idle: float = 0.0) -> System:
    """Of 4 s and 2 W on a single machine; a second type has no tasks, and no place to run."""
    return System(
        (TaskType("T", count), TaskType("none", 0)),
        (MachineType("M", 1, idle), MachineType("none", 0)),
        np.array([[4.0, 4.0], [np.inf, 1.0]]),
        np.array([[2.0, 2.0], [np.nan, 2.0]]),
    )


def test_every_rounding_error_counts_against_the_bound() -> None:
    """Of 4 s, 8 ULP for the scaled price, 8 for the cost, 4 for all tasks and 2 for the sum; with
    1 W more at work than idle, which no price scales, 8 fewer of one half.
    """
    assert scaled_prices(one_task(), np.array([[0.0, 1.0]]), np.array([[3.0, 3.0]])).tolist() == [
        [1 - 8 * ULP, 0]
    ]
    assert met_bound(one_task()) == 4 * (1 - 22 * ULP)
    assert met_bound(one_task(2)) == 8 * (1 - 22 * ULP)
    assert proven_bound(one_task(idle=1.0), ENERGY, np.ones(2)) == 8 * (1 - 18 * ULP)


def test_prices_are_scaled_row_by_row_by_hand() -> None:
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


def test_bounds_of_several_weights_by_hand(two_by_two: Callable[..., System]) -> None:
    """At equal prices a second of either machine costs half of what a second is worth."""
    weights = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 2.0]])
    bounds = proven_bounds(two_by_two(20.0, 10.0), weights, np.ones((3, 2)))
    # Task 1 costs 80 + 15 J on A, 40 + 30 J on B; task 2 160 + 30 J and 60 + 45 J.
    joules, seconds = 6 * 70 + 6 * 105, 6 * 0.5 + 6 * 1.0
    mixed = 6 * (40 + 32) + 6 * (60 + 48)
    np.testing.assert_allclose(bounds, [joules, seconds, mixed], rtol=1e-13)
    assert proven_bounds(two_by_two(20.0, 10.0), weights[:1], np.ones((1, 2))) == bounds[:1]
