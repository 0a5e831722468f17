"""A search for patterns looks where most is left, counts what it gains, and ends when it should."""

from dataclasses import replace

import numpy as np
import pytest
from tiny import lines_alone

from core.engines.front.patterns import PatternSearch, worthwhile
from core.engines.front.proven import Proven
from core.engines.front.wish import Deadline, EnergyBudget
from core.engines.relaxed import trace_front
from core.vocabulary.budget import Budget
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import Steps
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


def schedules(fast_and_slow, *on_the_fast):
    return [
        Schedule(
            fast_and_slow.front.system,
            np.arange(2),
            np.ones(2, np.int64),
            np.array([[fast], [2 - fast]]),
        )
        for fast in on_the_fast
    ]


@pytest.fixture
def search(fast_and_slow):
    """Of cells from 10, 11, 12 and 14 s to 15 s; left are 10, 8, 0 and 10 J s, 2 W being idle."""
    search = PatternSearch(fast_and_slow, schedules(fast_and_slow, 0, 1, 2))
    search.begins = np.array([10.0, 11.0, 12.0, 14.0, 15.0])
    search.joules = np.array([70.0, 60.0, 50.0, 40.0])
    search.achieved = np.array([100.0, 90.0, 70.0, 78.0])
    search.cells = [0, 4]
    return search


class Cells:
    """In the place of cells of makespans: prices prove what a test says."""

    shortest, longest = 10.0, 15.0

    def __init__(self, proves=None):
        self.proves = proves
        self.raised: list[list[float]] = []

    def bound(self, prices, beyond):
        return self.proves[:beyond].copy()

    def work(self, beyond):
        return 0.1 * beyond

    def raise_to(self, joules):
        self.raised.append(joules.tolist())

    def steps(self, worth_a_step):
        return worth_a_step


PRICES = np.array([7.0])


def proving(search, *joules):
    cells = Cells(np.array(joules))
    search.cellwise = cells  # type: ignore[assignment]
    return cells


def test_what_a_search_begins_with(fast_and_slow):
    search = PatternSearch(fast_and_slow, schedules(fast_and_slow, 0, 1, 2))
    shortest = fast_and_slow.soonest
    assert shortest == pytest.approx(1.5)
    # Multiples of 1, 2, 2.5 or 5 times a power of ten: at least 2,000, and at least 20,000 cells.
    assert search.prices.sacks.step == pytest.approx(5e-4)
    assert search.cellwise.sacks.step == pytest.approx(5e-5)
    assert search.idle == 2.0
    begins = search.begins
    # The slowest schedule takes 6 s.
    assert (begins[0], begins[-2], begins[-1]) == pytest.approx((1.5, 6.0, 6.00005), abs=1e-9)
    assert np.diff(begins)[:-1] == pytest.approx(5e-5, rel=1e-3)
    assert (
        search.joules.tolist()
        == fast_and_slow.above_idle(begins[1:]).tolist()
        == search.base.tolist()
    )
    assert search.joules is not search.base
    assert (search.gains, search.failures, search.found) == (0, 0, [])
    assert search.cells == [0, len(search.joules)]
    assert search.achieved.tolist() == search.prices.achieved(begins[:-1]).tolist()
    assert search.wish is None


def test_better_schedules_leave_less(fast_and_slow):
    search = PatternSearch(fast_and_slow, schedules(fast_and_slow, 0))
    before = search.left().sum()
    search.cells = [0, 5, len(search.joules)]
    search.aim_at(schedules(fast_and_slow, 0, 1, 2))
    assert search.left().sum() < before
    assert search.cells == [0, len(search.joules)]


def test_what_is_left_cell_by_cell(search):
    assert search.left().tolist() == [10.0, 8.0, 0.0, 10.0]


def test_it_looks_amid_where_most_is_left(search):
    assert search.next_cell() == 1
    search.cells = [0, 1, 4]
    assert search.next_cell() == 3
    search.cells = [0, 1, 3, 4]
    # Amid the first of the widest gaps is its own edge.
    assert search.next_cell() is None


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_where_little_is_left_everywhere_it_looks_no_more(search, unit):
    for count, place in ((3000, None), (2999, 1000)):
        # One joule-second in each cell, and edges everywhere but amid three of them.
        search.begins = np.arange(count + 1.0)
        search.idle = 0.0
        search.joules = np.zeros(count)
        search.achieved = np.full(count, unit)
        search.cells = [edge for edge in range(count + 1) if edge not in (1000, 1001)]
        assert search.next_cell() == place


def test_where_nothing_is_left_there_is_no_place(search):
    search.achieved = np.zeros(4)
    assert search.next_cell() is None


@pytest.mark.parametrize(
    ("wish", "cells", "place"),
    [
        # 90 J in 10 s, 82 J in 11 s, 74 J in 12 s, 68 J in 14 s.
        (Deadline(11.5), [0, 4], 1),
        (Deadline(10.5), [0, 4], 0),
        (Deadline(9.0), [0, 4], None),
        (EnergyBudget(80.0), [0, 4], 2),
        (EnergyBudget(80.0), [0, 2, 4], None),
        (EnergyBudget(80.0), [0, 1, 2, 3, 4], None),
        (EnergyBudget(67.5), [0, 4], None),
        (EnergyBudget(68.0), [0, 4], 3),
    ],
)
def test_for_a_wish_it_looks_where_the_wish_may_be_met_best(search, wish, cells, place):
    search.cells = cells
    assert search.wished_cell(wish) == place


def test_without_prices_it_has_failed(search):
    cells = proving(search, 99, 99, 99, 99)
    search.failures = 3
    search.prove(1, None, Budget.of_work(1))
    assert (search.failures, search.gains, search.found, cells.raised) == (4, 0, [], [])
    assert search.joules.tolist() == [70, 60, 50, 40]


def test_prices_raise_the_bound_up_to_the_next_cell_that_is_taken_care_of(search):
    cells, budget = proving(search, 71, 60, 55, 99), Budget.of_work(1)
    search.cells, search.failures = [0, 1, 3, 4], 5
    search.prove(1, PRICES, budget)
    assert search.joules.tolist() == [71, 60, 55, 40]
    assert search.found == [(PRICES, 3)]
    assert cells.raised == [[71, 60, 55]]
    assert (search.gains, search.failures) == (1, 0)
    assert budget.used == pytest.approx(0.3)


def test_what_proves_nothing_new_is_left_out(search):
    cells = proving(search, 70, 60, 40, 30)
    search.failures = 5
    search.prove(1, PRICES, Budget.of_work(1))
    assert search.joules.tolist() == [70, 60, 50, 40]
    assert (search.found, cells.raised) == ([], [])
    assert (search.gains, search.failures) == (0, 6)


@pytest.mark.parametrize(("raised", "gains"), [(1.0, 0), (1.001, 1), (0.5, 0), (9.0, 1)])
def test_a_gain_removes_more_than_a_thousandth_of_what_is_left(search, raised, gains):
    # 1,000 J s in all: 999 J s are not yet a gain.
    search.begins, search.idle = np.arange(5.0), 0.0
    search.joules = np.zeros(4)
    search.achieved = np.array([400.0, 300.0, 200.0, 100.0])
    proving(search, raised, 0, 0, 0)
    search.failures = 2
    search.prove(1, PRICES, Budget.of_work(1))
    assert (search.gains, search.failures) == (gains, 0 if gains else 3)
    assert len(search.found) == 1


@pytest.mark.parametrize(("raised", "gains"), [(60.0, 0), (60.001, 1), (59.0, 0)])
def test_for_a_wish_a_gain_raises_the_bound_where_it_was_sought(search, raised, gains):
    search.wish, search.cells = Deadline(11.5), [0, 1, 2, 4]
    cells = proving(search, 99, raised, 99, 99)
    search.prove(1, PRICES, Budget.of_work(1))
    assert (search.gains, search.failures) == (gains, 1 - gains)
    # It may be met at any makespan, so that all are proven.
    assert len(cells.raised[0]) == 4


@pytest.mark.parametrize(("before", "after"), [(59, 60), (60, 60)])
def test_a_proof_has_sixty_rows_of_prices_at_most(search, before, after):
    search.found = [(PRICES, 4)] * before
    proving(search, 99, 99, 99, 99)
    search.prove(1, PRICES, Budget.of_work(1))
    assert len(search.found) == after


def test_it_seeks_prices_for_the_end_of_a_cell(search, monkeypatch):
    asked = []
    proved = []

    def seek(*given):
        asked.append(given)
        return PRICES

    monkeypatch.setattr(search.prices, "seek", seek)
    monkeypatch.setattr(search, "prove", lambda *given: proved.append(given))
    budget, over = Budget.of_work(1), lambda: False
    assert search.seek(budget, over) is True
    # From 11 s to 12 s it is proven to need 60 J above idle power, and is done with 90 J.
    assert asked == [(12.0, 60.0, 90.0 - 2 * 12.0, budget, over)]
    assert proved == [(1, PRICES, budget)]
    assert search.cells == [0, 1, 4]
    search.wish = EnergyBudget(80.0)
    assert search.seek(budget, over) is True
    assert asked[1][0] == 14.0
    assert search.seek(budget, over) is False
    assert len(asked) == 2


def sought(search, budget, monkeypatch, **run):
    """How often a search seeks that fails every time, but for the third, which gains."""
    calls = 0

    def seek(_, over):
        nonlocal calls
        calls += 1
        assert not over()
        gained = calls == 3
        search.gains += gained
        search.failures = 0 if gained else search.failures + 1
        budget.spend(1.0)
        return calls < 20

    monkeypatch.setattr(search, "seek", seek)
    search.run(budget, **run)
    return calls


def test_ten_failures_in_a_row_end_it(search, monkeypatch):
    search.failures = 9
    assert sought(search, Budget.of_work(100), monkeypatch) == 3 + 10


@pytest.mark.parametrize(("enough", "calls"), [(1, 3), (0, 0), (2, 13)])
def test_gains_enough_end_it(search, monkeypatch, enough, calls):
    assert sought(search, Budget.of_work(100), monkeypatch, enough=enough) == calls


@pytest.mark.parametrize(("rows", "calls"), [(59, 13), (60, 0)])
def test_a_full_proof_ends_it(search, monkeypatch, rows, calls):
    search.found = [(PRICES, 4)] * rows
    assert sought(search, Budget.of_work(100), monkeypatch) == calls


def test_so_do_a_spent_budget_and_whoever_asks_to_stop(search, monkeypatch):
    told = []
    assert sought(search, Budget.of_work(4.5), monkeypatch, report=told.append) == 5
    assert told == [1.0, 2.0, 3.0, 4.0, 4.5]
    assert sought(search, Budget.of_work(100, lambda: True), monkeypatch) == 0


def test_each_thread_seeks(search, monkeypatch):
    calls = []
    monkeypatch.setattr(search, "seek", lambda budget, over: bool(calls.append(1)))
    search.run(Budget(60, threads=3))
    assert len(calls) == 3


def test_what_was_found_is_a_proof(search):
    assert search.proven() is None
    proving(search, 70, 60, 50, 40)
    search.found = [(np.array([7.0]), 4), (np.array([8.0]), 2)]
    found = search.proven()
    # A hundred-thousandth of the 28 J s that are left.
    assert found.steps == found.proof.worth_a_step == pytest.approx(28e-5)
    assert (found.proof.shortest, found.proof.longest) == (10.0, 15.0)
    assert found.proof.prices.tolist() == [[7.0], [8.0]]
    assert found.proof.until.tolist() == [4, 2]


def test_whether_patterns_might_prove_more(fast_and_slow):
    system = fast_and_slow.front.system
    assert worthwhile(fast_and_slow, [])
    at_once = replace(
        fast_and_slow, steps=Steps.none_before(float(fast_and_slow.front.makespan[0]))
    )
    assert not worthwhile(at_once, [])
    for tasks, pays in ((600, True), (601, False)):
        many = system.with_counts(np.array([tasks]), system.machine_counts)
        assert worthwhile(lines_alone(trace_front(many)), []) == pays


def test_a_schedule_that_is_slower_than_the_front_leaves_something_to_be_proven(fast_and_slow):
    system = fast_and_slow.front.system.with_counts(np.array([3]), np.array([1, 2]))
    front = trace_front(system)
    # Could tasks be split, the slow machines would be done after 4.5 s; as it is, after 6 s.
    assert front.makespan[0] == pytest.approx(4.5)
    slow = Schedule(system, np.array([0, 1, 1]), np.ones(3, np.int64), np.array([[0], [1], [2]]))
    beyond = Proven(front, Steps.none_before(5.0))
    assert not worthwhile(beyond, [])
    assert worthwhile(beyond, [slow])
    assert PatternSearch(beyond, [slow]).cellwise.longest == 6.0


def test_the_search_is_for_makespans_up_to_five_times_the_shortest():
    system = System(
        (TaskType("task", 4),),
        (MachineType("fast", 1), MachineType("slow", 1)),
        np.array([[1.0, 9.0]]),
        np.array([[100.0, 1.0]]),
    )
    known = lines_alone(trace_front(system))
    search = PatternSearch(known, [])
    # 3.6 s at the shortest, 36 s for the thriftiest.
    assert known.soonest == pytest.approx(3.6)
    assert search.cellwise.longest == pytest.approx(18.0)


def test_less_than_a_second_is_enough_for_a_search(fast_and_slow):
    system = fast_and_slow.front.system
    fast = lines_alone(trace_front(replace(system, etc=system.etc / 100)))
    search = PatternSearch(fast, [])
    assert search.cellwise.longest == float(fast.front.makespan[0]) == pytest.approx(0.06)
    # So many cells are filled as there are up to the last.
    cells, sacks = search.cellwise, search.cellwise.sacks
    assert cells.work(3) == sacks.work(cells.first + 2) > 0
