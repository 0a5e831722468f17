"""The weighed method learns from what has happened, prices by the front, and sees no future."""

import numpy as np
import pytest
from capabilities.arrivals.bags import workload_of
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.arrivals.uncertain.bags import UncertainSettings, draw_uncertain
from core.capabilities.arrivals.uncertain.methods import (
    METHODS,
    WEIGHED,
    BagSettings,
    bag_of,
    run_method,
)
from core.capabilities.arrivals.uncertain.running import no_runs
from core.capabilities.arrivals.uncertain.weighed import (
    PARTS,
    expected_share,
    learn,
    nothing_learned,
    price_cores,
    price_work_left,
)
from core.engines.relaxed import Objective, lower_bound
from core.engines.replay.workload import Truth
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

whole = st.integers(1, 9).map(float)


@st.composite
def machines(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cores, speeds and watts of a few machines."""
    count = draw(st.integers(1, 5))
    rows = [draw(st.lists(whole, min_size=count, max_size=count)) for _ in range(3)]
    cores, speed, watts = map(np.array, rows)
    return cores, speed, watts - 1


@given(machines(), whole, whole)
def test_prices_prove_the_front_that_the_linear_program_finds(found, idle, exchange) -> None:
    """The price of all work is the least energy and makespan, weighed (`core.engines.relaxed`)."""
    cores, speed, watts = found
    price = np.zeros(len(cores))
    second = exchange + idle * cores.sum()
    total = price_cores(cores, speed, watts, second, price)
    types = [MachineType(f"m{k}", int(n), idle) for k, n in enumerate(cores)]
    system = System((TaskType("work"),), tuple(types), 1 / speed[None], (watts + idle)[None])
    best = lower_bound(system, Objective(1.0, exchange))
    assert total == pytest.approx(best.value, rel=1e-9)
    assert cores @ price == pytest.approx(second)
    assert (watts + price >= speed * total * (1 - 1e-12)).all()
    unused = watts > speed * total * (1 + 1e-9)
    assert (best.placed[0][unused] == 0).all()


def test_work_left_is_priced_by_what_its_tasks_take() -> None:
    """Two cores of 1 W and one of 9 W that is twice as fast; a second costs 3 J or 30 J."""
    seconds = np.array([[4.0, 2.0], [8.0, 4.0], [4.0, np.inf]])
    bag = bag_of(workload_of([0.0] * 3, seconds, np.array([[1.0, 9.0]] * 3), [2, 1], 0.0))
    price = np.full(2, np.nan)
    left = np.array([True, True, False])
    price_work_left(bag, left, 3.0, price)
    assert price.tolist() == pytest.approx([1.5, 0.0])
    price_work_left(bag, left, 30.0, price)
    assert price.tolist() == pytest.approx([9.25, 11.5])
    price_work_left(bag, ~left, 3.0, price)
    assert price.tolist() == pytest.approx([1.5, 0.0])
    price_work_left(bag, np.zeros(3, bool), 3.0, price)
    assert price.tolist() == [0.0, 0.0]


def test_shares_are_learned_from_tasks_that_ended_and_that_still_run() -> None:
    """A thousand tasks: half end at a tenth of their estimate, the others at nine tenths."""
    tasks = 1000
    seconds = np.full((tasks, 1), 100.0)
    bag = bag_of(workload_of([0.0] * tasks, seconds, np.ones((tasks, 1)), [tasks], 0.0))
    runs = no_runs(tasks, tasks)
    runs.machine[:], runs.start[:] = 0, 0.0
    runs.end[: tasks // 2], runs.end[tasks // 2 :] = 10.5, 90.5
    longer = nothing_learned()
    learn(bag, runs, 50.0, longer)
    assert longer[PARTS // 2] == pytest.approx(0.5, abs=0.01)
    assert expected_share(longer, 0.5) > 0.6
    learn(bag, runs, 99.0, longer)
    assert expected_share(longer, 0.0) == pytest.approx(0.5, abs=0.01)
    assert expected_share(longer, 0.5) == pytest.approx(0.9, abs=0.02)
    assert expected_share(longer, 0.99) == pytest.approx(0.995, abs=0.006)


@given(st.floats(0, 1), st.integers(0, 5))
def test_a_task_takes_at_least_what_it_has_taken(taken: float, seed: int) -> None:
    longer = np.sort(np.random.default_rng(seed).random(PARTS + 1))[::-1].copy()
    longer[-1] = 0.0
    assert taken <= expected_share(longer, taken) <= 1.0


def test_before_anything_is_known_half_of_an_estimate_is_expected() -> None:
    assert expected_share(nothing_learned(), 0.0) == pytest.approx(0.5)
    assert expected_share(nothing_learned(), 0.5) == pytest.approx(0.75)


@pytest.mark.parametrize("method", [*METHODS.values(), WEIGHED], ids=lambda one: one.name)
def test_nothing_is_decided_by_what_has_not_happened(method) -> None:
    """Two truths that differ in tasks that end after an hour: the first hour is the same."""
    workload, truth = draw_uncertain(UncertainSettings(tasks=300, errors="high", seed=3))
    moment = 3600.0
    one = run_method(workload, truth, method)
    late = ~(one.end <= moment)
    time = truth.time.copy()
    time[late] = np.where(one.start < moment, np.minimum(1.0, 1.5 * time), 0.5 * time)[late]
    other = run_method(workload, Truth(time, truth.power), method)
    for outcome, rival in ((one, other), (other, one)):
        early = outcome.start < moment
        assert early.sum() > 50
        assert (outcome.option[early] == rival.option[early]).all()
        assert (outcome.start[early] == rival.start[early]).all()


def test_the_exchange_rate_weighs_energy_against_makespan() -> None:
    """Forty hours of work on slow thrifty cores or fast dear ones, and no idle power."""
    seconds = np.tile([[3600.0, 1800.0]], (40, 1))
    watts = np.tile([[10.0, 100.0]], (40, 1))
    workload = workload_of([0.0] * 40, seconds, watts, [4, 4], 0.0)
    exact = Truth.as_estimated(40)
    thrifty, hasty = (
        run_method(workload, exact, WEIGHED, BagSettings(exchange=rate)) for rate in (0.0, 1e6)
    )
    assert thrifty.joules == pytest.approx(40 * 36e3)
    assert thrifty.makespan == pytest.approx(36e3)
    assert hasty.joules > 2 * thrifty.joules
    assert hasty.makespan < thrifty.makespan / 2


@pytest.mark.thorough
def test_it_beats_published_batches_in_both_on_average() -> None:
    """Five instances; `wattfront reproduce arrivals` has them all."""
    names = ("batch-maxmin", "batch-maxmin-energy")
    sums = {name: np.zeros(2) for name in (*names, "weighed")}
    for seed in range(5):
        case = draw_uncertain(UncertainSettings(errors="high", seed=seed))
        for name in names:
            outcome = run_method(*case, METHODS[name])
            sums[name] += [outcome.makespan, outcome.joules]
        outcome = run_method(*case, WEIGHED)
        sums["weighed"] += [outcome.makespan, outcome.joules]
    for name in names:
        assert (sums["weighed"] < 0.99 * sums[name]).all()
