"""No method beats the bound of a bag, and it is the optimum where tasks may be split."""

from itertools import permutations, product

import numpy as np
import pytest
from capabilities.arrivals.bags import workload_of
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.arrivals.uncertain.bags import UncertainSettings, draw_uncertain
from core.capabilities.arrivals.uncertain.bound import bag_bound
from core.capabilities.arrivals.uncertain.methods import METHODS, WEIGHED, run_method
from core.engines.replay.workload import Truth


def test_the_bound_of_two_cores_by_hand() -> None:
    """12 h of work on a core of 1 W and one of 4 W that is twice as fast, 3 W idle together: fast
    alone takes 6 h, 42 Wh; both take 4 h, 32 Wh.
    """
    seconds, watts = np.array([[3.6e3, 1.8e3]] * 12), np.array([[1.0, 4.0]] * 12)
    workload = workload_of([0.0] * 12, seconds, watts, [1, 1], 1.5)
    bound = bag_bound(workload, Truth.as_estimated(12))
    assert bound.makespan == pytest.approx(4 * 3600)
    assert bound.joules == pytest.approx(32 * 3600)
    half = bag_bound(workload, Truth(np.full(12, 0.5), np.ones(12)))
    assert half.makespan == pytest.approx(2 * 3600)
    assert half.joules == pytest.approx(16 * 3600)


def test_a_task_that_comes_late_or_lasts_long_keeps_all_machines_on() -> None:
    seconds, watts = np.array([[100.0]] * 2), np.array([[5.0]] * 2)
    workload = workload_of([0.0, 400.0], seconds, watts, [2], 1.0)
    bound = bag_bound(workload, Truth.as_estimated(2))
    assert bound.makespan == pytest.approx(500.0)
    assert bound.joules == pytest.approx(2 * 500.0 + 2 * 500.0)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4)), min_size=1, max_size=4),
    st.lists(st.integers(1, 3), min_size=1, max_size=2),
    st.integers(0, 2),
    st.booleans(),
)
def test_no_schedule_of_all_beats_it(tasks, speeds, idle, alike) -> None:
    """Brute force: every order of the tasks, on every choice of machines, as soon as possible."""
    tasks = sorted(tasks)
    arrival, work = [float(one) for one, _ in tasks], np.array([float(two) for _, two in tasks])
    speed = np.array(speeds, float)
    seconds = work[:, None] / speed
    if not alike:
        seconds[0] = seconds[0, ::-1]
    watts = np.tile(np.arange(1.0, len(speeds) + 1), (len(tasks), 1))
    power = np.linspace(0.9, 1.1, len(tasks))
    truth = Truth(np.linspace(0.5, 1.0, len(tasks)), power)
    workload = workload_of(arrival, seconds, watts, [1] * len(speeds), float(idle))
    bound = bag_bound(workload, truth)
    true = seconds * truth.time[:, None]
    for order in permutations(range(len(tasks))):
        for chosen in product(range(len(speeds)), repeat=len(tasks)):
            free = np.zeros(len(speeds))
            for task in order:
                machine = chosen[task]
                free[machine] = max(free[machine], arrival[task]) + true[task, machine]
            own = sum(true[t, m] * watts[t, m] * power[t] for t, m in enumerate(chosen))
            assert bound.makespan <= free.max() * (1 + 1e-12)
            assert bound.joules <= (own + idle * len(speeds) * free.max()) * (1 + 1e-12)


@pytest.mark.parametrize("errors", ["none", "high"])
def test_no_method_beats_it(errors) -> None:
    case = draw_uncertain(UncertainSettings(tasks=200, errors=errors, seed=1))
    bound = bag_bound(*case)
    for method in (*METHODS.values(), WEIGHED):
        outcome = run_method(*case, method)
        assert bound.makespan <= outcome.makespan
        assert bound.joules <= outcome.joules


def test_machines_that_are_off_when_idle_need_no_idle_power() -> None:
    workload = workload_of([0.0], np.array([[100.0]]), np.array([[5.0]]), [2], 1.0)
    always = bag_bound(workload, Truth.as_estimated(1))
    object.__setattr__(workload, "switching", "off when idle")
    off = bag_bound(workload, Truth.as_estimated(1))
    assert (always.joules, off.joules) == (pytest.approx(700.0), pytest.approx(500.0))
