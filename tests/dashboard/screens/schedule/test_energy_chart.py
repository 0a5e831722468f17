"""What a part of a schedule takes is split among its tasks and its waiting, and nothing is lost."""

import numpy as np
import pytest
from hypothesis import given
from strategies import schedules, systems

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import NoPowerData, System
from dashboard.parts.machines.scope import Scope, looked_at
from dashboard.screens.schedule.energy_chart import (
    TaskEnergy,
    energy_split,
    task_energy,
    task_split,
)


@given(schedules(systems(dyadic=True, with_apc=True)))
def test_machine_types_together_take_what_the_schedule_takes(schedule):
    kinds = range(len(schedule.system.machine_types))
    parts = [task_energy(schedule, looked_at(schedule, Scope(machine_type=k))) for k in kinds]
    assert [part.at_work.sum() for part in parts] == pytest.approx(schedule.busy_energy)
    assert [part.idle for part in parts] == pytest.approx(schedule.idle_energy, abs=1e-9)
    whole = task_energy(schedule, schedule.machines)
    assert whole.at_work == pytest.approx(sum(part.at_work for part in parts))


def test_one_machine_takes_its_own_alone():
    schedule = solve(load_sample("nine").with_idle_fraction(0.2), method="paper").schedule
    system = schedule.system
    one = task_energy(schedule, looked_at(schedule, Scope(machine_type=4, machine=2)))
    group = np.flatnonzero((schedule.machine_type == 4) & (schedule.first_machine <= 2))[-1]
    joules = schedule.tasks[group] * system.etc[:, 4] * system.apc[:, 4]
    assert one.at_work == pytest.approx(joules)
    waits = schedule.makespan - schedule.load[group]
    assert one.idle == pytest.approx(waits * system.idle_power[4])


def test_powers_must_be_known():
    schedule = solve(load_sample("e1"), method="paper").schedule
    with pytest.raises(NoPowerData):
        task_energy(schedule, schedule.machines)


def test_the_bars_are_the_energy_of_each_machine_type():
    schedule = solve(load_sample("nine").with_idle_fraction(0.3), method="paper").schedule
    figure = energy_split(schedule)
    work, idle = figure.data
    assert 3.6e6 * np.asarray(work.x) == pytest.approx(schedule.busy_energy)
    assert 3.6e6 * np.asarray(idle.x) == pytest.approx(schedule.idle_energy)
    assert figure.layout.xaxis.title.text == "Energy (kWh)"


def test_of_many_machine_types_the_rest_is_one_bar(many_types):
    figure = energy_split(many_types)
    assert len(figure.data[0].x) == 25
    assert figure.layout.yaxis.ticktext[-1] == "36 others"
    size = {"MWh": 3.6e9, "kWh": 3.6e6}[figure.layout.xaxis.title.text[8:-1]]
    total = sum(np.sum(trace.x) for trace in figure.data) * size
    assert total == pytest.approx(many_types.energy)


def test_names_are_text_and_nothing_spent_is_no_failure():
    system = System(
        (TaskType("T"),), (MachineType("<b>M</b>"),), np.array([[3.0]]), np.array([[0.0]])
    )
    figure = energy_split(solve(system, method="paper").schedule)
    assert figure.layout.yaxis.ticktext == ("&lt;b&gt;M&lt;/b&gt;",)
    assert "&lt;b&gt;M" in figure.data[0].customdata[0]


@pytest.mark.parametrize(("types", "bars"), [(23, 23), (24, 24), (25, 24 + 1)])
def test_of_many_task_types_the_rest_is_one_bar(types, bars):
    """Beside the bar of idle energy. One more task type draws nothing, and has no bar."""
    system = System(
        tuple(TaskType(f"T{i}") for i in range(types + 1)),
        (MachineType("M"),),
        np.ones((types + 1, 1)),
    )
    spent = TaskEnergy(np.arange(types + 1.0), 7.0)
    ticks = task_split(system, spent).layout.yaxis.ticktext
    assert len(ticks) == bars + 1
    assert (ticks[0], ticks[-1]) == (f"T{types}", "idle")
    assert ("others" in ticks) == (types > 24)
