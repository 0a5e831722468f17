"""A budget goes to schedules, and to proofs where these come to something."""

import itertools
import time
from typing import Any

import numpy as np
import pytest
from stand_ins import StandIns

import core.engines.front.tighten
from core.engines.front.proven import Proven
from core.engines.front.tighten import tighten
from core.engines.front.wish import Deadline, EnergyBudget, ExchangeRate, PowerCap
from core.engines.kernels import load_kernels
from core.engines.recover.along import points_of, recover_along
from core.engines.relaxed import ENERGY, MAKESPAN, trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Budget, Stopwatch, Work
from core.vocabulary.plane.points import sorted_front
from core.vocabulary.schedule import Schedule
from core.vocabulary.tolerances import INSTANT


def begun(name):
    load_kernels()
    front = trace_front(load_sample(name))
    return front, recover_along(front.system, front.points, front.placements, 0.1)[0]


@pytest.mark.thorough
def test_it_polishes_and_proves_and_reports():
    front, schedules = begun("nine")
    told = []
    clock, budget = Stopwatch(), Budget.of_work(0.6)
    found, patterns = tighten(
        Proven.of(front), schedules, budget, clock, report=lambda *progress: told.append(progress)
    )
    assert found[: len(schedules)] == schedules
    assert len(found) > len(schedules)
    assert patterns is not None
    assert list(clock.seconds) == ["patterns", "polish"]
    spent = [work for work, _ in told]
    assert spent == sorted(spent)
    assert 0 < spent[0] < spent[-1] <= 0.6
    assert all(points.shape[1] == 2 and len(points) for _, points in told)
    # While the fast end is polished, which comes first, this is the best there is.
    np.testing.assert_array_equal(told[0][1], sorted_front(points_of(schedules)))
    # While patterns are sought, which comes last, no more is found.
    last = sorted_front(points_of(found))
    np.testing.assert_array_equal(told[-1][1], last)
    polishing = [work for work, best in told if not np.array_equal(best, last)]
    assert max(polishing) == pytest.approx(0.65 * 0.6, abs=0.03)
    assert spent[-1] > max(polishing)


UNITS = 2.0


@pytest.fixture(scope="module")
def front(two_by_two):
    return trace_front(two_by_two())


def ways(system, *on_the_first):
    """Schedules with so many tasks of each type on the first machine."""
    rows = [np.array([way, (6 - way[0], 6 - way[1])]) for way in on_the_first]
    return [Schedule(system, np.arange(2), np.ones(2, np.int64), tasks) for tasks in rows]


@pytest.fixture
def at_first(front):
    """At 900 J in 30 s, 1,140 J in 18 s, 1,210 J in 17 s and 1,430 J in 11 s."""
    found = ways(front.system, (0, 0), (6, 0), (5, 1), (5, 3))
    assert points_of(found).tolist() == [[900, 30], [1140, 18], [1210, 17], [1430, 11]]
    return found


class Search:
    """In the place of a search for patterns: what it is asked, and that it gained as often."""

    gains = 1

    def __init__(self, proven, schedules, wish=None):
        self.proven_before, self.schedules, self.wish = proven, list(schedules), wish
        self.runs: list[tuple[Budget, dict[str, Any]]] = []

    def aim_at(self, schedules):
        self.schedules = list(schedules)

    def run(self, budget, **named):
        self.runs.append((budget, named))

    def proven(self):
        return f"proven by {len(self.runs)} runs"


@pytest.fixture
def steps(monkeypatch, at_first):
    """Every step finds a schedule; patterns are worthwhile. All searches are kept."""
    steps, searches = StandIns(monkeypatch, core.engines.front.tighten), []
    along, alone = ways(at_first[0].system, (2, 2), (1, 1))
    steps.gives(polish_along=[along], polish=alone, worthwhile=True)

    def search(*given):
        searches.append(Search(*given))
        return searches[-1]

    monkeypatch.setattr(core.engines.front.tighten, "PatternSearch", search)
    return steps, searches


@pytest.fixture(autouse=True)
def ticks(monkeypatch):
    """A second passes whenever somebody looks at the clock, so that phases count their ends."""
    monkeypatch.setattr(time, "perf_counter", itertools.count(0.0).__next__)


class Told:
    """Who is told how far it is, and remembers what was spent, and the best so far."""

    def __init__(self):
        self.spent: list[float] = []
        self.best: list[Any] = []

    def __call__(self, spent, best):
        self.spent.append(spent)
        self.best.append(best)


def tightened(front, at_first, units=UNITS, wish=None, report=None):
    """What is found and proven, how often each phase ended, and the budget."""
    clock, budget = Stopwatch(), Budget.of_work(units)
    found, patterns = tighten(
        Proven.of(front), at_first, budget, clock, wish=wish, seed=7, report=report
    )
    return found, patterns, clock.seconds, budget


def assert_fast_bound(bound, front):
    """That of the least makespan, with the fast end of the front and its prices."""
    assert (bound.system, bound.objective) == (front.system, MAKESPAN)
    assert bound.value == pytest.approx(10.8)
    assert bound.placed.tolist() == front.placed(2).tolist()
    assert bound.prices.tolist() == front.lines.machine_prices[3].tolist()


def test_shares_of_the_budget_without_a_wish(front, at_first, steps):
    (calls, searches), told = steps, Told()
    found, patterns, phases, budget = tightened(front, at_first, report=told)
    along, alone = calls.one("polish_along"), calls.one("polish")
    # The fast end first, then all of it.
    assert points_of(found[:4]).tolist() == points_of(at_first).tolist()
    assert len(found) == 6
    (fastest, bound, share), named = alone
    assert fastest is at_first[3]
    assert_fast_bound(bound, front)
    assert share.seconds == pytest.approx(0.12 * 0.65 * UNITS)
    assert named["seed"] == 7
    (same_front, before, polishing), named = along
    assert same_front is front
    assert before == found[:5]
    assert polishing.seconds == pytest.approx(0.65 * UNITS)
    assert (named["seed"], named["near"]) == (7, None)
    # One search, that finds out whether it pays and goes on with all that was found.
    (search,) = searches
    (probe, probing), (rest, going_on) = search.runs
    assert search.proven_before.front is front
    assert search.wish is None
    assert (probe.seconds, probing) == (0.1 * UNITS, {"enough": 1})
    assert rest is budget
    assert search.schedules == found
    assert patterns == "proven by 2 runs"
    assert phases == {"patterns": 2, "polish": 1}
    # Whoever asks is told the best of the moment, and what is spent of all.
    alone.named["report"](1.0, 2.0)
    named["report"](0.5, "the best so far")
    budget.spend(UNITS / 4)
    going_on["report"](0.5)
    budget.spend(UNITS)
    going_on["report"](0.5)
    assert told.spent == [0.0, 0.0, UNITS / 4, UNITS]
    assert told.best[0].tolist() == points_of(at_first).tolist()
    assert told.best[1] == "the best so far"
    assert told.best[2].tolist() == sorted_front(points_of(found)).tolist()


def test_patterns_that_gain_nothing_leave_all_to_polish(front, at_first, steps, monkeypatch):
    monkeypatch.setattr(Search, "gains", 0)
    _, patterns, phases, budget = tightened(front, at_first)
    assert patterns is None
    assert phases == {"patterns": 1, "polish": 1}
    (_, _, polishing), named = steps[0].one("polish_along")
    assert polishing is budget
    assert named["report"] is None
    assert len(steps[1][0].runs) == 1


@pytest.mark.parametrize("wish", [None, Deadline(12.0)])
@pytest.mark.parametrize(("units", "sought"), [(0.49, False), (0.5, True)])
def test_a_small_budget_is_for_polish_alone(front, at_first, steps, wish, units, sought):
    _, patterns, phases, _ = tightened(front, at_first, units, wish)
    assert (patterns is not None) == bool(steps[1]) == sought
    assert ("patterns" in phases) == sought


@pytest.mark.parametrize("wish", [None, Deadline(12.0)])
def test_patterns_that_are_not_worthwhile_are_not_sought(front, at_first, steps, wish):
    steps[0].gives(worthwhile=False)
    _, patterns, phases, budget = tightened(front, at_first, wish=wish)
    assert (patterns, phases, steps[1]) == (None, {"polish": 1}, [])
    assert steps[0].one("polish_along").given[2] is budget
    proven, schedules = steps[0].one("worthwhile").given
    assert proven.front is front
    assert schedules[:4] == at_first


def test_where_polish_is_of_slices_neither_end_nor_patterns_are_sought(front, at_first, steps):
    steps[0].gives(too_large=True)
    found, patterns, phases, budget = tightened(front, at_first)
    assert (patterns, phases, steps[1]) == (None, {"polish": 1}, [])
    assert not steps[0].calls["polish"]
    assert len(found) == 5
    assert steps[0].one("polish_along").given[2] is budget


def test_shares_of_the_budget_with_a_wish_that_is_met(front, at_first, steps):
    told, wish = Told(), Deadline(12.0)
    found, patterns, phases, budget = tightened(front, at_first, wish=wish, report=told)
    assert not steps[0].calls["polish"]
    assert len(found) == 5
    (_, _, polishing), named = steps[0].one("polish_along")
    assert polishing.seconds == pytest.approx(0.85 * UNITS)
    assert named["near"] == 12.0
    (search,) = steps[1]
    assert (search.wish, search.schedules) == (wish, found)
    ((rest, going_on),) = search.runs
    assert rest is budget
    going_on["report"](0.5)
    assert told.best[-1].tolist() == sorted_front(points_of(found)).tolist()
    assert patterns == "proven by 1 runs"
    assert phases == {"polish": 1, "patterns": 1}


@pytest.mark.parametrize("late", [0.25, 5.0])
def test_a_deadline_that_none_meets_has_the_fast_end_polished(front, at_first, steps, late):
    wish = Deadline(11.0 - late)
    found, *_ = tightened(front, at_first[::-1], wish=wish)
    ((fastest, bound, share), named) = steps[0].one("polish")
    assert fastest is at_first[3]
    assert_fast_bound(bound, front)
    assert share.seconds == pytest.approx(0.4 * 0.85 * UNITS)
    assert named == {"seed": 7}
    (_, before, _), _ = steps[0].one("polish_along")
    assert (len(before), len(found)) == (5, 6)


def test_an_energy_budget_that_none_keeps_has_the_thrifty_end_polished(front, at_first, steps):
    tightened(front, at_first[::-1], wish=EnergyBudget(899.0))
    ((thriftiest, bound, share), named) = steps[0].one("polish")
    assert thriftiest is at_first[0]
    assert (bound.objective, bound.value) == (ENERGY, pytest.approx(900.0))
    # Of all that are as thrifty, the fastest.
    assert bound.placed.tolist() == [[0, 6], [0, 6]]
    assert share.seconds == pytest.approx(0.4 * 0.85 * UNITS)
    assert named == {"seed": 7}


@pytest.mark.parametrize("wish", [PowerCap(10.0), ExchangeRate(1.0)])
def test_other_wishes_are_near_no_end(front, at_first, steps, wish):
    found, *_ = tightened(front, at_first, wish=wish)
    assert not steps[0].calls["polish"]
    assert len(found) == 5


def test_for_a_cap_that_only_slower_ones_keep_no_patterns_are_sought(two_by_two, steps):
    front, wish = trace_front(two_by_two(20, 10)), PowerCap(60.0)
    assert wish.beyond(front)
    _, patterns, phases, budget = tightened(front, ways(front.system, (6, 0)), wish=wish)
    assert (patterns, phases, steps[1]) == (None, {"polish": 1}, [])
    assert steps[0].one("polish_along").given[2] is budget


def test_for_a_wish_in_a_system_of_many_tasks_no_patterns_are_sought(two_by_two, steps):
    small = two_by_two()
    front = trace_front(small.with_counts(small.task_counts * 10, small.machine_counts))
    many = [
        Schedule(front.system, one.machine_type, one.machines, one.tasks * 10)
        for one in ways(small, (6, 0))
    ]
    _, patterns, phases, _ = tightened(front, many, wish=Deadline(200.0))
    assert (patterns, phases, steps[1]) == (None, {"polish": 1}, [])


def test_where_all_is_spent_polish_has_an_instant(front, at_first, steps):
    budget = Budget.of_work(UNITS)
    assert isinstance(budget.clock, Work)
    budget.clock.add(2 * UNITS)
    tighten(Proven.of(front), at_first, budget, Stopwatch(), wish=Deadline(10.9))
    (_, _, polishing), _ = steps[0].one("polish_along")
    assert polishing.seconds == INSTANT
    budget.clock.add(INSTANT)
    (_, _, share), _ = steps[0].one("polish")
    assert share.seconds == pytest.approx(0.4 * INSTANT)
