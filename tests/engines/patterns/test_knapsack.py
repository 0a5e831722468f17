"""No machine earns more within a makespan than its knapsack says; on whole seconds, no less."""

from itertools import product

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.patterns.knapsack import Knapsacks
from core.vocabulary.arrays import FloatArray
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

TINY = systems(max_task_types=3, max_machine_types=2, with_apc=True, dyadic=True, max_count=5)
NONSENSE = st.floats(-1e300, 1e300) | st.sampled_from([0.0, np.inf, -np.inf, np.nan])


def most_earned(system: System, prices: FloatArray, machine: int, seconds: float) -> float:
    """By trying all that a machine of this type may run."""
    able = system.can_run[:, machine]
    cost, time = (
        np.where(able, values[:, machine], 0.0) for values in (system.dynamic_energy, system.etc)
    )
    counts = np.where(able, system.task_counts, 0).tolist()
    patterns = np.array(list(product(*(range(count + 1) for count in counts))))
    return float((patterns @ (prices - cost))[patterns @ time <= seconds].max())


@given(TINY, st.data())
@examples(30)
def test_on_whole_seconds_it_is_the_best_of_all_patterns(
    system: System, data: st.DataObject
) -> None:
    count = len(system.task_types)
    prices = np.array(data.draw(st.lists(st.integers(-99, 999), min_size=count, max_size=count)))
    prices = prices.astype(float)
    last = data.draw(st.integers(0, 40))
    sacks = Knapsacks.within(system, float(last), 1.0)
    filled = sacks.filled(prices, sacks.room(last))
    for machine in range(len(system.machine_types)):
        for cell in range(last + 1):
            expected = most_earned(system, prices, machine, cell)
            earned = filled.earned(machine, cell)
            assert expected <= earned <= expected * (1 + 1e-9) + 1e-9
            pattern = filled.pattern(machine, cell)
            assert (pattern <= system.task_counts).all()
            runs = pattern > 0
            assert system.can_run[runs, machine].all()
            assert pattern[runs] @ system.etc[runs, machine] <= cell
            cost = system.dynamic_energy[runs, machine]
            assert pattern[runs] @ (prices[runs] - cost) == pytest.approx(earned, abs=1e-9)


@given(TINY, st.floats(0.3, 7.0), st.data())
@examples(20)
def test_the_bound_of_any_prices_on_any_grid_is_no_more_than_the_exact_one(
    system: System, step: float, data: st.DataObject
) -> None:
    count = len(system.task_types)
    prices = np.array(data.draw(st.lists(st.floats(-50, 900), min_size=count, max_size=count)))
    sacks = Knapsacks.within(system, 30.0, step)
    bound = sacks.bound(prices, sacks.cell(30.0))
    assert (np.diff(bound) <= 0).all()
    for seconds in data.draw(st.lists(st.floats(0, 30), min_size=1, max_size=5)):
        exact = prices @ system.task_counts - sum(
            machines * most_earned(system, prices, machine, seconds)
            for machine, machines in enumerate(system.machine_counts.tolist())
        )
        assert bound[sacks.cell(seconds)] <= exact + 1e-12 * abs(exact)


@given(schedules(systems(with_apc=True, max_count=500)), st.floats(1e-3, 1.0), st.data())
@examples(30)
def test_no_schedule_needs_less_than_the_bound_whatever_the_prices(
    schedule: Schedule, coarse: float, data: st.DataObject
) -> None:
    system, makespan = schedule.system, schedule.makespan
    count = len(system.task_types)
    prices = np.array(data.draw(st.lists(NONSENSE, min_size=count, max_size=count)))
    sacks = Knapsacks.within(system, makespan, makespan * coarse or 1.0)
    cell = sacks.cell(makespan)
    joules = np.where(system.can_run, system.dynamic_energy, 0.0)[:, schedule.machine_type].T
    terms = schedule.machines[:, None] * schedule.tasks * joules
    bound = sacks.bound(prices, cell)[cell]
    assert not np.isnan(bound)
    assert bound <= terms.sum() + 1e-12 * np.abs(terms).sum()


def test_makespans_of_a_cell_are_not_before_it_begins() -> None:
    system = System.__new__(System)
    sacks = Knapsacks(system, 0.1, *(np.zeros(1, np.int64) for _ in range(4)))
    times = np.arange(1, 10_000) * 0.1
    cells = np.array([sacks.cell(float(time)) for time in times])
    np.testing.assert_array_equal(cells, np.arange(1, 10_000))
    assert (sacks.begins(cells) <= times).all()
    assert (sacks.begins(cells + 1) > times).all()
