"""Prices are sought step by step: where to begin, what to try next, and when to end."""

from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import core.engines.patterns.prices
from core.engines.patterns.knapsack import Knapsacks
from core.engines.patterns.prices import PriceSearch
from core.engines.recover.along import points_of
from core.engines.relaxed import Front, trace_front
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import SOLVED_ZERO


@pytest.fixture(scope="module")
def front(two_by_two: Callable[..., System]) -> Front:
    """Of the lines 900 J, 1,500 J - 20 W T and 1,800 J - 110/3 W T."""
    return trace_front(two_by_two())


def ways(system: System) -> list[Schedule]:
    """Every way to run six tasks of either type on two machines, in no order."""
    rows = [(first, second) for first in range(7) for second in range(7)]
    return [
        Schedule(
            system, np.arange(2), np.ones(2, np.int64), np.array([way, (6 - way[0], 6 - way[1])])
        )
        for way in rows
    ]


@pytest.fixture
def search(front: Front) -> PriceSearch:
    return PriceSearch(front, ways(front.system), 30.0, 0.7)


class Taking:
    """In the place of a mixture: which patterns it is given, and that it has not known them."""

    def __init__(self) -> None:
        self.taken: list[tuple[int, list[int]]] = []

    def add(self, machine: int, counts: IntArray) -> bool:
        self.taken.append((machine, counts.tolist()))
        return True


def test_what_it_begins_with(front: Front, search: PriceSearch) -> None:
    nearest = Knapsacks.within(front.system, 30.0, 0.7, nearest=True)
    assert search.sacks.cells.tolist() == nearest.cells.tolist()
    assert search.unit == pytest.approx(1404 / 12)
    assert search.costs.tolist() == [[100, 60], [200, 90]]
    assert (search.known, search.patterns) == ([], [])


def test_machines_that_draw_nothing_have_a_unit_too(two_by_two: Callable[..., System]) -> None:
    free = System((TaskType("t", 2),), (MachineType("m"),), np.array([[1.0]]), np.array([[0.0]]))
    assert PriceSearch(trace_front(free), [], 2.0, 0.1).unit == 1.0


def test_schedules_count_by_rising_makespan_where_no_other_is_better(
    front: Front, search: PriceSearch
) -> None:
    points = points_of(ways(front.system))
    best = points[non_dominated(points)]
    assert search.points.tolist() == best[best[:, 1].argsort()].tolist()
    assert points_of(search.schedules).tolist() == search.points.tolist()
    assert search.points[[0, -1]].tolist() == [[1430, 11], [900, 30]]


def test_what_is_achieved_by_each_deadline(search: PriceSearch) -> None:
    reached = search.achieved(np.array([10.9, 11.0, 11.9, 12.0, 29.9, 30.0, 99.0]))
    assert reached.tolist() == [1430, 1430, 1430, 1360, 940, 900, 900]


def test_where_nothing_is_achieved_the_most_counts(front: Front) -> None:
    none = PriceSearch(front, [], 30.0, 0.7)
    assert none.achieved(np.array([5.0, 50.0])).tolist() == pytest.approx([1404, 1404])


def test_the_first_prices_are_those_of_the_line_at_the_makespan(search: PriceSearch) -> None:
    # A second of B is worth 110/3 J, then 20 J, then nothing; one of A never anything.
    for makespan, prices in ((12.0, [100, 200]), (20.0, [100, 150]), (40.0, [60, 90])):
        (start,) = search.starts(makespan)
        assert start == pytest.approx(prices)


def test_an_impossible_pair_has_no_part_in_prices() -> None:
    system = System(
        (TaskType("t", 2), TaskType("u", 2)),
        (MachineType("m"), MachineType("n")),
        np.array([[1.0, np.inf], [3.0, 2.0]]),
        np.array([[10.0, np.nan], [1.0, 20.0]]),
    )
    search = PriceSearch(trace_front(system), [], 20.0, 0.1)
    assert search.costs.tolist() == [[10, 0], [3, 40]]
    assert search.starts(20.0)[0] == pytest.approx([10, 3])


@pytest.mark.parametrize(
    ("makespan", "beside"),
    [(5.0, [1.0]), (10.0, [1.0, 2.0]), (12.0, [1.0, 2.0]), (15.0, [2.0, 3.0]), (25.0, [3.0])],
)
def test_the_next_prices_are_those_of_the_makespans_beside(
    search: PriceSearch, makespan: float, beside: list[float]
) -> None:
    search.known = [(10.0, np.array([1.0])), (15.0, np.array([2.0])), (20.0, np.array([3.0]))]
    assert [prices.tolist() for prices in search.starts(makespan)[1:]] == [[one] for one in beside]


def patterns_of(schedules: Sequence[Schedule]) -> list[tuple[int, list[int]]]:
    return [
        (machine, tasks.tolist())
        for schedule in schedules
        for machine, tasks in zip(schedule.machine_type.tolist(), schedule.tasks, strict=True)
    ]


def test_a_mixture_begins_with_four_schedules_that_are_nearly_as_slow(search: PriceSearch) -> None:
    for place in (1, 4, 6):
        mixture = Taking()
        search.begin(mixture, float(search.points[place, 1]), 40)  # type: ignore[arg-type]
        assert mixture.taken == patterns_of(search.schedules[max(place - 3, 0) : place + 1])


def test_and_with_patterns_that_fill_nine_tenths_of_the_makespan(search: PriceSearch) -> None:
    search.patterns = [(0, width, np.array([width, 0])) for width in (17, 18, 19, 20, 21)]
    mixture = Taking()
    search.begin(mixture, 1.0, 20)  # type: ignore[arg-type]
    assert mixture.taken == [(0, [18, 0]), (0, [19, 0]), (0, [20, 0])]


def test_prices_seem_to_prove_what_tasks_earn_less_what_machines_do(search: PriceSearch) -> None:
    filled: Any = SimpleNamespace(earned=lambda machine, cell: (machine + 1) * 10.0 + cell)
    # 6 x 7 + 6 x 8 of tasks; 15 and 25 of one machine of each type.
    assert search.value(filled, np.array([7.0, 8.0]), 5) == 90 - 40


@pytest.mark.parametrize(
    ("more", "added"), [(0.0, False), (0.5, False), (2.0, True), (1e9, True), (-1e9, False)]
)
def test_a_pattern_is_added_that_earns_more_than_its_machine_costs(
    search: PriceSearch, more: float, added: bool
) -> None:
    """By more than rounding, which is a share of what a task takes."""
    earns = [300.0, 400.0]
    patterns = [np.array([1, 1]), np.array([2, 0])]
    filled: Any = SimpleNamespace(pattern=lambda machine, cell: patterns[machine])
    # The second machine type earns 2 x (260 - 60) J.
    duals = np.array([260.0, 340.0])
    rents = np.array([earns[0], earns[1] - more * SOLVED_ZERO * search.unit])
    mixture: Any = Taking()
    assert search.add(mixture, filled, 9, duals, rents) == added
    assert mixture.taken == ([(1, [2, 0])] if added else [])
    assert [(machine, cell) for machine, cell, _ in search.patterns] == ([(1, 9)] if added else [])


@pytest.mark.parametrize(("rent", "added"), [(299.0, False), (298.999, True)])
def test_what_it_earns_more_than_rounding_must_be_more(
    search: PriceSearch, rent: float, added: bool
) -> None:
    search.unit = 1e9
    assert search.unit * SOLVED_ZERO == 1.0
    filled: Any = SimpleNamespace(pattern=lambda machine, cell: np.array([1, 1]))
    # Of the first machine type, 160 J and 140 J more than it costs.
    duals, rents = np.array([260.0, 340.0]), np.array([rent, 1e9])
    assert search.add(Taking(), filled, 9, duals, rents) is added  # type: ignore[arg-type]


def test_nothing_is_new_where_the_mixture_knows_the_pattern(search: PriceSearch) -> None:
    filled: Any = SimpleNamespace(pattern=lambda machine, cell: np.array([1, 0]))
    known: Any = SimpleNamespace(add=lambda machine, counts: machine == 1)
    nothing: Any = SimpleNamespace(add=lambda machine, counts: False)
    duals, rents = np.array([500.0, 0.0]), np.zeros(2)
    assert search.add(known, filled, 9, duals, rents)
    assert not search.add(nothing, filled, 9, duals, rents)


VALUES = {1.0: 5.0, 2.0: 4.0, 3.0: 6.0, 4.5: 5.5, 5.0: 5.9}


class Script:
    """A search of one task type, ten tasks, and one machine, whose mixture and knapsacks are said
    beforehand: `solved` (joules, price) by each solve, and that prices prove `values`.
    """

    def __init__(
        self,
        search: PriceSearch,
        monkeypatch: pytest.MonkeyPatch,
        solved: list[tuple[float, float]],
        added: Sequence[bool] = (False,) * 3,
        values: dict[float, float] = VALUES,
    ) -> None:
        self.tried: list[float] = []
        self.mixtures: list[Any] = []
        self.search, self.budget = search, Budget.of_work(1000)
        solves, additions = iter(solved), iter(added)
        script = self

        class Mixture(Taking):
            work = 100.0

            def __init__(self, system: System, unit: float, dearest: float) -> None:
                super().__init__()
                self.made = system, unit, dearest
                script.mixtures.append(self)

            def solve(self) -> tuple[float, FloatArray, FloatArray]:
                most, price = next(solves)
                return most, np.array([price]), np.zeros(1)

        def filled(prices: FloatArray, room: str) -> Any:
            self.tried.append(float(prices[0]))
            return SimpleNamespace(
                prices=float(prices[0]), pattern=lambda machine, cell: np.array([machine, cell])
            )

        monkeypatch.setattr(core.engines.patterns.prices, "Mixture", Mixture)
        search.costs = np.zeros((1, 1))
        search.sacks = SimpleNamespace(  # type: ignore[assignment]
            cell=lambda makespan: 7, room=lambda cell: "room", filled=filled, work=lambda cell: 1.0
        )
        monkeypatch.setattr(search, "begin", lambda mixture, makespan, cell: None)
        monkeypatch.setattr(search, "starts", lambda makespan: [np.array([1.0]), np.array([2.0])])
        monkeypatch.setattr(search, "value", lambda filled, prices, cell: values[filled.prices])
        monkeypatch.setattr(search, "add", lambda *_: next(additions))

    def seek(self, enough: float, goal: float) -> list[float] | None:
        prices = self.search.seek(12.0, enough, goal, self.budget)
        return None if prices is None else prices.tolist()


Scripted = Callable[..., Script]


@pytest.fixture
def scripted(search: PriceSearch, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    return partial(Script, search, monkeypatch)


def test_what_is_tried_next_is_less_and_less_of_the_best_so_far(
    search: PriceSearch, scripted: Scripted
) -> None:
    script = scripted([(20.0, 5.0)])
    assert script.seek(0.0, 30.0) == [3.0]
    # Half of 1 and half of 5; a quarter of 3, by then the best; none of it.
    assert script.tried == [1.0, 2.0, 3.0, 4.5, 5.0]
    assert script.budget.used == 100 + 5
    assert [(makespan, prices.tolist()) for makespan, prices in search.known] == [(12.0, [3.0])]
    (mixture,) = script.mixtures
    assert mixture.made == (search.system, search.unit, 100.0)
    assert mixture.taken == [(0, [0, 7]), (0, [0, 7])]


def test_prices_are_kept_in_the_order_of_makespans(search: PriceSearch, scripted: Scripted) -> None:
    search.known = [(10.0, np.array([9.0])), (12.0, np.array([8.0])), (13.0, np.array([7.0]))]
    scripted([(20.0, 5.0)]).seek(0.0, 30.0)
    assert [makespan for makespan, _ in search.known] == [10, 12, 12, 13]
    assert search.known[2][1].tolist() == [3.0]


def test_a_mixture_with_a_new_pattern_is_solved_again(scripted: Scripted) -> None:
    script = scripted([(20.0, 5.0), (6.5, 9.0)], [False, True])
    # At best 6.5 J, half a joule more than is proven: 2.5 % of what is left up to the goal.
    assert script.seek(0.0, 26.0) == [3.0]
    assert script.tried == [1.0, 2.0, 3.0, 4.5]
    assert script.budget.used == 200 + 4


@pytest.mark.parametrize(
    ("most", "goal", "solves"),
    [
        (7.0, 26.0, 2),
        (7.0001, 26.0, 3),
        (6.04, 0.0, 3),  # beyond the goal, only where nothing can be gained
    ],
)
def test_it_ends_where_a_twentieth_of_what_is_left_can_be_gained(
    scripted: Scripted, most: float, goal: float, solves: int
) -> None:
    script = scripted([(20.0, 5.0), (most, 3.0), (6.0, 3.0)], [True, True])
    assert script.seek(0.0, goal) == [3.0]
    assert script.budget.used // 100 == solves


@pytest.mark.parametrize(("enough", "found"), [(20.0, False), (20.001, False), (19.999, True)])
def test_there_are_none_where_none_will_prove_more_than_enough(
    search: PriceSearch, scripted: Scripted, enough: float, found: bool
) -> None:
    script = scripted([(20.0, 5.0)])
    assert (script.seek(enough, 30.0) is not None) == found == bool(search.known)


def test_of_prices_that_prove_as_much_the_first_are_kept(scripted: Scripted) -> None:
    same = dict.fromkeys(VALUES, 5.0) | {3.0: 5.0, 4.0: 5.0}
    script = scripted([(20.0, 5.0)], values=same)
    assert script.seek(0.0, 30.0) == [1.0]


@pytest.mark.parametrize(
    ("makespan", "least"), [(2.5, 400.0), (3.0, 260.0), (5.5, 260.0), (6.5, 120.0)]
)
def test_prices_prove_what_patterns_cost_at_least(makespan: float, least: float) -> None:
    """Fast and dear, or slow and cheap: within 3 to 5.9 s a slow machine runs one task, not two."""
    system = System(
        (TaskType("task", 4),),
        (MachineType("fast", 2), MachineType("slow", 2)),
        np.array([[1.0, 3.0]]),
        np.array([[100.0, 10.0]]),
    )
    search = PriceSearch(trace_front(system), [], 8.0, 0.5)
    prices = search.seek(makespan, 0.0, least, Budget.of_work(1))
    assert prices is not None
    exact = Knapsacks.within(system, 8.0, 0.5)
    proven = exact.bound(prices, exact.cell(makespan))[-1]
    assert 0.95 * least <= proven <= least
