"""Power over time is exact: its integral is the energy, and nothing is lost when it is thinned."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import NoPowerData, System
from dashboard.screens.schedule.power import power_curve


@given(schedules(systems(dyadic=True, with_apc=True)))
def test_the_integral_of_the_power_is_the_energy(schedule: Schedule) -> None:
    curve = power_curve(schedule)
    assert curve.energy == schedule.energy
    by_band = curve.watts @ np.diff(curve.times)
    joules = schedule.busy_energy + schedule.idle_energy
    expected = np.bincount(curve.bands.rank, weights=joules, minlength=len(by_band))
    assert by_band == pytest.approx(expected)


@given(schedules(systems(with_apc=True)))
def test_extreme_times_and_powers_do_not_upset_it(schedule: Schedule) -> None:
    curve, system = power_curve(schedule), schedule.system
    assert system.apc is not None
    most_watts = np.maximum(np.nan_to_num(system.apc).max(axis=0), system.idle_power)
    most = float(most_watts @ system.machine_counts)
    assert curve.times[0] == 0
    assert curve.times[-1] == schedule.makespan
    assert (curve.watts >= 0).all()
    assert curve.peak <= most * (1 + 1e-9)
    assert abs(curve.energy - schedule.energy) <= 1e-9 * most * schedule.makespan


@given(schedules(systems(dyadic=True, with_apc=True)), st.integers(1, 5))
def test_thinning_keeps_the_energy_and_never_adds_a_peak(schedule: Schedule, most: int) -> None:
    curve = power_curve(schedule)
    thin = curve.thinned(most)
    assert len(thin.total) <= most
    assert thin.energy == pytest.approx(curve.energy)
    assert thin.average == pytest.approx(curve.average)
    assert thin.peak <= curve.peak * (1 + 1e-9) or thin is curve


def test_a_schedule_by_hand() -> None:
    system = System(
        (TaskType("long", 1), TaskType("short", 1)),
        (MachineType("A", 1, 10.0), MachineType("B", 2, 1.0)),
        np.array([[4.0, 9.0], [9.0, 1.0]]),
        np.array([[100.0, 5.0], [5.0, 30.0]]),
    )
    schedule = Schedule(
        system, np.array([0, 1, 1]), np.array([1, 1, 1]), np.array([[1, 0], [0, 1], [0, 0]])
    )
    curve = power_curve(schedule)
    assert curve.times.tolist() == [0, 1, 4]
    assert curve.total.tolist() == [131, 102]
    assert (curve.peak, curve.average) == (131, (131 + 3 * 102) / 4)
    assert curve.bands.own == (0, 1)


def test_of_many_machine_types_the_tail_is_one_band() -> None:
    types = 30
    system = System(
        (TaskType("T", 60),),
        tuple(MachineType(f"M{j}", 1, 2.0) for j in range(types)),
        np.full((1, types), 3.0),
        np.arange(1.0, types + 1)[None],
    )
    curve = power_curve(solve(system, method="paper").schedule)
    assert (len(curve.watts), curve.bands.others) == (9, 22)
    assert curve.bands.own[0] == types - 1


def test_without_powers_there_is_no_curve() -> None:
    with pytest.raises(NoPowerData):
        power_curve(solve(load_sample("e1"), method="paper").schedule)
