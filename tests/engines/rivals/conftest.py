"""What the tests of the rivals share: comparing schedules, trying all of them, a hard system."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from core.engines.rivals.rival import machine_kinds
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


@pytest.fixture(scope="session")
def groups() -> Callable[[Schedule], list[list[int]]]:
    """All of a schedule but the numbers of identical machines; equal schedules, equal lists."""

    def table(schedule: Schedule) -> list[list[int]]:
        columns = [schedule.machine_type, schedule.machines, schedule.tasks]
        return np.column_stack(columns).tolist()

    return table


@pytest.fixture(scope="session")
def least_makespan() -> Callable[[System], float]:
    """The least makespan, by trying every way to run every task."""

    def search(system: System) -> float:
        kinds = machine_kinds(system)
        seconds = [system.etc[i, kinds] for i, n in enumerate(system.task_counts) for _ in range(n)]
        best = np.inf
        for places in itertools.product(range(len(kinds)), repeat=len(seconds)):
            load = np.zeros(len(kinds))
            for place, each in zip(places, seconds, strict=True):
                load[place] += each[place]
            best = min(best, load.max())
        return best

    return search


@pytest.fixture(scope="session")
def hard() -> System:
    """200 single tasks on 10 unrelated machines: no solver proves an optimum in a second."""
    rng = np.random.default_rng(7)
    return System(
        tuple(TaskType(f"T{i}") for i in range(200)),
        tuple(MachineType(f"M{j}") for j in range(10)),
        rng.uniform(1, 3000, (200, 1)) * rng.uniform(1, 1000, (200, 10)),
    )
