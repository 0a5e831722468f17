"""The verdicts on more and more tasks follow from the measurements: change these, and they flip."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.front import scaling as front_scaling
from benchmarks.publications.front.scaling import FrontScaling

TASKS = np.array([1e3, 1e4, 1e5])


@pytest.fixture
def as_published():
    """Made-up measurements on which all that the publication says holds."""
    flat = np.full((3, 2), 0.1)
    return FrontScaling(
        TASKS,
        np.array([[0.7, 0.8], [0.2, 0.3], [0.02, 0.03]]),
        (flat, flat / 10, TASKS[:, None] * [1e-6, 1.1e-6]),
        flat / 100,
        12.6 * flat,
        flat,
        np.full((3, 2), 50.0),
        np.full((3, 2), 0.2),
        TASKS[:, None] * [1e-6, 1.1e-6],
    )


def verdicts(scaling):
    return [claim.holds for figure in front_scaling.figures(scaling) for claim in figure.claims]


def test_all_holds_on_measurements_as_published(as_published):
    assert verdicts(as_published) == [True] * 5


def test_an_area_that_rises_once_flips_its_verdict(as_published):
    rising = as_published.relative_area.copy()
    rising[1] = 0.9
    assert verdicts(replace(as_published, relative_area=rising))[0] is False
    flat = np.full((3, 2), 0.5)
    assert verdicts(replace(as_published, relative_area=flat))[0] is False


def test_phases_that_change_places_flip_their_verdicts(as_published):
    turned = replace(as_published, phase_seconds=as_published.phase_seconds[::-1])
    assert verdicts(turned)[1:4] == [False, True, True]
    flat = replace(as_published, heap_seconds=np.full((3, 2), 0.1))
    assert verdicts(flat)[1:4] == [True, True, False]


@pytest.mark.parametrize(("ratio", "holds"), [(3.0, False), (10.0, True), (40.0, False)])
def test_the_ratio_of_solves_is_held_against_the_published(as_published, ratio, holds):
    solves = replace(as_published, first_solve_seconds=ratio * as_published.later_solve_seconds)
    assert verdicts(solves)[4] is holds
    claim = front_scaling.run_time(solves).claims[-1]
    assert "the first takes 50 steps" in claim.cause
    assert "a later one 0.2 on average" in claim.cause


def test_what_is_measured_is_a_share_and_takes_time(small_front_scaling):
    assert small_front_scaling.relative_area.shape == (3, 2)
    assert (small_front_scaling.relative_area > 0).all()
    assert (small_front_scaling.relative_area <= 1).all()
    mean = small_front_scaling.relative_area.mean(axis=1)
    assert mean[0] > mean[-1]
    for seconds in (*small_front_scaling.phase_seconds, small_front_scaling.exact_seconds):
        assert (seconds > 0).all()
