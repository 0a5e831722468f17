"""Run times are held against the published ones by their medians."""

import numpy as np

from core.reproduce import profit_seconds
from core.reproduce.profit_seconds import PUBLISHED, RunTimes

TASKS = np.array(list(PUBLISHED), float)


def verdicts(seconds):
    return [claim.holds for claim in profit_seconds.figure(RunTimes(TASKS, seconds)).claims]


def test_medians_are_held_against_the_published():
    seconds = np.full((3, 3), 5e-3)
    seconds[1] = [1.0, 8e-3, 8e-3]  # once was slow
    assert verdicts(seconds) == [False, True, True]
    seconds[2] = 75e-3
    assert verdicts(seconds) == [False, True, False]


def test_every_size_is_timed_as_often_as_asked_up_to_a_limit():
    run_times = profit_seconds.measure(2)
    assert run_times.tasks.tolist() == [10_000, 100_000, 1_000_000]
    assert run_times.seconds.shape == (3, 2)
    assert (run_times.seconds > 0).all()
