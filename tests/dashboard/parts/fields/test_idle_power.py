"""Axes hold while the idle power changes, and show what was before where that can be read."""

import numpy as np
import pytest
from patience import PATIENCE

from core.engines.front.axis import Axis
from core.engines.front.study import Study, sweep_idle_power
from core.files.samples.named import load_sample
from core.vocabulary.without_work import WithoutWork
from dashboard.parts.fields.idle_power import (
    FRACTIONS,
    Before,
    Corners,
    Fronts,
    curves,
    fraction_of,
    sweeping,
    without_idle,
)
from dashboard.server.background import Job
from dashboard.workspace.workspace import Sample, Version


def corners(left: float, bottom: float, right: float, top: float) -> Corners:
    return Corners(np.array([left, bottom]), np.array([right, top]))


def test_axes_hold_while_all_is_within_them() -> None:
    held = corners(0, 0, 10, 10)
    found = held.with_room_for(corners(2, 3, 10, 9))
    assert (found.low == held.low).all()
    assert (found.high == held.high).all()


def test_axes_move_with_room_to_go_on_where_something_is_beyond_them() -> None:
    found = corners(5, 5, 10, 10).with_room_for(corners(5, 1, 20, 8))
    assert found.low == pytest.approx([5, 0]), "nothing is below 0"
    assert found.high == pytest.approx([20 + 0.3 * 15, 10])


def test_what_was_before_is_shown_too_unless_that_makes_the_new_unreadable() -> None:
    before = corners(0, 0, 10, 10)
    near = corners(4, 4, 12, 9).with_before(before)
    assert (*near.low, *near.high) == (0, 0, 12, 10)
    small = corners(9, 9, 10, 10)
    assert small.with_before(before) is small


def test_a_point_before_is_no_reason_to_divide_by_zero() -> None:
    point = corners(3, 3, 3, 3)
    assert point.with_before(point).low == pytest.approx([3, 3])


def test_it_is_told_by_its_idle_power(testbed_study: Study) -> None:
    version = Version(load_sample("testbed"), Sample("testbed"))
    assert Before(testbed_study, version, WithoutWork(0.25)).title == "Before: idle power 25 %"
    assert Before(testbed_study, version, WithoutWork()).title == "Before: idle power as given"
    whole = Corners.around(Before(testbed_study, version, WithoutWork()).seen)
    assert (whole.low <= testbed_study.front.points.min(axis=0)).all()
    assert (whole.high >= testbed_study.achieved.max(axis=0)).all()


@pytest.mark.usefixtures("computed_here")
def test_a_sweep_shows_a_front_for_each_fraction() -> None:
    system = load_sample("testbed")
    job: Job[Fronts] = Job(sweeping(system))
    job.wait(1, PATIENCE)
    assert job.latest is not None
    assert tuple(fraction for fraction, _ in job.latest) == FRACTIONS
    least = [front.energy[0] for _, front in job.latest]
    assert (np.diff(least) >= -1e-12 * least[-1]).all()


def test_curves_say_what_idle_power_does_to_the_proven_front(kwh: Axis) -> None:
    system = load_sample("testbed")
    fronts = tuple(zip((0.0, 0.5, 1.0), sweep_idle_power(system, (0.0, 0.5, 1.0)), strict=True))
    saved, least, slowest = curves(fronts, kwh)
    for place, (_, front) in enumerate(fronts):
        assert saved.values[place] == pytest.approx(100 * (1 - front.energy[0] / front.energy[-1]))
        assert least.values[place] == pytest.approx(kwh.of(front.energy[0]))
        assert slowest.values[place] == pytest.approx(front.makespan[0] / 3600)
    assert (saved.unit, least.unit, slowest.unit) == ("%", kwh.unit, "h")


@pytest.mark.parametrize("fraction", [0.0, 0.3, 1.0])
def test_the_fraction_of_a_system_is_the_one_it_was_given(fraction: float) -> None:
    system = load_sample("testbed").with_idle_fraction(fraction)
    assert fraction_of(system) == pytest.approx(fraction)
    assert without_idle(system) == without_idle(load_sample("testbed"))
