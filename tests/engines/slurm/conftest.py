"""Schedules to submit, and a Slurm that only writes down what it is asked."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fake_slurm import FakeSlurm, fake_slurm

from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


@pytest.fixture
def slurm(tmp_path: Path) -> FakeSlurm:
    return fake_slurm(tmp_path / "slurm")


@pytest.fixture(scope="session")
def small() -> Schedule:
    """Machines A 1 and A 2 run 3 tasks of type x and then 2 of type y, A 3 runs 1 of type x, and
    B 1 runs 4 of type y and 2 of type z; B 2 is idle.
    """
    return schedule_of("xyz", "AB")


@pytest.fixture(scope="session")
def named() -> Callable[..., Schedule]:
    """`small` with other names of its three task types and two machine types."""
    return schedule_of


def schedule_of(tasks, machines) -> Schedule:
    system = System(
        tuple(map(TaskType, tasks, (7, 8, 2))),
        tuple(map(MachineType, machines, (3, 2))),
        np.array([[4.0, np.inf], [2.5, 1.5], [9.0, 0.5]]),
    )
    return Schedule(
        system,
        np.array([0, 0, 1, 1]),
        np.array([2, 1, 1, 1]),
        np.array([[3, 2, 0], [1, 0, 0], [0, 4, 2], [0, 0, 0]]),
    )
