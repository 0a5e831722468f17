"""A schedule that is run again and again fits its period and keeps the cap."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from core.model.schedule import Schedule
from core.model.system import System
from core.profit.check import holds
from core.profit.terms import Terms


@pytest.mark.parametrize(
    ("period", "cap", "fit"),
    [
        (12.0, math.inf, True),
        (12.0 * (1 - 0.9e-9), math.inf, True),
        (12.0 * (1 - 1.1e-9), math.inf, False),
        (24.0, 77.5, True),
        (24.0, 77.4, False),
        (12.0, 125.0, True),
        (12.0, 124.9, False),
    ],
)
def test_a_schedule_fits_its_period_and_the_cap(
    two_by_two: Callable[..., System], period: float, cap: float, fit: bool
) -> None:
    """All of type 1 and 3 of type 2 on A, 3 of type 2 on B, which waits 3 s: 1,200 + 270 + 30 J in
    12 s, and 30 W while both wait.
    """
    schedule = Schedule(
        two_by_two(20, 10), np.array([0, 1]), np.array([1, 1]), np.array([[6, 3], [0, 3]])
    )
    assert (schedule.makespan, schedule.energy) == (12, 1500)
    assert holds(schedule, Terms(1.0, power_cap=cap), period) is fit


def test_machines_that_draw_nothing_idle_wait_for_nothing(
    two_by_two: Callable[..., System],
) -> None:
    """All on B: 900 J in 30 s, of which 60 s may draw 15 W."""
    tasks = np.array([[0, 0], [6, 6]])
    schedule = Schedule(two_by_two(), np.array([0, 1]), np.array([1, 1]), tasks)
    assert holds(schedule, Terms(1.0, power_cap=15.0), 60.0)
    assert holds(schedule, Terms(1.0, power_cap=0.0), math.inf)
