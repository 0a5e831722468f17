"""Before anybody has chosen a schedule there is a good one, and old ones can be carried on."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from second_by_second import random_system
from strategies import schedules, systems

from core import verify
from core.capabilities.makespan.solve import solve
from core.engines.peak.capped import cap_peak, least_peak
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
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
    archive = KnownResults()
    archive.take(search(system))
    return archive.of(system)


def test_the_balanced_schedule_is_between_the_ends_and_the_page_begins_with_it():
    known = found(load_sample("nine"))
    assert offered(known) == tuple(TITLES)
    fastest, balanced, thriftiest = (begin_with(known, start) for start in offered(known))
    assert fastest.makespan < balanced.makespan < thriftiest.makespan
    assert fastest.energy > balanced.energy > thriftiest.energy
    first = usual(known)
    assert (first.schedule, first.title) == (balanced, "Balanced")


def test_a_front_without_bend_has_no_balanced_schedule():
    known = found(
        System((TaskType("T", 4),), (MachineType("M", 2),), np.array([[1.0]]), np.array([[5.0]]))
    )
    assert offered(known) == ("fastest", "thriftiest")
    first = usual(known)
    assert (first.schedule, first.title) == (known.fastest, "Fastest")


def test_without_powers_only_the_fastest_is_offered():
    known = found(load_sample("e1"))
    assert offered(known) == ("fastest",)
    first = usual(known)
    assert first.title == "Fastest"


def test_an_extreme_that_was_chosen_gives_way_to_a_better_one_and_nothing_else_does():
    known = found(load_sample("nine"))
    fastest, balanced, thriftiest = (begin_with(known, start) for start in TITLES)
    assert fastest is not None
    assert balanced is not None
    assert thriftiest is not None
    assert bettered(Chosen.of(balanced, "Fastest"), known) is fastest
    assert bettered(Chosen.of(balanced, "Thriftiest"), known) is thriftiest
    for chosen in (
        Chosen.of(fastest, "Fastest"),
        Chosen.of(thriftiest, "Thriftiest"),
        Chosen.of(fastest, "Balanced"),
        Chosen.of(thriftiest, "1 h, 3 kWh"),
    ):
        assert bettered(chosen, known) is None


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
