"""Prices prove nearly what the cheapest mixture of patterns costs."""

import numpy as np
import pytest

from core.engines.patterns.knapsack import Knapsacks
from core.engines.patterns.prices import Mixture, PriceSearch
from core.engines.recover.along import recover_along
from core.engines.relaxed import SolverFailed, trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Budget
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


@pytest.fixture(scope="module")
def search() -> PriceSearch:
    front = trace_front(load_sample("nine"))
    schedules, _ = recover_along(front.system, front.points, front.placements, 0.02)
    return PriceSearch(front, schedules, float(front.makespan[0]), 1.0)


def test_what_is_achieved_by_a_deadline(search: PriceSearch) -> None:
    front = search.front
    soon, late = front.makespan[-1] * 0.9, front.makespan[0] * 2
    worst, best = search.achieved(np.array([soon, late]))
    assert worst == max(search.points[:, 0].max(), front.energy[-1])
    assert best == search.points[:, 0].min()
    for energy, makespan in search.points:
        assert search.achieved(np.array([makespan])) == energy


def test_they_prove_more_than_the_lines_and_less_than_is_achieved(search: PriceSearch) -> None:
    front = search.front
    sacks = Knapsacks.within(front.system, float(front.makespan[0]), 0.1)
    idle = front.system.total_idle_power
    for share in (1.3, 1.35):
        makespan = float(share * front.makespan[-1])
        line = front.least_energy(makespan)
        goal = float(search.achieved(np.array([makespan]))[0])
        budget = Budget.of_work(60)
        prices = search.seek(makespan, line, goal, budget)
        assert prices is not None
        # The first price of all, its mixture, and another one at least.
        assert budget.used > 2 * search.sacks.work(search.sacks.cell(makespan))
        cell = sacks.cell(makespan)
        proven = float(sacks.bound(prices, cell)[cell]) + idle * makespan
        assert line < proven <= goal
    assert [known[0] for known in search.known] == sorted(known[0] for known in search.known)


def test_none_where_enough_is_more_than_any_can_prove(search: PriceSearch) -> None:
    makespan = float(1.5 * search.front.makespan[-1])
    goal = float(search.achieved(np.array([makespan]))[0])
    assert search.seek(makespan, goal * 1.01, goal, Budget()) is None


def test_told_to_stop_it_has_the_prices_of_the_line_at_least(search: PriceSearch) -> None:
    makespan = float(1.7 * search.front.makespan[-1])
    goal = float(search.achieved(np.array([makespan]))[0])
    prices = search.seek(makespan, 0.0, goal, Budget(), lambda: True)
    assert prices is not None
    assert (prices > 0).all()


def test_where_the_solver_fails_the_prices_found_so_far_are_kept(
    search: PriceSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    makespan = float(1.6 * search.front.makespan[-1])
    goal = float(search.achieved(np.array([makespan]))[0])
    expected = search.seek(makespan, 0.0, goal, Budget(), lambda: True)
    search.known.clear()

    def fails(_: Mixture) -> None:
        raise SolverFailed("it did")

    monkeypatch.setattr(Mixture, "solve", fails)
    np.testing.assert_array_equal(search.seek(makespan, 0.0, goal, Budget()), expected)


@pytest.fixture
def system() -> System:
    """Two machines of each type; a task takes 1 s and 100 J, or 3 s and 30 J."""
    return System(
        (TaskType("task", 4),),
        (MachineType("fast", 2), MachineType("slow", 2)),
        np.array([[1.0, 3.0]]),
        np.array([[100.0, 10.0]]),
    )


def pattern(count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([count], np.int64)


def test_patterns_replace_what_is_left_out_and_make_it_cheaper(system: System) -> None:
    mixture = Mixture(system, 50.0, 100.0)
    assert mixture.solve()[0] == pytest.approx(4 * 50 * 100)
    costs, work = [], 0.0
    for machine, count in ((0, 1), (0, 2), (1, 1), (1, 2)):
        assert mixture.add(machine, pattern(count))
        assert not mixture.add(machine, pattern(count))
        cost, prices, rents = mixture.solve()
        costs.append(cost)
        work += mixture.work
        assert cost == pytest.approx(prices @ system.task_counts - rents @ system.machine_counts)
        assert (prices >= -1e-9).all()
        assert (rents >= -1e-9).all()
    assert costs == pytest.approx([200 + 2 * 5000, 400, 260, 120])
    # Solved again where nothing is new, there are no iterations to be paid for.
    mixture.solve()
    assert 0 < 4 * mixture.work < work


@pytest.mark.parametrize("others", [(), (MachineType("B", 2),)], ids=["alone", "not the other"])
def test_where_running_more_would_gain_no_more_are_run_than_there_are(
    others: tuple[MachineType, ...],
) -> None:
    types = (MachineType("A", 2, 50.0), *others)
    watts = np.array([[40.0, 10.0][: len(types)]])
    mixture = Mixture(
        System((TaskType("gains", 3),), types, np.ones((1, len(types))), watts), 10.0, 100.0
    )
    for machine, count in enumerate((2, 1)[: len(types)]):
        mixture.add(machine, pattern(count))
    cost, prices, _ = mixture.solve()
    assert cost == pytest.approx(-30)
    assert others or prices[0] == pytest.approx(-10)
