"""Run times are held against the published ones by their medians."""

import numpy as np

from benchmarks.publications.profit import seconds as profit_seconds
from benchmarks.publications.profit.seconds import PUBLISHED, RunTimes

TASKS = np.array(list(PUBLISHED), float)


LINEAR = TASKS[:, None] * np.full(3, 1e-7)


def claims(seconds, one_by_one=LINEAR):
    program = np.full((3, 3), 1e-4)
    return profit_seconds.figure(RunTimes(TASKS, seconds, one_by_one, program)).claims


def verdicts(seconds):
    return [claim.holds for claim in claims(seconds)]


def test_medians_are_held_against_the_published():
    seconds = np.full((3, 3), 5e-3)
    seconds[1] = [1.0, 8e-3, 8e-3]  # once was slow
    assert verdicts(seconds) == [False, True, True, True]
    seconds[2] = 75e-3
    assert verdicts(seconds) == [False, True, False, True]


def test_growth_is_that_of_tasks_one_at_a_time():
    flat = claims(LINEAR, np.full((3, 3), 0.1))[-1]
    assert not flat.holds
    assert "the published times go with power 0.92" in flat.cause


def test_every_size_is_timed_as_often_as_asked_up_to_a_limit():
    run_times = profit_seconds.measure(2)
    assert run_times.tasks.tolist() == [10_000, 100_000, 1_000_000]
    assert run_times.seconds.shape == (3, 2)
    assert (run_times.seconds > run_times.program).all()
    assert (run_times.one_by_one > run_times.program).all()
    assert (run_times.program > 0).all()
