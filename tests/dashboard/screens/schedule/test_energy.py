"""What a part of a schedule takes is split among its tasks and its waiting, and nothing is lost."""

import numpy as np
import pytest
from hypothesis import given
from strategies import schedules, systems

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import NoPowerData
from dashboard.parts.machines.scope import Scope, looked_at
from dashboard.screens.schedule.energy import task_energy


@given(schedules(systems(dyadic=True, with_apc=True)))
def test_machine_types_together_take_what_the_schedule_takes(schedule: Schedule) -> None:
    kinds = range(len(schedule.system.machine_types))
    parts = [task_energy(schedule, looked_at(schedule, Scope(machine_type=k))) for k in kinds]
    assert [part.at_work.sum() for part in parts] == pytest.approx(schedule.busy_energy)
    assert [part.idle for part in parts] == pytest.approx(schedule.idle_energy, abs=1e-9)
    whole = task_energy(schedule, schedule.machines)
    assert whole.at_work == pytest.approx(sum(part.at_work for part in parts))


def test_one_machine_takes_its_own_alone() -> None:
    schedule = solve(load_sample("nine").with_idle_fraction(0.2), method="paper").schedule
    system = schedule.system
    one = task_energy(schedule, looked_at(schedule, Scope(machine_type=4, machine=2)))
    group = np.flatnonzero((schedule.machine_type == 4) & (schedule.first_machine <= 2))[-1]
    assert system.apc is not None
    joules = schedule.tasks[group] * system.etc[:, 4] * system.apc[:, 4]
    assert one.at_work == pytest.approx(joules)
    waits = schedule.makespan - schedule.load[group]
    assert one.idle == pytest.approx(waits * system.idle_power[4])


def test_powers_must_be_known() -> None:
    schedule = solve(load_sample("e1"), method="paper").schedule
    with pytest.raises(NoPowerData):
        task_energy(schedule, schedule.machines)
