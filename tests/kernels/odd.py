"""Small systems in which much is equal, zero, missing or the wrong way round."""

import numpy as np

from core.model.kinds import MachineType, TaskType
from core.model.system import System


def odd_system(random: np.random.Generator) -> System:
    """Whole times, so that sums tie; powers of nothing, idle machines that draw more than working
    ones, pairs that cannot run, types of which there are none.
    """
    while True:
        tasks, kinds = random.integers(1, 5), random.integers(1, 4)
        etc = random.integers(1, random.choice([2, 4, 10]), (tasks, kinds)).astype(float)
        etc[random.random(etc.shape) < random.choice([0.0, 0.3])] = np.inf
        apc = random.integers(0, random.choice([1, 3, 200]), etc.shape).astype(float)
        apc[np.isinf(etc)] = np.nan
        idle = random.integers(0, random.choice([1, 30, 500]), kinds)
        counts = random.integers(0, random.choice([2, 4, 12]), tasks)
        machines = random.integers(0, 4, kinds)
        if counts.any() and (np.isfinite(etc) & (machines > 0)).any(axis=1).all():
            return System(
                tuple(TaskType(f"t{i}", int(count)) for i, count in enumerate(counts)),
                tuple(
                    MachineType(f"m{j}", int(number), float(watts))
                    for j, (number, watts) in enumerate(zip(machines, idle, strict=True))
                ),
                etc,
                apc,
            )
