"""The power curve is exact: its integral is the energy, whatever the bands add up to."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.recover import assign
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.power import peak_power, power_by_task_type, power_curve
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import NoPowerData, System

SCHEDULES = schedules(systems(dyadic=True, with_apc=True))


@given(SCHEDULES)
def test_the_power_curve_integrates_to_the_energy(schedule: Schedule) -> None:
    times, watts = power_curve(schedule)
    assert (times[0], times[-1]) == (0, schedule.makespan)
    assert watts.shape == (1, len(times) - 1)
    assert float(watts[0] @ np.diff(times)) == pytest.approx(schedule.energy, abs=1e-9)
    assert (watts >= 0).all()


@given(SCHEDULES, st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_bands_draw_what_their_machine_types_draw(schedule: Schedule, bands: list[int]) -> None:
    band = np.array(bands)[: len(schedule.system.machine_types)]
    times, watts = power_curve(schedule, band)
    all_times, (total,) = power_curve(schedule)
    np.testing.assert_array_equal(times, all_times)
    np.testing.assert_allclose(watts.sum(axis=0), total, rtol=1e-12, atol=1e-9)
    each = np.bincount(band, schedule.busy_energy + schedule.idle_energy, len(watts))
    np.testing.assert_allclose(watts @ np.diff(times), each, rtol=1e-12, atol=1e-9)


@given(SCHEDULES)
def test_the_peak_is_reached_and_never_exceeded(schedule: Schedule) -> None:
    """Issue 33, point 17: what a schedule draws at any moment, and not on average."""
    _, (watts,) = power_curve(schedule)
    assert peak_power(schedule) == max(watts.tolist(), default=0.0)


def test_power_must_be_known(two_by_two: Callable[..., System]) -> None:
    system = two_by_two()
    unknown = System(system.task_types, system.machine_types, system.etc)
    with pytest.raises(NoPowerData):
        power_curve(assign(unknown, np.array([[0, 6], [0, 6]])))


@given(SCHEDULES, st.data())
def test_task_types_and_idle_machines_draw_what_all_draw(
    schedule: Schedule, data: st.DataObject
) -> None:
    """Whichever machines are looked at: those, and the others, together are all."""
    band = np.arange(len(schedule.system.task_types))
    some = np.array([data.draw(st.integers(0, int(most))) for most in schedule.machines])
    energies = []
    for machines in (some, schedule.machines - some):
        times, watts = power_by_task_type(schedule, band, machines)
        assert watts.shape == (len(band) + 1, len(times) - 1)
        assert (watts >= 0).all()
        waits = (schedule.makespan - schedule.load) * schedule.system.idle_power[
            schedule.machine_type
        ]
        energies.append(watts @ np.diff(times))
        assert energies[-1][-1] == pytest.approx(machines @ waits, abs=1e-9)
    assert sum(energies).sum() == pytest.approx(schedule.energy, abs=1e-9)


def test_what_rounding_leaves_of_a_band_that_draws_nothing_is_nothing() -> None:
    """0.1 + 0.2 - 0.1 - 0.2 is no power."""
    system = System(
        (TaskType("a", 1), TaskType("b", 1), TaskType("c", 1)),
        (MachineType("K", 1), MachineType("M", 1), MachineType("N", 1)),
        np.array([[1.0, 9.0, 9.0], [9.0, 2.0, 9.0], [9.0, 9.0, 3.0]]),
        np.array([[0.1, 1.0, 1.0], [1.0, 0.2, 1.0], [1.0, 1.0, 0.7]]),
    )
    each = np.arange(3)
    schedule = Schedule(system, each, np.ones(3, np.int64), np.eye(3, dtype=np.int64))
    _, watts = power_by_task_type(schedule, np.array([0, 0, 1]), schedule.machines)
    assert watts[0].tolist() == pytest.approx([0.3, 0.2, 0.0])
    assert watts[0, -1] == 0
    assert (watts[-1] == 0).all()
