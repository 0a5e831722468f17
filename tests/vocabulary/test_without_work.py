"""Machines that are switched off when their last task ends: what they draw, told by other code."""

import math
from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from tiny import all_schedules, tiny_systems

from core import Effort, load_sample, solve, study, verify
from core.engines.front.proven import Proven
from core.engines.relaxed import trace_front
from core.engines.verify.judge import verify_stated
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.power import power_curve
from core.vocabulary.say.without_work import what_switching_off_brings
from core.vocabulary.schedule import Schedule, StatedBlocks
from core.vocabulary.system import NoPowerData, System
from core.vocabulary.without_work import WithoutWork

NEARLY = 1 + 1e-9


def drawn(schedule: Schedule) -> float:
    """Joules, task by task and machine by machine, with nothing of the system's arithmetic."""
    system, joules = schedule.system, 0.0
    rests: list[tuple[float, float]] = []
    groups = zip(schedule.machine_type, schedule.machines, schedule.tasks, strict=True)
    for kind, machines, counts in groups:
        machine, now = system.machine_types[kind], 0.0
        for i, count in enumerate(counts.tolist()):
            for _ in range(count):
                now += system.etc[i, kind]
                joules += machines * system.etc[i, kind] * system.apc[i, kind]
        sleeps = machine.asleep_watts is not None and machine.asleep_watts < machine.idle_power
        rests.append((now, machines * (machine.asleep_watts if sleeps else machine.idle_power)))
    last = max(now for now, _ in rests)
    return joules + math.fsum((last - now) * watts for now, watts in rests)


@given(tiny_systems())
@examples(24)
def test_no_schedule_is_below_the_front_and_none_on_it_is_missed(system: System) -> None:
    proven, found = Proven.of(trace_front(system)), study(system, effort=Effort(0.05)).achieved
    for schedule in all_schedules(system):
        joules, seconds = drawn(schedule), schedule.makespan
        verdict, (times, watts) = verify(schedule, system), power_curve(schedule)
        assert verdict.ok
        assert verdict.energy == pytest.approx(joules, abs=1e-9)
        assert float(watts.sum(axis=0) @ np.diff(times)) == pytest.approx(joules, abs=1e-9)
        assert proven.least_energy(seconds) <= joules * NEARLY
        assert ((found <= np.array([joules, seconds]) * NEARLY + 1e-9).all(axis=1)).any()


def test_a_machine_that_waits_before_its_last_task_is_on() -> None:
    system = load_sample("two-by-two").with_idle_power([40.0, 20.0]).with_asleep_watts(1.0)
    blocks = StatedBlocks(
        *(np.array(column) for column in ([0, 0, 1], [1, 1, 1], [0, 0, 1], [3, 3, 6])),
        np.array([0.0, 5.0, 0.0]),
        np.array([3.0, 8.0, 18.0]),
    )
    verdict = verify_stated(blocks, system)
    assert verdict.ok
    assert verdict.waiting_seconds == 2.0
    assert verdict.energy == 6 * 100 + 18 * 30 + 2 * 40 + 10 * 1
    assert verify_stated(blocks, system.always_on).energy == 6 * 100 + 18 * 30 + 12 * 40


def test_nothing_that_sleeps_draws_more_than_idle_and_zero_watts_may_be_all() -> None:
    system = load_sample("nine").with_idle_fraction(0.3)
    assert system.with_asleep_watts(1e5).total_idle_power == system.total_idle_power
    assert system.with_asleep_watts(0.0).total_idle_power == 0.0
    assert system.with_asleep_watts(0.0).always_on == system != system.with_asleep_watts(0.0)
    assert WithoutWork(0.3, 4.0).of(load_sample("nine")) == system.with_asleep_watts(4.0)
    assert system.with_asleep_watts(4.0).with_idle_fraction(0.3) == system, "idle power is set"
    with pytest.raises(NoPowerData):
        WithoutWork(asleep_watts=1.0).of(load_sample("e1"))


@pytest.mark.thorough
def test_what_switching_off_brings_is_said_of_the_plan() -> None:
    system = load_sample("two-by-two").with_idle_power([40.0, 1000.0])
    schedule = Schedule(system, [0, 1], [1, 1], [[6, 5], [0, 1]])  # A works 16 s, B 3 s
    of_work, idle = 16 * 100 + 3 * 30, 13 * 1000
    saved = 100 * (1 - (of_work + 13 * 10) / (of_work + idle))
    said = what_switching_off_brings(schedule)
    assert f"takes {saved:.1f} % less energy (10 W asleep" in said
    starts = 100 * 180 * (90 + 20) / (of_work + 13 * 10)
    assert " Most of that is on B. Starts are not counted: to start 2 machines in 3 min" in said
    assert said.endswith(f" adds about {starts:,.0f} %.")
    more = system.with_counts(system.task_counts, np.array([2, 1]))
    found = Schedule(more, [0, 0, 1], [1, 1, 1], [[6, 6], [0, 0], [0, 0]])
    said = what_switching_off_brings(found, "the plan")
    assert " Most of that is on B (1 of 1 run nothing). Starts" in said
    found = replace(found, system=more.with_idle_power([1000.0, 900.0]))
    said = what_switching_off_brings(found)
    assert " on A (1 of 2 run nothing) and B (1 of 1 run nothing). Starts" in said
    asleep = Schedule(system.with_asleep_watts(0.0), [0, 1], [1, 1], schedule.tasks)
    assert f"would take {100 * idle / of_work:.0f} % more" in what_switching_off_brings(asleep)
    assert not what_switching_off_brings(solve(load_sample("nine")).schedule)


def test_where_only_machines_without_work_draw_power_there_is_no_share() -> None:
    """One machine works for nothing, and one that never works is on but need not be."""
    machines = (MachineType("a", 1, 0.0), MachineType("b", 1, 1.0, 0.0))
    etc, apc = np.array([[1.0, np.inf]]), np.array([[0.0, np.nan]])
    system = System((TaskType("t", 1),), machines, etc, apc)
    schedule = Schedule(system, np.array([0, 1]), np.array([1, 1]), np.array([[1], [0]]))
    assert what_switching_off_brings(schedule).endswith("the same plan takes next to none.")
