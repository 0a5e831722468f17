"""Schedules that wait on purpose keep the cap that they are made for, and hardly waste time."""

import numpy as np
import pytest
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from irregular import irregular
from strategies import systems

from core.engines.front.methods import Lp
from core.engines.front.proven import Proven
from core.engines.front.study import Possible, pick, study
from core.engines.front.wish import PowerCap
from core.engines.recover.settling import settle
from core.engines.recover.waiting import _Waiting, waiting_longer, waiting_within
from core.engines.relaxed import trace_front
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def cap_beyond(front, share):
    """Watts: this share of what the thriftiest divisible schedule draws above idle power."""
    idle = front.system.total_idle_power
    joules, seconds = front.points[0]
    return float(idle + share * (joules / seconds - idle))


@given(systems(with_apc=True, dyadic=True), st.floats(0.01, 2.0))
@examples(12)
def test_all_keep_the_cap(system, share):
    watts = cap_beyond(trace_front(system), share)
    found = waiting_within(system, watts)
    assert len(found) <= 4
    for schedule in found:
        assert verify(schedule, system).ok
        assert schedule.energy <= watts * schedule.makespan * (1 + 1e-12)


@given(systems(with_apc=True, dyadic=True, max_count=4), st.floats(0.1, 1.0))
@examples(8)
def test_none_is_faster_than_the_best_of_all_schedules(system, share):
    settled = settle(system)
    assume(settled is not None)
    watts = cap_beyond(trace_front(system), share)
    # They keep the cap but for rounding (`test_all_keep_the_cap`): so may those they are held to.
    most = watts * (1 + 1e-12)
    within = [s.makespan for s in settled.schedules if s.energy <= most * s.makespan]
    for schedule in waiting_within(system, watts):
        assert schedule.makespan >= min(within)


@pytest.mark.parametrize("name", ["nine", "six"])
@pytest.mark.parametrize("share", [0.3, 0.2, 0.1])
def test_with_many_tasks_little_time_is_wasted(name, share):
    front = trace_front(load_sample(name).with_idle_fraction(0.1))
    watts = cap_beyond(front, share)
    fastest = min(s.makespan for s in waiting_within(front.system, watts))
    assert fastest <= 1.01 * Proven.of(front).least_makespan_at_power(watts)


@pytest.mark.thorough
@pytest.mark.parametrize("wished", [True, False])
def test_a_cap_below_what_the_front_draws_is_kept(wished):
    front = trace_front(load_sample("nine").with_idle_fraction(0.1))
    for share in (0.9, 0.2) if wished else (0.5,):
        wish = PowerCap(cap_beyond(front, share))
        method = Lp(0.3, wish if wished else None)
        found = study(front.system, method, front=front, effort=Effort(0.01))
        assert found.verified
        picked = pick(found, wish)
        assert picked.possible is Possible.YES
        assert not wished or picked.gap < 0.02


def test_the_ladder_goes_down_to_all_tasks_on_one_machine():
    front = trace_front(load_sample("nine").with_idle_fraction(0.1))
    ladder = waiting_longer(front)
    assert len(ladder) == 8
    makespans = [schedule.makespan for schedule in ladder]
    powers = [schedule.energy / schedule.makespan for schedule in ladder]
    assert (np.diff(makespans) > 0).all()
    assert (np.diff(powers) < 0).all()
    assert (ladder[-1].load > 0).sum() == 1


def test_the_only_machine_of_its_type_keeps_its_own_tasks():
    # B is cheapest for both, and there is one of it: all 20 s of its work are its own.
    system = System(
        (TaskType("T", 10),),
        (MachineType("A", 3, 1.0), MachineType("B", 1, 1.0)),
        np.array([[1.0, 2.0]]),
        np.array([[100.0, 2.0]]),
    )
    found = waiting_within(system, 4.0 + 20.0 / 20.0)
    assert (found[0].makespan, found[0].energy) == (20.0, 100.0)


def test_no_cap_below_idle_power_is_kept_by_waiting():
    nine = load_sample("nine").with_idle_fraction(0.1)
    assert waiting_within(nine, nine.total_idle_power) == []
    assert waiting_within(nine, 0.5 * nine.total_idle_power) == []


def found_within(system, spare):
    """(joules, seconds) of what keeps a cap of so many watts above idle power."""
    found = waiting_within(system, system.total_idle_power + spare)
    return [(schedule.energy, schedule.makespan) for schedule in found]


FEW = irregular(5, 3, 9, 2)


@pytest.mark.parametrize(
    ("system", "spare", "points"),
    [
        (FEW, 120.0, [(4739.25, 32.875), (4720.5, 32.25), (5522.25, 36.875)]),
        (FEW, 70.0, [(5369.25, 53.875), (6608.0, 67.0), (8155.5, 82.125)]),
        (FEW, 50.0, [(6627.75, 82.875)]),
        (irregular(6, 2, 7), 60.0, []),
        (irregular(3, 4, 5), 40.0, [(1546.25, 33.75)]),
    ],
)
def test_the_schedules_of_irregular_systems(system, spare, points):
    found = found_within(system, spare)
    assert found == [pytest.approx(point, rel=1e-12) for point in points]


def test_what_the_problem_knows_of_two_by_two_machines(two_by_two):
    """Above idle power tasks draw 80 W on A and 20 W on B: 80 and 40 J, 160 and 60 J."""
    problem = _Waiting(two_by_two(20.0, 10.0))
    assert problem.cheapest.tolist() == [1, 1]
    assert problem.least == 6 * 40 + 6 * 60
    assert problem.waste.tolist() == [[40, 0], [100, 0]]
    assert problem.seconds.tolist() == [[1, 2], [2, 3]]
    # All on A is 1440 J in 18 s, 80 W; all on B 600 J in 30 s.
    assert problem.least_spare() == 20
    # A has nothing of its own, B, the only one, has everything.
    assert problem.own(0).tolist() == [0, 0]
    assert problem.own(1).tolist() == [6, 6]


def test_several_machines_have_nothing_of_their_own():
    assert not _Waiting(FEW).own(0).any()


def test_what_cannot_run_or_is_not_there_does_not_count():
    system = System(
        (TaskType("T", 2), TaskType("U", 1), TaskType("none", 0)),
        (MachineType("A", 2, 1.0), MachineType("B", 1, 3.0)),
        np.array([[4.0, np.inf], [2.0, 1.0], [9.0, 9.0]]),
        np.array([[3.0, np.nan], [11.0, 8.0], [99.0, 99.0]]),
    )
    problem = _Waiting(system)
    # T takes 8 J on A; U 20 J there and 5 J on B.
    assert problem.cheapest[:2].tolist() == [0, 1]
    assert problem.least == 21
    assert problem.waste[:2].tolist() == [[0, np.inf], [15, 0]]
    assert problem.seconds[:2].tolist() == [[4, 0], [2, 1]]
    # All that A can run: 36 J in 10 s; on B U alone, with T elsewhere, 21 J in 1 s.
    assert problem.least_spare() == pytest.approx(3.6)


def gained(seconds, counts):
    """A machine of its own for tasks that would be cheaper elsewhere, and 12 J to be gained."""
    system = System(
        tuple(TaskType(str(i), count) for i, count in enumerate(counts)),
        (MachineType("A", 1), MachineType("B", 1)),
        np.column_stack([seconds, seconds]),
        np.ones((len(counts), 2)),
    )
    problem = _Waiting(system)
    problem.cheapest[:] = 1
    problem.least = 12.0
    return problem


@pytest.mark.parametrize(
    ("gains", "seconds", "counts", "needed"),
    [
        # 12 J at 3 J a second; at 3 and then at 2; all there is; not enough, but for rounding.
        ([3.0, 2.0], [1.0, 1.0], [9, 9], 4.0),
        ([3.0, 2.0], [1.0, 1.0], [2, 9], 5.0),
        ([2.0, 3.0], [1.0, 1.0], [9, 2], 5.0),
        ([6.0, 2.0], [1.0, 1.0], [1, 3], 4.0),
        ([6.0, 2.0], [1.0, 1.0], [1, 2], np.inf),
        ([6.0, 6.0 * (1 - 1e-14)], [1.0, 1.0], [1, 1], 2.0),
        ([6.0, 6.0 * (1 - 1e-12)], [1.0, 1.0], [1, 1], np.inf),
        # A long task gains more, but less a second; what gains nothing is of no use.
        ([4.0, 3.0], [2.0, 1.0], [9, 9], 4.0),
        ([12.0, 0.0, -5.0], [7.0, 1.0, 1.0], [2, 9, 9], 7.0),
    ],
)
def test_the_seconds_that_are_needed_could_tasks_be_split(gains, seconds, counts, needed):
    problem = gained(seconds, counts)
    assert problem.divisible(np.array(gains), 0) == pytest.approx(needed, rel=1e-12)


@pytest.mark.parametrize(
    ("gains", "seconds", "counts", "cover"),
    [
        # As many of the best as it takes, at the end the shortest that suffices.
        ([3.0, 2.0], [1.0, 1.0], [9, 9], [4, 0]),
        ([5.0, 2.0], [1.0, 0.5], [9, 9], [2, 1]),
        ([5.0, 2.0], [1.0, 1.5], [9, 9], [3, 0]),
        ([5.0, 2.0, 2.5], [1.0, 0.75, 0.5], [9, 9, 9], [2, 0, 1]),
        # The best of which there are few, then the next; never what gains nothing.
        ([3.0, 2.0], [1.0, 1.0], [2, 9], [2, 3]),
        ([3.0, 0.0], [1.0, 1.0], [2, 9], None),
        ([6.0, 2.0], [1.0, 1.0], [1, 3], [1, 3]),
        ([6.0, 2.0], [1.0, 1.0], [1, 2], None),
        # One that is too long for the rest does not end it while a better one does not suffice.
        ([20.0, 1.0], [90.0, 1.0], [9, 9], [1, 9]),
        ([12.0, 1.0], [90.0, 1.0], [9, 99], [0, 12]),
    ],
)
def test_whole_tasks_gain_what_is_needed(gains, seconds, counts, cover):
    found = gained(seconds, counts).cover(np.array(gains), 0)
    assert (None if found is None else found.tolist()) == cover


def test_nothing_is_needed_where_tasks_draw_nothing():
    problem = _Waiting(FEW)
    assert len(list(problem.schedules(60.0, 1))) == 1
    assert list(problem.schedules(0.0, 1)) == []
    assert list(problem.schedules(-1.0, 1)) == []
    problem.least = 0.0
    assert list(problem.schedules(60.0, 1)) == []


def test_the_ladder_begins_with_what_the_slowest_of_the_front_draws():
    front = trace_front(FEW)
    problem = _Waiting(FEW)
    slowest = front.slower[0] if len(front.slower) else front.points[0]
    ladder = waiting_longer(front)
    powers = [schedule.energy / schedule.makespan for schedule in ladder]
    most, least = problem.least / slowest[1], problem.least_spare()
    caps = FEW.total_idle_power + np.geomspace(most, least, 8)
    assert len(ladder) == 8
    assert (powers <= caps * (1 + 1e-12)).all()
    assert (powers >= caps * (1 - 0.1)).all()
    makespans = [schedule.makespan for schedule in ladder]
    assert makespans == pytest.approx(
        [29.375, 32.875, 39.875, 43.0, 50.375, 53.875, 65.875, 74.375], rel=1e-12
    )


def test_where_waiting_saves_nothing_there_is_no_ladder(two_by_two):
    # All on B draws 20 W above idle power for 30 s, and that is as slow as it gets.
    front = trace_front(two_by_two(0.0, 0.0))
    assert _Waiting(front.system).least_spare() == 30.0
    assert waiting_longer(front) == []
