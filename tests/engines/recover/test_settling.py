"""What settles a small system finds the best of all schedules, whatever is asked of them."""

from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import systems

from benchmarks.every import every_schedule, number_of_ways
from core.engines.recover import settling
from core.engines.recover.settling import settle
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

SYSTEMS = systems(max_task_types=3, dyadic=True, max_count=4)
MOST_WAYS = 20_000


def points(settled):
    """(joules, seconds) of what was found."""
    return [(schedule.energy, schedule.makespan) for schedule in settled.schedules]


def worth_having(system):
    """(joules, seconds) of all schedules that need less energy, or less power on average, than any
    that is as fast: from their enumeration, by rising makespan.
    """
    found = []
    for joules, seconds in sorted(every_schedule(system).tolist(), key=lambda point: point[::-1]):
        thriftier = all(joules < other for other, _ in found)
        # Less power on average, in whole numbers.
        weaker = all(joules * time < other * seconds for other, time in found)
        if thriftier or weaker:
            found.append((joules, seconds))
    return found


@pytest.mark.thorough
@given(SYSTEMS.filter(lambda system: system.apc is not None))
@examples(30)
def test_it_finds_all_that_is_worth_having_and_nothing_else(system):
    assume(number_of_ways(system) <= MOST_WAYS)
    settled = settle(system)
    assert settled.rounding == 0
    assert points(settled) == worth_having(system)
    assert all(verify(schedule, system).ok for schedule in settled.schedules)


@given(SYSTEMS, st.floats(0.01, 100.0), st.floats(0.01, 100.0))
@examples(6)
def test_where_sums_are_rounded_it_misses_nothing_by_more_than_it_says(system, second, watt):
    assume(number_of_ways(system) <= MOST_WAYS and system.apc is not None)
    settled = settle(in_other_units(system, second, watt))
    assert 0 <= settled.rounding < 1e-11
    found = np.array(points(settled))
    assert (np.diff(found[:, 1]) > 0).all()
    # The other units are rounded, too.
    slack = 1 + settled.rounding + 1e-14
    joules, seconds = (every_schedule(system) * [second * watt, second]).T[:, :, None]
    as_fast = found[:, 1] <= seconds * slack
    as_thrifty = found[:, 0] <= joules * slack
    as_weak = found[:, 0] / found[:, 1] <= joules / seconds * slack
    assert (as_fast & as_thrifty).any(axis=1).all()
    assert (as_fast & as_weak).any(axis=1).all()


def in_other_units(system, second, watt):
    assert system.apc is not None
    idle = system.with_idle_power((system.idle_power * watt).tolist())
    return replace(idle, etc=system.etc * second, apc=system.apc * watt)


@given(SYSTEMS)
def test_without_powers_there_is_the_fastest(system):
    assume(number_of_ways(system) <= MOST_WAYS)
    unpowered = replace(
        system,
        apc=None,
        machine_types=tuple(replace(kind, idle_power=0.0) for kind in system.machine_types),
    )
    settled = settle(unpowered)
    assert len(settled.schedules) == 1
    assert settled.fastest.makespan == every_schedule(system)[:, 1].min()


def test_the_fastest_and_the_thriftiest_are_so_in_the_second_place_too():
    # Two tasks on two machines that differ in nothing but that the second draws less: as fast side
    # by side as they ever are, dearest on the first machine alone.
    system = System(
        (TaskType("T", 2),),
        (MachineType("A", 1, 10.0), MachineType("B", 1, 1.0)),
        np.array([[3.0, 3.0]]),
        np.array([[10.0, 10.0]]),
    )
    settled = settle(system)
    assert (settled.fastest.makespan, settled.fastest.energy) == (3.0, 60.0)
    assert settled.thriftiest is settled.fastest


def test_a_schedule_that_waits_on_purpose_keeps_a_power_cap():
    # One machine: 90 W at work, 30 W idle; beside another, the tasks one after another average
    # less than at once, and on one machine alone they average least.
    system = System(
        (TaskType("T", 2),), (MachineType("A", 2, 30.0),), np.array([[1.0]]), np.array([[90.0]])
    )
    settled = settle(system)
    assert settled is not None
    assert points(settled) == [(180.0, 1.0), (240.0, 2.0)]


def test_a_million_machines_are_as_few_as_the_tasks():
    system = System(
        (TaskType("T", 3), TaskType("U", 0)),
        (MachineType("A", 10**6, 1.0), MachineType("none", 0), MachineType("B", 10**6)),
        np.array([[2.0, 1.0, np.inf], [1.0, 1.0, np.inf]]),
        np.array([[3.0, 1.0, np.nan], [1.0, 1.0, np.nan]]),
    )
    settled = settle(system)
    assert settled is not None
    # 2 W above idle, 6 s of work; one machine after another draws less on average.
    assert points(settled) == [(2e6 + 12, 2.0), (4e6 + 12, 4.0), (6e6 + 12, 6.0)]


def test_what_is_not_small_is_left_alone():
    assert settle(load_sample("nine")) is None
    small = load_sample("two-by-two")
    assert settle(small.with_counts(np.array([10**12, 1]), np.array([1, 1]))) is None
    assert settle(small, should_stop=lambda: True) is None


def test_the_counts_of_machines_that_wait_are_kept():
    system = System(
        (TaskType("T", 1),),
        (MachineType("A", 2), MachineType("slow", 3), MachineType("B", 2)),
        np.array([[3.0, np.inf, 4.0]]),
        np.array([[4.0, np.nan, 1.0]]),
    )
    settled = settle(system)
    assert points(settled) == [(12.0, 3.0), (4.0, 4.0)]
    for schedule, kind in zip(settled.schedules, (0, 2), strict=True):
        assert np.bincount(schedule.machine_type, schedule.machines).tolist() == [2, 3, 2]
        (busy,) = np.flatnonzero(schedule.load > 0).tolist()
        assert (schedule.machine_type[busy], schedule.machines[busy]) == (kind, 1)


def one_task(seconds, watts=0.0, machines=1):
    return System(
        (TaskType("T", 1),),
        (MachineType("A", machines, watts),),
        np.array([[seconds]]),
        np.array([[watts]]),
    )


@pytest.mark.parametrize(
    ("system", "exact"),
    [
        # Multiples of 2^-10, and of half of that.
        (one_task(1 + 2**-10), True),
        (one_task(1 + 2**-11), False),
        (one_task(1.0, 1 + 2**-10), True),
        (one_task(1.0, 1 + 2**-11), False),
        # As long as sums of products stay below 2^33.
        (one_task(2.0**33 - 1), True),
        (one_task(2.0**33), False),
        (one_task(2.0**30, 1.0, 6), True),
        (one_task(2.0**30, 1.0, 7), False),
    ],
)
def test_sums_are_exact_of_multiples_that_are_not_too_large(system, exact):
    assert settling._adds_up_exactly(system) is exact


def test_what_rounding_may_hide_grows_with_what_waiting_draws():
    """A task and a machine type, and four operations more; twice, as energy and power are."""
    settled = settle(one_task(0.1, 7.0))
    error = 2 * np.finfo(float).eps * (1 + 1 + 4)
    # Idling draws as much as work: all of the energy.
    assert settled.rounding == pytest.approx(2 * error * 2, rel=1e-12)
    free = settle(one_task(0.1))
    assert free.rounding == pytest.approx(2 * error, rel=1e-12)
    timed = settle(replace(one_task(0.1), apc=None))
    assert timed.rounding == pytest.approx(error, rel=1e-12)


@pytest.mark.parametrize(("most", "small"), [(4703, False), (4704, True), (4705, True)])
def test_small_is_what_can_be_split_in_few_ways(most, small, monkeypatch):
    """Six tasks of a type are split in 28 ways, both in 784; by two machines of two types, each
    type being last once, which are four layers more.
    """
    system = load_sample("two-by-two")
    monkeypatch.setattr(settling, "MOST_SPLITS", most)
    assert (settle(system) is not None) is small


@pytest.mark.parametrize(("most", "settles"), [(13, False), (14, True), (15, True)])
def test_so_many_pairs_are_compared_at_most(most, settles, monkeypatch):
    """Three tasks on three machines: the first machine runs each of four parts; of each part, the
    second leaves each smaller part to the first, which makes 1, 2, 3 and 4 pairs.
    """
    monkeypatch.setattr(settling, "MOST_PAIRS", most)
    system = one_task(1.0, machines=3)
    three = system.with_counts(np.array([3]), system.machine_counts)
    assert (settle(three) is not None) is settles
