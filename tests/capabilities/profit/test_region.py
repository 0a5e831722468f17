"""The region is convex, known by hand, and holds every schedule."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.capabilities.profit.region import feasible_region
from core.engines.relaxed import MAKESPAN, lower_bound, trace_front
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import NoPowerData, System


def test_corners_worked_out_by_hand(two):
    corners = feasible_region(two, 40.0)
    known = [(1404, 10.8), (1560, 12), (1980, 18), (2640, 40), (1800, 40), (1500, 30), (1380, 18)]
    start = int(np.flatnonzero(np.isclose(corners[:, 1], 10.8))[0])
    np.testing.assert_allclose(np.roll(corners, -start, axis=0), known, rtol=1e-9)


def test_cut_below_a_corner(two_by_two):
    corners = feasible_region(two_by_two(20, 10), 15.0)
    assert corners[:, 1].max() == 15
    assert len(corners) == 4  # the fastest, the most wasteful as fast nearly, and two on the cut
    left, right = np.sort(corners[corners[:, 1] == 15, 0])
    assert left == pytest.approx(1390)  # half way from (1380, 18) to (1404, 10.8), nearly
    assert right == pytest.approx(1770)


def test_corners_that_tie_are_all_there(two_by_two):
    """At 40/3 W for A all on B and only type 2 on B need the same energy."""
    system = two_by_two(40 / 3, 5)
    corners = feasible_region(system, 40.0)
    assert [1300, 30] in np.round(corners, 6).tolist()
    assert [1300, 18] in np.round(corners, 6).tolist()


def test_the_fastest_corner_stays_beside_one_that_is_slower_by_far():
    """All of T on B takes a billion times as long; U on A, after T, a second more than on B."""
    system = System(
        (TaskType("T", 18), TaskType("U", 1)),
        (MachineType("A", 1, 0.0), MachineType("B", 1, 1.0)),
        np.array([[1.0, 1e9], [1.0, 1.0]]),
        np.array([[1.0, 0.0], [0.0, 0.0]]),
    )
    corners = feasible_region(system, 4e10)
    assert corners[:, 1].min() == pytest.approx(18, rel=1e-6)
    assert corners[:, 1].max() == 4e10


def test_nothing_is_faster_than_the_fastest(two):
    assert not len(feasible_region(two, 10.0))


def signed_turns(corners):
    edges = np.roll(corners, -1, axis=0) - corners
    edges = edges / np.linalg.norm(edges, axis=1, keepdims=True)
    following = np.roll(edges, -1, axis=0)
    return edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]


@given(st.data())
def test_it_is_convex_and_holds_every_schedule(data):
    schedule = data.draw(schedules(systems(dyadic=True, with_apc=True)))
    front = trace_front(schedule.system)
    most = 1.5 * max(schedule.makespan, front.points[0, 1])
    corners = feasible_region(schedule.system, most)
    scale = np.maximum(np.ptp(corners, axis=0), 1e-6 * corners.max(axis=0)) + 1e-300
    scaled = corners / scale
    if len(corners) > 2:
        assert (signed_turns(scaled) >= -1e-6).all()
    point = np.array([schedule.energy, schedule.makespan]) / scale
    for here, following in zip(scaled, np.roll(scaled, -1, axis=0), strict=True):
        across = following - here
        away = across[0] * (point - here)[1] - across[1] * (point - here)[0]
        assert away >= -1e-6 * np.linalg.norm(across)


@examples(8)
@given(systems(with_apc=True))
def test_the_watts_of_a_system_may_be_any(system):
    front = trace_front(system)
    corners = feasible_region(system, 2 * front.makespan[0])
    assert np.isfinite(corners).all()
    # The front itself may be inexact at such ranges; the general solver is the witness.
    fastest = lower_bound(system, MAKESPAN).makespan
    assert corners[:, 1].min() == pytest.approx(fastest, rel=1e-4)


def test_power_must_be_known(two_by_two):
    system = two_by_two()
    with pytest.raises(NoPowerData):
        feasible_region(type(system)(system.task_types, system.machine_types, system.etc), 40.0)
