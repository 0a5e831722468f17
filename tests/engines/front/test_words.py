"""How far the search for schedules along a front is, as a terminal shows it."""

import numpy as np
import pytest

from core.engines.front.methods import StudyProgress
from core.engines.front.words import study_progress

NONE = np.empty((0, 2))


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([[5, 300], [6, 200], [7, 250]], "1.2 of 2 s: 2 schedules, 3 min 20 s to 5 min"),
        ([[5, 30.123456], [6, 20.123456]], "1.2 of 2 s: 2 schedules, 20.13 s to 30.13 s"),
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
