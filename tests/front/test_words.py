"""What is said of a front is true of it, whatever its shape."""

import numpy as np
import pytest

from core.front.methods import StudyProgress
from core.front.words import meaning, study_progress
from core.model.kinds import MachineType, TaskType
from core.model.system import System
from core.relaxed import trace_front
from core.samples.named import load_sample

NONE = np.empty((0, 2))


@pytest.fixture(scope="module")
def front():
    return trace_front(load_sample("two-by-two"))


@pytest.fixture(scope="module")
def point():
    """The front of a system with but one machine."""
    return trace_front(
        System([TaskType("T", 6)], [MachineType("M")], np.array([[1.0]]), np.array([[10.0]]))
    )


def test_ends_and_what_the_first_half_costs(front):
    assert meaning(front, front.points[:]) == (
        "between 10.8 s and 30 s up to 35.8 % of the energy can be saved; "
        "the first 18.8 % cost 7.2 s"
    )


def test_without_schedules_tasks_would_have_to_be_split(front):
    assert "can be saved, if tasks could be split; the first" in meaning(front, NONE)


def test_two_points_have_no_half_way(front):
    assert meaning(front, front.points[[0, -1]]).endswith("can be saved")


def test_one_schedule_may_be_all_there_is(front):
    said = meaning(front, front.points[:1])
    assert said.startswith("one schedule is both the fastest and the thriftiest: 30 s with 900 J")


def test_a_front_of_one_point_has_nothing_to_trade(point):
    said = meaning(point, NONE)
    assert said == (
        "the fastest is also the thriftiest, so there is no trade-off: no schedule is done "
        "before 5.999 s or needs less than 59.99 J"
    )
    assert meaning(point, point.points) == said
    more = np.array([[60.0, 7.0], [70.0, 6.0]])
    assert meaning(point, more) == f"{said}; whole tasks alone leave 2 schedules to choose from"


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([[5, 300], [6, 200], [7, 250]], "1.2 of 2 s: 2 schedules, 3 min 20 s to 5 min"),
        (NONE, "1.2 of 2 s: 0 schedules"),
    ],
)
def test_progress_counts_what_is_not_dominated(points, said):
    assert study_progress(StudyProgress("polish", 1.23, 2.0, np.array(points, float))) == said


def test_progress_by_work_counts_units():
    assert (
        study_progress(StudyProgress("polish", 1.23, 2.0), "units") == "1.2 of 2 units: 0 schedules"
    )


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        ("sweep", "sweep: weight 300 of 1,000"),
        ("recover", "recover: point 300 of 1,000"),
        ("evolve", "evolve: generation 300 of 1,000"),
        ("verify", "verify: schedule 300 of 1,000"),
    ],
)
def test_phases_that_count_say_what(phase, said):
    assert study_progress(StudyProgress(phase, 300, 1000)) == said
