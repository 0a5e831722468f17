"""Patterns prove more than lines do, and never what some schedule disproves."""

from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from tiny import all_schedules, lines_alone, tiny_systems

from core.engines.front.known import Proofs
from core.engines.front.patterns import PatternProof, Patterns, PatternSearch, worthwhile
from core.engines.front.proven import Proven
from core.engines.front.study import study
from core.engines.front.wish import Deadline, EnergyBudget, ExchangeRate
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Budget, Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import Steps, non_dominated
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


def bound_by_patterns(proven, schedules, budget, report=None):
    search = PatternSearch(proven, schedules)
    search.run(budget, report=report)
    found = search.proven()
    return None if found is None else Proven.of(proven.front, found.steps)


def goes_beyond(known, bound):
    makespans = np.linspace(bound.soonest, known.front.makespan[0], 300)
    return bool((bound.least_energy(makespans) > known.least_energy(makespans) * (1 + 1e-9)).any())


@given(tiny_systems())
@examples(3)
def test_nothing_is_proven_that_some_schedule_disproves(system):
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
@examples(3)
def test_what_is_sought_for_a_wish_is_below_whoever_meets_it(system):
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
def test_a_wish_is_bounded_more_closely_where_tasks_are_few(kind):
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
    raised = wish.bound(Proven.of(found.front, patterns.steps))
    assert raised > wish.bound(found.proven) * (1 + 1e-4)
    met = found.points[wish.excess(found.points) == 0]
    assert raised <= wish.value(met).min(initial=np.inf)


@pytest.mark.parametrize("idle", [0.0, 3.0])
def test_a_bound_worked_out_by_hand(idle):
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
    bound = Proven(known.front, found.steps.raised_to(known.steps))
    assert goes_beyond(known, bound)
    for deadline, slow in ((2.0, 0), (2.9, 0), (3.0, 2), (4.0, 2), (5.9, 2), (6.0, 4)):
        makespan = max(2 - slow / 2, 1.5 * slow)
        least = 100.0 * (4 - slow) + 30.0 * slow + 4 * idle * makespan
        assert bound.least_energy(deadline) == pytest.approx(least)
        assert bound.least_energy(deadline) <= least


@pytest.mark.thorough
def test_on_a_sample_it_is_beyond_the_lines_and_below_every_schedule():
    system = load_sample("nine").with_idle_fraction(0.1)
    found = study(system, effort=Effort(0))
    front = found.front
    search = PatternSearch(found.proven, found.schedules)
    search.run(Budget.of_work(0.3))
    patterns = search.proven()
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


@pytest.mark.thorough
def test_what_proves_nothing_is_none_and_soon():
    found = study(load_sample("two"), effort=Effort(0))
    budget = Budget.of_work(60)
    assert bound_by_patterns(found.proven, found.schedules, budget) is None
    assert budget.left


@pytest.mark.thorough
def test_it_goes_on_from_what_was_enough_at_first():
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


@pytest.mark.thorough
def test_no_schedules_are_as_if_the_dearest_were_all_there_is():
    proven = Proven.of(trace_front(load_sample("nine")))
    search = PatternSearch(proven, [])
    assert (search.achieved == proven.front.energy[-1]).all()
    search.run(Budget.of_work(60), enough=1)
    found = search.proven()
    assert goes_beyond(proven, Proven.of(proven.front, found.steps))


@pytest.mark.thorough
def test_it_stops_when_told_to():
    found = study(load_sample("six"), effort=Effort(0))
    budget = Budget(600, threads=2, should_stop=lambda: True)
    assert bound_by_patterns(found.proven, found.schedules, budget) is None
    told = []
    budget = Budget(600, threads=2, should_stop=lambda: len(told) >= 2)
    bound = bound_by_patterns(found.proven, found.schedules, budget, told.append)
    assert bound is not None
    assert 2 <= len(told) <= 4
    assert all(0 < spent < 600 for spent in told)


def test_it_keeps_off_what_is_too_large_or_has_nothing_to_trade():
    nine = load_sample("nine")

    def pays(system):
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


def proof_of(shortest, longest, *rows, worth_a_step=0.0):
    prices, until = zip(*rows, strict=True) if rows else ((), ())
    return PatternProof(
        shortest,
        longest,
        worth_a_step,
        np.array(prices, float).reshape(-1, 1),
        np.array(until, np.int64),
    )


def test_a_proof_is_evaluated_as_its_prices_prove(fast_and_slow):
    # At 20 J a task: 40 J, less the 18.5 J that the slow machine earns from 3 s on. That row counts
    # for 50,000 cells, up to 4 s. At 2 J: 4 J, less 0.5 J, and 1 J from 6 s on.
    proof = proof_of(1.5, 7.0, (20.0, 50_000), (2.0, 10**9))
    found = proof.evaluated(fast_and_slow.front.system)
    makespans = np.array([1.0, 1.5, 2.9, 3.0, 3.9, 4.1, 5.9, 6.0, 6.9])
    expected = [40, 40, 40, 21.5, 21.5, 3.5, 3.5, 3, 3]
    assert found.steps.needed(makespans) == pytest.approx(np.array(expected))
    assert found.steps.begins[0] == 0.0
    assert found.steps.needed(np.array([7.1])) == -np.inf
    assert found.proof is proof


def test_rows_count_for_so_many_cells_from_the_shortest_makespan(fast_and_slow):
    system = fast_and_slow.front.system
    step = 5e-5
    for until in (0, 1):
        one = proof_of(1.5, 7.0, (20.0, until)).evaluated(system).steps
        assert one.needed(np.array([1.0, 1.5])) == pytest.approx([40, 40])
        assert one.needed(np.array([1.5 + 1.5 * step])) == -np.inf
    two = proof_of(1.5, 7.0, (20.0, 2)).evaluated(system).steps
    assert two.needed(np.array([1.5 + 1.5 * step])) == pytest.approx(40)
    assert two.needed(np.array([1.5 + 2.5 * step])) == -np.inf


def test_steps_worth_less_are_left_out(fast_and_slow):
    proof = proof_of(1.5, 7.0, (20.0, 10**9), worth_a_step=1e9)
    steps = proof.evaluated(fast_and_slow.front.system).steps
    # But for the last, beyond which nothing is fast_and_slow.
    assert steps.joules == pytest.approx(np.array([3.0, -np.inf]))


@pytest.mark.parametrize(
    ("shortest", "longest", "fault"),
    [
        (0.0, 0.0, "goes from 0.0 s to 0.0 s, which is"),
        (-1.0, 1.0, "goes from -1.0 s to 1.0 s"),
        (0.5, 0.5, None),
        (0.5, 5.0, None),
        (0.5, 5.01, "goes from 0.5 s to 5.01 s"),
        (2.0, 20.0, None),
        (2.0, 20.1, "goes from"),
        (2.0, 1.9, "goes from 2.0 s to 1.9 s"),
        (np.nan, 1.0, "goes from"),
    ],
)
def test_makespans_of_a_proof(fast_and_slow, shortest, longest, fault):
    found = proof_of(shortest, longest, (20.0, 1)).fault(fast_and_slow.front.system)
    assert found == fault if fault is None else found is not None and found.startswith(fault)


def test_a_proof_that_takes_too_long_is_none(fast_and_slow):
    system = fast_and_slow.front.system
    too_large = "is too large to be checked"
    assert proof_of(2.0, 3.0, *[(20.0, 1)] * 60).fault(system) is None
    assert proof_of(2.0, 3.0, *[(20.0, 1)] * 61).fault(system) == too_large
    assert proof_of(2.0, 15.0, (20.0, 1)).fault(many_types(2000)) == too_large


def many_types(types, seconds=1.0, tasks=2):
    return System(
        tuple(TaskType(str(i), tasks) for i in range(types)),
        (MachineType("m"),),
        np.full((types, 1), seconds),
        np.full((types, 1), 1.0),
    )


@pytest.mark.parametrize(
    ("seconds", "tasks", "most"), [(1.0, 2, 1500), (1.0, 3, 1000), (2.0, 100, 1000)]
)
def test_thirty_million_numbers_are_not_too_many(seconds, tasks, most):
    # Of two tasks of a type there are two lots, of three or of the five that fit there are three;
    # and 10 s are 10,000 cells.
    proof = proof_of(2.0, 10.0, (20.0, 1))
    assert proof.fault(many_types(most, seconds, tasks)) is None
    assert proof.fault(many_types(most + 1, seconds, tasks)) is not None


def patterns(shortest, begins, joules):
    steps = Steps(np.array(begins), np.array(joules))
    return Patterns(steps, proof_of(shortest, 9.0))


@pytest.mark.parametrize(
    ("mine", "its", "beyond"),
    [
        # More here, less there: 4 J s against 3 J s, and the other way round.
        (([1, 3, 4], [12, 5, -np.inf]), ([1, 3, 4], [10, 8, -np.inf]), True),
        (([1, 3, 4], [12, 5, -np.inf]), ([1, 3, 4], [10, 9.5, -np.inf]), False),
        (([1, 2, 3, 4], [10, 6, 3, -np.inf]), ([1, 2, 3, 4], [12, 5, 3.5, -np.inf]), False),
        # A little more is more, as much is not.
        (([1, 2], [10.5, -np.inf]), ([1, 2], [10, -np.inf]), True),
        (([1, 2], [10, -np.inf]), ([1, 2], [10, -np.inf]), False),
        # Where one knows nothing, it is as if it knew the least that either proves.
        (([1, 3], [8, -np.inf]), ([1, 2], [9, -np.inf]), False),
        (([1, 3, 5], [9, 8, -np.inf]), ([1, 2], [9, -np.inf]), True),
        (([1], [-np.inf]), ([1], [-np.inf]), False),
    ],
)
def test_which_of_two_proves_more(mine, its, beyond):
    assert patterns(1.0, *mine).beyond(patterns(1.0, *its)) == beyond


def test_makespans_that_one_says_nothing_about_do_not_count():
    # From 2 s on the other proves more; before, it does not say.
    mine = patterns(1.0, [0.5, 2.0, 3.0], [99.0, 5.0, -np.inf])
    its = patterns(2.0, [0.5, 2.0, 3.0], [9.0, 6.0, -np.inf])
    assert its.beyond(mine)
    assert not mine.beyond(its)


@pytest.mark.parametrize(
    ("shortest", "cells"),
    [(1.0, 20_000), (1.5, 30_000), (2.0, 20_000), (4.9, 24_500), (7.0, 28_000), (12.0, 24_000)],
)
def test_cells_are_round_numbers_and_twenty_thousand_at_least(shortest, cells):
    """Of 1, 2, 2.5 and 5 times a power of ten the largest that leaves so many."""
    system = many_types(1, shortest / 2)
    found = proof_of(shortest, shortest * 1.0001, (5.0, 1)).evaluated(system).steps
    assert found.begins[1] - shortest == pytest.approx(shortest / cells, rel=1e-3)
