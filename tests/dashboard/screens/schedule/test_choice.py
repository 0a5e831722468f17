"""Where no schedule is chosen there are good ones to begin with, and old ones can be carried on."""

import numpy as np
import pytest
from hypothesis import given
from strategies import schedules, systems

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.screens.schedule import choice as schedule_choice
from dashboard.screens.schedule.choice import FirstChoice, begin_with, carried_over, offered, search
from dashboard.server.archive import KnownResults


@pytest.fixture(autouse=True)
def unpolished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule_choice, "POLISH_SECONDS", 0.0)


def begun(system: System, start: FirstChoice) -> Schedule | None:
    archive = KnownResults()
    archive.take(search(system, start))
    return begin_with(archive.of(system), start)


def test_the_knee_is_between_the_ends() -> None:
    system = load_sample("nine")
    fastest, thriftiest, knee = (begun(system, start) for start in offered(system))
    assert fastest is not None
    assert thriftiest is not None
    assert knee is not None
    assert fastest.makespan < knee.makespan < thriftiest.makespan
    assert fastest.energy > knee.energy > thriftiest.energy


def test_a_front_without_bend_has_no_knee() -> None:
    system = System(
        (TaskType("T", 4),), (MachineType("M", 2),), np.array([[1.0]]), np.array([[5.0]])
    )
    assert begun(system, "knee") is None


def test_without_powers_only_the_fastest_is_offered() -> None:
    system = load_sample("e1")
    assert offered(system) == ("fastest",)
    assert begun(system, "fastest") is not None


@given(schedules(systems(with_apc=True)))
def test_another_idle_power_keeps_every_task_in_its_place(schedule: Schedule) -> None:
    now = schedule.system.with_idle_fraction(0.5)
    carried = carried_over(schedule, now)
    assert carried is not None
    assert carried.system is now
    assert (carried.tasks == schedule.tasks).all()


def test_other_tasks_or_machines_cannot_be_carried_over() -> None:
    system = load_sample("nine")
    schedule = solve(system, method="paper").schedule
    more = system.with_counts(system.task_counts + 1, system.machine_counts)
    assert carried_over(schedule, more) is None
    assert carried_over(schedule, load_sample("six")) is None
