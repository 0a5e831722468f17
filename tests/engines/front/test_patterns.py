"""Patterns prove more than lines do, and never what some schedule disproves."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from tiny import all_schedules, lines_alone, tiny_systems

from core.engines.front.known import Proofs
from core.engines.front.patterns import PatternSearch, worthwhile
from core.engines.front.proven import Proven
from core.engines.front.study import study
from core.engines.front.wish import Deadline, EnergyBudget, ExchangeRate
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Budget, Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


def bound_by_patterns(
    proven: Proven,
    schedules: Sequence[Schedule],
    budget: Budget,
    report: Callable[[float], None] | None = None,
) -> Proven | None:
    search = PatternSearch(proven, schedules)
    search.run(budget, report=report)
    found = search.proven()
    return None if found is None else Proven.of(proven.front, found.steps)


def goes_beyond(known: Proven, bound: Proven) -> bool:
    makespans = np.linspace(bound.soonest, known.front.makespan[0], 300)
    return bool((bound.least_energy(makespans) > known.least_energy(makespans) * (1 + 1e-9)).any())


@given(tiny_systems())
@examples(8)
def test_nothing_is_proven_that_some_schedule_disproves(system: System) -> None:
    proven = Proven.of(trace_front(system))
    ways = all_schedules(system)
    points = np.array([(way.energy, way.makespan) for way in ways])
    some = [ways[place] for place in np.flatnonzero(non_dominated(points))[::2]]
    if not worthwhile(proven, some):
        return
    bound = bound_by_patterns(proven, some, Budget.of_work(0.1))
    if bound is not None:
        for energy, makespan in points:
            assert proven.least_energy(makespan) <= bound.least_energy(makespan)
            assert bound.least_energy(makespan) <= energy * (1 + 1e-12)
            assert bound.least_makespan(energy * (1 + 1e-12)) <= makespan


@given(tiny_systems())
@examples(8)
def test_what_is_sought_for_a_wish_is_below_whoever_meets_it(system: System) -> None:
    proven = Proven.of(trace_front(system))
    ways = all_schedules(system)
    points = np.array([(way.energy, way.makespan) for way in ways])
    if not worthwhile(proven, ways):
        return
    energy, makespan = points[len(points) // 2].tolist()
    for wish in (Deadline(makespan), EnergyBudget(energy), ExchangeRate(5.0)):
        search = PatternSearch(proven, ways, wish)
        search.run(Budget.of_work(0.05))
        found = search.proven()
        bound = wish.bound(Proven.of(proven.front, None if found is None else found.steps))
        least = wish.value(points[wish.excess(points) == 0]).min()
        assert wish.bound(proven) <= bound <= least * (1 + 1e-11) + 1e-12


@pytest.mark.parametrize("kind", [EnergyBudget, ExchangeRate])
def test_a_wish_is_bounded_more_closely_where_tasks_are_few(
    kind: type[EnergyBudget | ExchangeRate],
) -> None:
    rng = np.random.default_rng(5)
    counts = rng.integers(1, 4, 12).tolist()
    system = System(
        tuple(TaskType(f"t{i}", count) for i, count in enumerate(counts)),
        tuple(MachineType(f"m{j}", 2, 20.0) for j in range(4)),
        rng.uniform(10, 90, (12, 4)).round(),
        rng.uniform(60, 200, (12, 4)).round(),
    )
    found = study(system, effort=Effort(0))
    energy, makespan = found.front.points.mean(axis=0).tolist()
    wish = kind(1.05 * energy if kind is EnergyBudget else energy / makespan)
    search = PatternSearch(found.proven, found.schedules, wish)
    search.run(Budget.of_work(60), enough=2)
    patterns = search.proven()
    assert patterns is not None
    raised = wish.bound(Proven.of(found.front, patterns.steps))
    assert raised > wish.bound(found.proven) * (1 + 1e-4)
    met = found.points[wish.excess(found.points) == 0]
    assert raised <= wish.value(met).min(initial=np.inf)


@pytest.mark.parametrize("idle", [0.0, 3.0])
def test_a_bound_worked_out_by_hand(idle: float) -> None:
    # Fast and dear, or slow and cheap: within 3 to 5.9 s a machine runs one task, not two.
    system = System(
        (TaskType("task", 4),),
        (MachineType("fast", 2, idle), MachineType("slow", 2, idle)),
        np.array([[1.0, 3.0]]),
        np.array([[100.0 + idle, 10.0 + idle]]),
    )
    # Of the system itself no more than its lines is known, so that patterns have work to do.
    known = lines_alone(trace_front(system))
    schedule = [
        Schedule.from_groups(system, np.arange(2), np.full(2, 2), np.array([[2 - slow], [slow]]))
        for slow in (0, 1, 2)
    ]
    search = PatternSearch(known, schedule)
    search.run(Budget.of_work(20))
    found = search.proven()
    assert found is not None
    bound = Proven(known.front, found.steps.raised_to(known.steps))
    assert goes_beyond(known, bound)
    for deadline, slow in ((2.0, 0), (2.9, 0), (3.0, 2), (4.0, 2), (5.9, 2), (6.0, 4)):
        makespan = max(2 - slow / 2, 1.5 * slow)
        least = 100.0 * (4 - slow) + 30.0 * slow + 4 * idle * makespan
        assert bound.least_energy(deadline) == pytest.approx(least)
        assert bound.least_energy(deadline) <= least


def test_on_a_sample_it_is_beyond_the_lines_and_below_every_schedule() -> None:
    system = load_sample("nine").with_idle_fraction(0.1)
    found = study(system, effort=Effort(0))
    front = found.front
    search = PatternSearch(found.proven, found.schedules)
    search.run(Budget.of_work(0.3))
    patterns = search.proven()
    assert patterns is not None
    bound = Proven.of(front, patterns.steps)
    again = patterns.proof.evaluated(system).steps
    np.testing.assert_array_equal(again.begins, patterns.steps.begins)
    np.testing.assert_array_equal(again.joules, patterns.steps.joules)
    assert goes_beyond(found.proven, bound)
    assert (np.diff(bound.steps.begins) > 0).all()
    assert (np.diff(bound.steps.joules) < 0).all()
    for energy, makespan in found.points:
        assert bound.least_energy(makespan) <= energy
    both = replace(found, proofs=Proofs(patterns=patterns))
    assert both.areas().between < found.areas().between
    assert both.areas().outer < found.areas().outer
    assert both.areas().inner == found.areas().inner
    assert both.areas().loose == found.areas().loose
    for energy, makespan in both.outer[::50]:
        assert energy >= front.least_energy(makespan) * (1 - 1e-9)
        assert energy == pytest.approx(float(bound.least_energy(makespan)), rel=1e-3)
    assert both.outer[0].tolist() == pytest.approx(found.outer[0].tolist())
    assert both.outer[-1].tolist() == pytest.approx(found.outer[-1].tolist())


def test_what_proves_nothing_is_none_and_soon() -> None:
    found = study(load_sample("two"), effort=Effort(0))
    budget = Budget.of_work(60)
    assert bound_by_patterns(found.proven, found.schedules, budget) is None
    assert budget.left


def test_it_goes_on_from_what_was_enough_at_first() -> None:
    found = study(load_sample("nine"), effort=Effort(0))
    search = PatternSearch(found.proven, found.schedules[::4])
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
    bound = replace(found, proofs=Proofs(patterns=search.proven())).proven
    for energy, makespan in found.points:
        assert bound.least_energy(makespan) <= energy


def test_no_schedules_are_as_if_the_dearest_were_all_there_is() -> None:
    proven = Proven.of(trace_front(load_sample("nine")))
    search = PatternSearch(proven, [])
    assert (search.achieved == proven.front.energy[-1]).all()
    search.run(Budget.of_work(60), enough=1)
    found = search.proven()
    assert found is not None
    assert goes_beyond(proven, Proven.of(proven.front, found.steps))


def test_it_stops_when_told_to() -> None:
    found = study(load_sample("six"), effort=Effort(0))
    budget = Budget(600, threads=2, should_stop=lambda: True)
    assert bound_by_patterns(found.proven, found.schedules, budget) is None
    told: list[float] = []
    budget = Budget(600, threads=2, should_stop=lambda: len(told) >= 2)
    bound = bound_by_patterns(found.proven, found.schedules, budget, told.append)
    assert bound is not None
    assert 2 <= len(told) <= 4
    assert all(0 < spent < 600 for spent in told)


def test_it_keeps_off_what_is_too_large_or_has_nothing_to_trade() -> None:
    nine = load_sample("nine")

    def pays(system: System) -> bool:
        return worthwhile(Proven.of(trace_front(system)), [])

    assert pays(nine)
    assert not pays(nine.with_counts(nine.task_counts * 100, nine.machine_counts))
    alone = nine.with_counts(nine.task_counts, np.eye(1, 9, dtype=np.int64)[0])
    assert len(trace_front(alone)) == 1
    assert not pays(alone)
    types = 600
    assert not pays(
        System(
            tuple(TaskType(str(i)) for i in range(types)),
            tuple(MachineType(str(j)) for j in range(6)),
            np.random.default_rng(0).uniform(1, 100, (types, 6)),
            np.random.default_rng(1).uniform(1, 100, (types, 6)),
        )
    )
