"""The power curve is exact: its integral is the energy, whatever the bands add up to."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.power import power_curve
from core.recover import assign
from core.schedule import Schedule
from core.system import NoPowerData, System

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


def test_power_must_be_known(two_by_two: Callable[..., System]) -> None:
    system = two_by_two()
    unknown = System(system.task_types, system.machine_types, system.etc)
    with pytest.raises(NoPowerData):
        power_curve(assign(unknown, np.array([[0, 6], [0, 6]])))
