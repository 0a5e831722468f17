"""Systems in which nothing is like anything else."""

import numpy as np

from core.files.samples.generate import make_consistent
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def irregular(tasks: int, machines: int, count: int = 1, each: int = 1) -> System:
    """So many task types of `count` tasks, and machine types of `each` machines that draw 5 W idle;
    times of 1 to 9 s are multiples of 1/8 s, powers from 20 to 120 W whole watts. They are made of
    roots, which are the same on every computer.
    """
    spread = np.sqrt(np.arange(2.0, 2 + 2 * tasks * machines)).reshape(2, tasks, machines) % 1
    return System(
        tuple(TaskType(f"t{i}", count) for i in range(tasks)),
        tuple(MachineType(f"m{j}", each, 5.0) for j in range(machines)),
        1 + np.floor(spread[0] * 64) / 8,
        20 + np.floor(spread[1] * 100),
    )


def single_tasks(tasks: int, machines: int, seed: int) -> System:
    """Each task of a type of its own, on a few machines; times at random."""
    rng = np.random.default_rng(seed)
    etc = rng.uniform(1, 100, (tasks, 1)) * rng.uniform(1, 10, (tasks, machines))
    return System(
        tuple(TaskType(f"T{i}") for i in range(tasks)),
        tuple(MachineType(f"M{j}") for j in range(machines)),
        make_consistent(etc, "semi-consistent"),
    )
