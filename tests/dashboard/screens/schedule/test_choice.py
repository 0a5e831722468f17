"""Before anybody has chosen a schedule there is a good one, and old ones can be carried on."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from second_by_second import random_system
from strategies import schedules, systems

from core import verify
from core.capabilities.makespan.solve import solve
from core.engines.front.known import Known
from core.engines.peak.capped import cap_peak, least_peak
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import knee
from core.vocabulary.system import System
from core.vocabulary.timed import TimedSchedule
from dashboard.screens.schedule.choice import (
    TITLES,
    begin_with,
    bettered,
    carried_over,
    offered,
    search,
    usual,
)
from dashboard.server.archive import KnownResults
from dashboard.workspace.chosen import Chosen


def found(system):
    archive, result = KnownResults(), search(system)
    archive.take(result)
    return archive.of(system), getattr(result, "front", None)


def test_the_balanced_schedule_is_between_the_ends_and_the_page_begins_with_it():
    known, front = found(load_sample("nine"))
    assert offered(known, front) == tuple(TITLES)
    fastest, balanced, thriftiest = (begin_with(known, start, front) for start in TITLES)
    assert fastest.makespan < balanced.makespan < thriftiest.makespan
    assert fastest.energy > balanced.energy > thriftiest.energy
    first = usual(known, front)
    assert (first.schedule, first.title) == (balanced, "Balanced")


def test_the_balanced_schedule_changes_only_for_one_that_is_nearer_to_the_knee():
    """Issue 33, point 18: it was the knee of whatever the archive had at the moment."""
    system = load_sample("nine").with_idle_fraction(0.1)
    known, front = found(system)
    knee_at = front.points[knee(front.points)]

    def beyond(schedule):
        at = np.array([schedule.energy, schedule.makespan])
        return ((at - knee_at) / np.ptp(front.points, axis=0)).max()

    balanced = begin_with(known, "balanced", front)
    assert beyond(balanced) == min(map(beyond, known.schedules))
    for kept in (known.schedules[::2], known.schedules[1::2], known.schedules[-3:]):
        some = Known.nothing(system).with_schedules((*kept, balanced))
        assert begin_with(some, "balanced", front) is balanced


def test_a_front_without_bend_has_no_balanced_schedule():
    known, front = found(
        System((TaskType("T", 4),), (MachineType("M", 2),), np.array([[1.0]]), np.array([[5.0]]))
    )
    assert offered(known, front) == ("fastest", "thriftiest")
    first = usual(known, front)
    assert (first.schedule, first.title) == (known.fastest, "Fastest")


def test_without_powers_only_the_fastest_is_offered():
    known, front = found(load_sample("e1"))
    assert offered(known, front) == ("fastest",)
    first = usual(known, front)
    assert first.title == "Fastest"


def test_what_was_chosen_by_kind_gives_way_to_a_better_one_and_nothing_else_does():
    known, front = found(load_sample("nine"))
    fastest, balanced, thriftiest = (begin_with(known, start, front) for start in TITLES)
    assert fastest is not None
    assert balanced is not None
    assert thriftiest is not None
    assert bettered(Chosen.of(balanced, "Fastest"), known, front) is fastest
    assert bettered(Chosen.of(balanced, "Thriftiest"), known, front) is thriftiest
    assert bettered(Chosen.of(fastest, "Balanced"), known, front) is balanced
    for chosen in (
        Chosen.of(fastest, "Fastest"),
        Chosen.of(balanced, "Balanced"),
        Chosen.of(thriftiest, "Thriftiest"),
        Chosen.of(thriftiest, "1 h, 3 kWh"),
    ):
        assert bettered(chosen, known, front) is None


@given(schedules(systems(with_apc=True)))
def test_another_idle_power_keeps_every_task_in_its_place(schedule):
    now = schedule.system.with_idle_fraction(0.5)
    carried = carried_over(schedule, now)
    assert carried.system is now
    assert (carried.tasks == schedule.tasks).all()


@pytest.mark.parametrize("seed", range(6))
def test_waits_are_kept_so_the_cap_is_too(seed):
    """By seconds at other idle powers; at other times no more run together than did before."""
    small = random_system(seed)
    system = small.with_counts(small.task_counts * 5, small.machine_counts * 2)
    low, _ = least_peak(system.always_on)
    watts = low + 0.3 * (float(system.total_idle_power) + 200.0)
    waiting = cap_peak(system, watts).schedule
    assert isinstance(waiting, TimedSchedule)
    random = np.random.default_rng(seed)
    other = replace(system, etc=system.etc * random.uniform(0.3, 3, system.etc.shape))
    later = carried_over(waiting, other)
    assert later.system is other
    assert verify(later, other, watts).ok
    assert later.energy == pytest.approx(verify(later, other).energy)
    warmer = carried_over(waiting, replace(system, apc=system.apc * 1.5))
    assert isinstance(warmer, TimedSchedule)
    assert warmer.timeline is waiting.timeline
    more = system.with_counts(system.task_counts, system.machine_counts + 1)
    assert carried_over(waiting, more) is None


def test_other_tasks_or_machines_cannot_be_carried_over():
    system = load_sample("nine")
    schedule = solve(system, method="paper").schedule
    more = system.with_counts(system.task_counts + 1, system.machine_counts)
    assert carried_over(schedule, more) is None
    assert carried_over(schedule, load_sample("six")) is None
