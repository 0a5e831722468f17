"""What is known of a system answers any wish as well as all that was ever found would."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from core.engines.front.known import NO_PROOFS, Known, Proofs, worth_keeping
from core.engines.front.patterns import PatternProof, Patterns
from core.engines.front.study import study
from core.engines.front.wish import Deadline, EnergyBudget, ExchangeRate, PowerCap
from core.engines.recover.along import points_of
from core.engines.recover.settling import Settled
from core.engines.relaxed import trace_front
from core.engines.relaxed.fitting import Fitted
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import Steps
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

WAYS = tuple(itertools.product(range(7), repeat=2))
MOST = 120.0


@st.composite
def two_by_two_with_powers(draw):
    """Whole times and powers, so that many schedules tie."""
    small = st.integers(1, 9).map(float)
    etc = np.array([[draw(small) for _ in range(2)] for _ in range(2)])
    apc = np.array([[draw(small) for _ in range(2)] for _ in range(2)])
    idle = [draw(st.integers(0, 12)) for _ in range(2)]
    machines = tuple(MachineType(f"m{j}", 1, float(watts)) for j, watts in enumerate(idle))
    return System((TaskType("a", 6), TaskType("b", 6)), machines, etc, apc)


def every_schedule(system):
    ones = np.ones(2, np.int64)
    return [
        Schedule(system, np.arange(2), ones, np.array([way, (6 - way[0], 6 - way[1])]))
        for way in WAYS
    ]


TWO_BY_TWO = System(
    (TaskType("a", 6), TaskType("b", 6)),
    (MachineType("m0", 1, 3.0), MachineType("m1", 1, 3.0)),
    np.array([[7.0, 9.0], [2.0, 3.0]]),
    np.array([[1.0, 1.0], [8.0, 6.0]]),
)


@given(two_by_two_with_powers(), st.permutations(range(len(WAYS))), st.floats(0.1, MOST))
@example(TWO_BY_TWO, list(range(len(WAYS))), 3.5999999999999996)
@examples(8)
def test_it_answers_any_wish_as_all_that_was_found(system, order, amount):
    found = every_schedule(system)
    known = Known.nothing(system)
    for part in np.array_split(order, 5):
        known = known.with_schedules([found[k] for k in part])
    everything = points_of(found)
    for wish in (
        Deadline(amount),
        EnergyBudget(amount * 10),
        PowerCap(amount / 10),
        ExchangeRate(amount),
    ):
        of_all = wish.value(everything)[wish.excess(everything) == 0]
        of_known = wish.value(known.points)[wish.excess(known.points) == 0]
        assert of_all.min(initial=np.inf) == of_known.min(initial=np.inf)


def test_what_is_beaten_in_every_way_is_not_kept(two_by_two):
    system = two_by_two()
    known = Known.nothing(system).with_schedules(every_schedule(system))
    assert len(known.schedules) < len(WAYS) / 2
    np.testing.assert_array_equal(known.points, points_of(list(known.schedules)))
    assert len(np.unique(known.points, axis=0)) == len(known.points)
    again = known.with_schedules(every_schedule(system))
    np.testing.assert_array_equal(again.points, known.points)
    assert known.numbers == 4 * len(known.schedules)


@pytest.mark.parametrize("idle", [0.0, 5.0])
def test_each_end_is_the_best_of_those_that_tie(two_by_two, idle):
    system = two_by_two(idle_a=idle)
    found = every_schedule(system)
    nothing = Known.nothing(system)
    known = nothing.with_schedules(found)
    times = min((one.makespan, one.energy) for one in found)
    energies = min((one.energy, one.makespan) for one in found)
    assert (known.fastest.makespan, known.fastest.energy) == times
    assert (known.thriftiest.energy, known.thriftiest.makespan) == energies
    assert nothing.fastest is nothing.thriftiest is None


def test_without_powers_the_fastest_is_kept():
    system = System(
        (TaskType("a", 6), TaskType("b", 6)),
        (MachineType("A", 1), MachineType("B", 1)),
        np.array([[1.0, 2.0], [2.0, 3.0]]),
    )
    found = every_schedule(system)
    known = Known.nothing(system).with_schedules(found)
    assert len(known.schedules) == 1
    assert known.schedules[0].makespan == min(one.makespan for one in found)


def test_where_nothing_is_known_nothing_is_proven(two_by_two):
    nothing = Known.nothing(two_by_two())
    assert nothing.system == two_by_two()
    assert (nothing.schedules, nothing.points.shape, nothing.numbers) == ((), (0, 2), 0)
    assert (nothing.least_makespan, nothing.least_energy) == (0.0, 0.0)
    assert nothing.proofs is NO_PROOFS
    assert nothing.with_schedules([]).points.shape == (0, 2)


def test_of_what_is_proven_the_more_is_kept(two_by_two):
    nothing = Known.nothing(two_by_two())
    assert nothing.proving() is nothing
    some = nothing.proving(least_makespan=0.5)
    assert (some.least_makespan, some.least_energy) == (0.5, 0.0)
    more = some.proving(least_energy=0.25)
    assert (more.least_makespan, more.least_energy) == (0.5, 0.25)
    assert more.proving(0.4, 0.2) is more
    assert more.proving(0.6, 0.2).least_makespan == 0.6
    assert more.proving(0.6, 0.2).least_energy == 0.25
    settled = Settled((), 0.0)
    proofs = more.proving(proofs=Proofs(settled=settled))
    assert proofs.proofs.settled is settled
    assert (proofs.least_makespan, proofs.least_energy) == (0.5, 0.25)
    assert proofs.proving() is proofs


def test_points_that_are_known_are_not_computed_again(two_by_two):
    system = two_by_two()
    found = every_schedule(system)[:2]
    at = np.array([[7.0, 3.0], [5.0, 4.0]])
    known = Known.nothing(system).with_schedules(found, at)
    assert known.points.tolist() == [[5, 4], [7, 3]]
    assert known.schedules == (found[1], found[0])


def test_what_draws_least_on_average_is_kept_though_others_are_better_in_all_else():
    # 60 J in 6 s, 70 J in 10 s and 77 J in 11 s; the last draws no less than the one before.
    points = np.array([[60.0, 6.0], [70.0, 10.0], [77.0, 11.0], [61.0, 6.0]])
    assert worth_keeping(points).tolist() == [True, True, False, False]
    # The same in less than a second.
    assert worth_keeping(points / [1, 100]).tolist() == [True, True, False, False]


def test_what_takes_no_time_draws_nothing():
    points = np.array([[5.0, 0.0], [3.0, 0.0], [3.0, 1.0]])
    assert worth_keeping(points).tolist() == [True, True, False]


def patterns(*joules):
    """So many joules from 1 s, 2 s, ... on."""
    steps = Steps(np.arange(1.0, len(joules) + 1), np.array(joules))
    return Patterns(steps, PatternProof(1.0, 5.0, 0.0, np.zeros((1, 1)), np.array([1])))


def test_of_two_patterns_those_that_prove_more_joule_seconds_are_kept():
    more, less = patterns(10.0, 6.0, -np.inf), patterns(12.0, 3.0, -np.inf)
    assert more.beyond(less)
    assert not less.beyond(more)
    assert not more.beyond(more)
    known = Proofs(patterns=more)
    assert known.joined(Proofs(patterns=less)) is known
    assert Proofs(patterns=less).joined(known).patterns is more
    assert known.joined(NO_PROOFS) is known
    assert NO_PROOFS.joined(known).patterns is more


ONE = System((TaskType("t"),), (MachineType("m"),), np.ones((1, 1)), np.ones((1, 1)))


def fitted(soonest):
    return Fitted(ONE, soonest, 1.0)


def test_of_two_makespans_that_are_excluded_the_longer_is_kept():
    sooner, later = Proofs(fitted=fitted(5.0)), Proofs(fitted=fitted(5.5))
    assert sooner.joined(later).fitted is later.fitted
    assert later.joined(sooner) is later
    assert sooner.joined(Proofs(fitted=fitted(5.0))) is sooner
    assert NO_PROOFS.joined(sooner).fitted is sooner.fitted
    assert sooner.joined(NO_PROOFS) is sooner


def test_what_is_settled_stays_settled():
    one, other = Settled((), 0.0), Settled((), 0.5)
    settled = Proofs(settled=one)
    assert settled.joined(Proofs(settled=other)) is settled
    assert NO_PROOFS.joined(settled).settled is one
    everything = settled.joined(Proofs(fitted(2.0), patterns(3.0, -np.inf)))
    assert everything.settled is one
    assert everything.fitted is not None
    assert everything.patterns is not None


def test_all_of_them_are_part_of_what_is_proven(two_by_two):
    front = trace_front(two_by_two())
    assert NO_PROOFS.of(front).soonest == pytest.approx(10.8)
    assert Proofs(fitted=fitted(11.5)).of(front).soonest == 11.5
    raised = Proofs(patterns=patterns(2000.0, -np.inf)).of(front)
    assert raised.front is front
    assert raised.soonest == pytest.approx(10.8)
    only = Settled(tuple(study(front.system, effort=Effort(0)).schedules[:1]), 0.0)
    assert Proofs(settled=only).of(front).settled is only
    # Less than a second, so that no default hides.
    fast = trace_front(replace(front.system, etc=front.system.etc / 100))
    assert NO_PROOFS.of(fast).soonest == pytest.approx(0.108)
