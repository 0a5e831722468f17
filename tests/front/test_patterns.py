"""Patterns prove more than lines do, and never what some schedule disproves."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.budget import Budget
from core.front.pattern_bound import PatternBound
from core.front.patterns import PatternSearch, worthwhile
from core.front.points import non_dominated
from core.front.wish import Deadline, EnergyBudget
from core.kinds import MachineType, TaskType
from core.relaxed import Front, trace_front
from core.samples import load_sample
from core.schedule import Schedule
from core.study import study
from core.system import System


@st.composite
def tiny_systems(draw: st.DrawFn) -> System:
    """Of which all schedules can be tried; the second machine type is slower, and mostly saves."""
    types = draw(st.integers(1, 2))
    fast = draw(arrays(float, types, elements=st.integers(1, 9).map(float)))
    more = draw(arrays(float, types, elements=st.sampled_from([0.5, 1.0, 2.5, 3.0, 7.3])))
    watts = draw(arrays(float, (types, 2), elements=st.integers(0, 40).map(float)))
    idle = draw(st.sampled_from([0.0, 0.0, 1.0, 4.0]))
    return System(
        tuple(TaskType(str(i), draw(st.integers(1, 6 // types))) for i in range(types)),
        (MachineType("fast", draw(st.integers(1, 2)), idle), MachineType("slow", 1, idle)),
        np.column_stack([fast, fast + more]),
        watts + np.array([60.0, 0.0]),
    )


def all_schedules(system: System) -> list[Schedule]:
    """Every way to run the tasks of each type on single machines."""
    kinds = np.repeat(np.arange(len(system.machine_types)), system.machine_counts)
    single = np.ones(len(kinds), np.int64)
    rows = []
    for i, count in enumerate(system.task_counts.tolist()):
        most = [count if able else 0 for able in system.can_run[i, kinds]]
        ways = product(*(range(each + 1) for each in most))
        rows.append([way for way in ways if sum(way) == count])
    return [Schedule.from_groups(system, kinds, single, np.array(way).T) for way in product(*rows)]


def bound_by_patterns(
    front: Front,
    schedules: list[Schedule],
    budget: Budget,
    report: Callable[[float], None] | None = None,
) -> PatternBound | None:
    search = PatternSearch(front, schedules)
    search.run(budget, report=report)
    return search.proven()


def beyond_lines(front: Front, bound: PatternBound) -> bool:
    return any(
        joules > front.least_energy(until) * (1 + 1e-9)
        for joules, until in zip(bound.joules[:-1], bound.makespans[1:], strict=True)
    )


@given(tiny_systems())
@settings(max_examples=60)
def test_nothing_is_proven_that_some_schedule_disproves(system: System) -> None:
    front = trace_front(system)
    ways = all_schedules(system)
    points = np.array([(way.energy, way.makespan) for way in ways])
    some = [ways[place] for place in np.flatnonzero(non_dominated(points))[::2]]
    bound = bound_by_patterns(front, some, Budget(0.5))
    if bound is not None:
        for energy, makespan in points:
            assert bound.least_energy(makespan) <= energy * (1 + 1e-12)
            assert bound.least_makespan(energy * (1 + 1e-12)) <= makespan
            for wish in (Deadline(makespan), EnergyBudget(energy)):
                within = points[wish.excess(points) == 0]
                assert wish.bound(front) <= wish.bound(front, bound)
                assert wish.bound(front, bound) <= wish.value(within).min() * (1 + 1e-12)


@pytest.mark.parametrize("idle", [0.0, 3.0])
def test_a_bound_worked_out_by_hand(idle: float) -> None:
    # Fast and dear, or slow and cheap: within 3 to 5.9 s a machine runs one task, not two.
    system = System(
        (TaskType("task", 4),),
        (MachineType("fast", 2, idle), MachineType("slow", 2, idle)),
        np.array([[1.0, 3.0]]),
        np.array([[100.0 + idle, 10.0 + idle]]),
    )
    front = trace_front(system)
    schedule = [
        Schedule.from_groups(system, np.arange(2), np.full(2, 2), np.array([[2 - slow], [slow]]))
        for slow in (0, 1, 2)
    ]
    bound = bound_by_patterns(front, schedule, Budget(20))
    assert bound is not None
    assert beyond_lines(front, bound)
    for deadline, slow in ((2.0, 0), (2.9, 0), (3.0, 2), (4.0, 2), (5.9, 2), (6.0, 4)):
        makespan = max(2 - slow / 2, 1.5 * slow)
        least = 100.0 * (4 - slow) + 30.0 * slow + 4 * idle * makespan
        assert bound.least_energy(deadline) == pytest.approx(least)
        assert bound.least_energy(deadline) <= least


@pytest.mark.parametrize("idle", [0.0, 0.1])
def test_on_a_sample_it_is_beyond_the_lines_and_below_every_schedule(idle: float) -> None:
    system = load_sample("nine").with_idle_fraction(idle)
    found = study(system, seconds=0)
    front = found.front
    bound = bound_by_patterns(front, list(found.schedules), Budget(1, threads=2))
    assert bound is not None
    assert beyond_lines(front, bound)
    assert (np.diff(bound.makespans) > 0).all()
    assert (np.diff(bound.joules) < 0).all()
    assert bound.joules[-1] == front.lines.value[0]
    for seconds in (0.0, 0.5):
        others = study(system, front=front, seconds=seconds, method="lp" if seconds else "paper")
        for energy, makespan in others.points:
            assert bound.least_energy(makespan) <= energy
    both = replace(found, patterns=bound)
    assert both.areas().between < found.areas().between
    assert both.areas().outer < found.areas().outer
    assert both.areas().inner == found.areas().inner
    assert both.areas().loose == found.areas().loose
    for energy, makespan in both.outer[::50]:
        assert energy >= front.least_energy(makespan) * (1 - 1e-9)
        assert energy == pytest.approx(both.least_energy(makespan), rel=1e-3)
    assert both.outer[0].tolist() == pytest.approx(found.outer[0].tolist())
    assert both.outer[-1].tolist() == pytest.approx(found.outer[-1].tolist())


def test_what_proves_nothing_is_none_and_soon() -> None:
    found = study(load_sample("two"), seconds=0)
    budget = Budget(60)
    assert bound_by_patterns(found.front, list(found.schedules), budget) is None
    assert budget.left


def test_it_goes_on_from_what_was_enough_at_first() -> None:
    found = study(load_sample("nine"), seconds=0)
    search = PatternSearch(found.front, found.schedules[::4])
    budget = Budget(60, threads=2)
    search.run(budget, enough=1)
    assert budget.left
    # A thread whose own price is at hand when another has enough may gain by it, too.
    assert 1 <= search.gains <= 2
    first, reached, known = search.joules.copy(), search.achieved, len(search.prices.known)
    search.aim_at(found.schedules)
    search.run(budget, enough=1)
    np.testing.assert_array_equal(search.joules, first)
    assert (search.achieved <= reached).all()
    assert (search.achieved < reached).any()
    search.run(Budget(60, threads=2), enough=search.gains + 2)
    assert (search.joules >= first).all()
    assert (search.joules > first).any()
    assert len(search.prices.known) > known
    bound = search.proven()
    assert bound is not None
    for energy, makespan in found.points:
        assert bound.least_energy(makespan) <= energy


def test_no_schedules_are_as_if_the_dearest_were_all_there_is() -> None:
    front = trace_front(load_sample("nine"))
    search = PatternSearch(front, [])
    assert (search.achieved == front.energy[-1]).all()
    search.run(Budget(60), enough=1)
    bound = search.proven()
    assert bound is not None
    assert beyond_lines(front, bound)


def test_it_stops_when_told_to() -> None:
    found = study(load_sample("six"), seconds=0)
    budget = Budget(600, threads=2, should_stop=lambda: True)
    assert bound_by_patterns(found.front, list(found.schedules), budget) is None
    told: list[float] = []
    budget = Budget(600, threads=2, should_stop=lambda: len(told) >= 2)
    bound = bound_by_patterns(found.front, list(found.schedules), budget, told.append)
    assert bound is not None
    assert 2 <= len(told) <= 4
    assert all(0 < spent < 600 for spent in told)


def test_it_keeps_off_what_is_too_large_or_has_no_front() -> None:
    nine = load_sample("nine")
    front = trace_front(nine)
    assert worthwhile(front)
    many = nine.with_counts(nine.task_counts * 100, nine.machine_counts)
    assert not worthwhile(trace_front(many))
    alone = nine.with_counts(nine.task_counts, np.eye(1, 9, dtype=np.int64)[0])
    assert len(trace_front(alone)) == 1
    assert not worthwhile(trace_front(alone))
    types = 600
    wide = System(
        tuple(TaskType(str(i)) for i in range(types)),
        tuple(MachineType(str(j)) for j in range(6)),
        np.random.default_rng(0).uniform(1, 100, (types, 6)),
        np.random.default_rng(1).uniform(1, 100, (types, 6)),
    )
    assert not worthwhile(trace_front(wide))
