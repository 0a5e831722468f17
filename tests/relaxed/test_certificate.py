"""Whatever the prices, no schedule beats the bound that they prove, not by one rounding error."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.model.kinds import MachineType, TaskType
from core.model.system import System
from core.relaxed import ENERGY, MAKESPAN, Objective, lower_bound, met_bound, proven_bound
from core.samples.named import load_sample

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
