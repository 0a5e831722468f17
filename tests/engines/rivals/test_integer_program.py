"""The plain integer program is exact on tiny systems, and ends with a schedule or says why not."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from strategies import systems

from core.engines.rivals import RIVALS, Cancelled, TooLong
from core.engines.verify.judge import verify
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

rival = RIVALS["integer-program"]


@given(system=systems(max_task_types=2, max_machine_types=2, dyadic=True, max_count=2))
def test_finds_the_best(least_makespan: Callable[[System], float], system: System) -> None:
    assert rival.solve(system).makespan == least_makespan(system)


def test_gives_the_best_so_far_when_the_seconds_pass(hard: System) -> None:
    schedule = rival.solve(hard, seconds=0.5, threads=2)
    assert verify(schedule, hard).ok


def test_threads_may_differ_from_run_to_run(two_by_two: Callable[..., System]) -> None:
    makespans = [rival.solve(two_by_two(), threads=n).makespan for n in (1, 2, 1)]
    assert makespans == [11, 11, 11]


def test_large_counts_come_back_whole() -> None:
    system = System(
        (TaskType("T1", 10**9), TaskType("T2", 10**9 + 7)),
        (MachineType("A", 2), MachineType("B", 1)),
        np.array([[1.0, 2.0], [3.0, 5.0]]),
    )
    assert verify(rival.solve(system, seconds=1), system).ok


def test_says_when_there_was_no_time_for_a_schedule(hard: System) -> None:
    with pytest.raises(TooLong, match=r"passed while .*; allow more seconds"):
        rival.solve(hard, seconds=1e-9)


def test_can_be_stopped(hard: System) -> None:
    asked = itertools.count()
    with pytest.raises(Cancelled, match="looking for its first schedule"):
        rival.solve(hard, seconds=60, should_stop=lambda: next(asked) > 0)
