"""Before anybody has chosen a schedule there is a good one, and old ones can be carried on."""

import numpy as np
from hypothesis import given
from strategies import schedules, systems

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System
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


def test_other_tasks_or_machines_cannot_be_carried_over():
    system = load_sample("nine")
    schedule = solve(system, method="paper").schedule
    more = system.with_counts(system.task_counts + 1, system.machine_counts)
    assert carried_over(schedule, more) is None
    assert carried_over(schedule, load_sample("six")) is None
