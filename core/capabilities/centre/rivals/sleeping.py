"""Which servers can sleep, where a start takes some steps, in compiled code."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import IntArray


def awake_for(day: CentreDay, needed: IntArray) -> IntArray:
    """The fewest servers of each kind that are awake in each step, if so many are needed."""
    awake = needed.copy()
    for kind, steps in enumerate(day.centre.start_steps(day.step).tolist()):
        keep_awake(awake[kind], int(day.centre.counts[kind]), steps)
    return awake


@Kernel
def keep_awake(awake, servers, start_steps):
    """Let no server sleep for fewer steps than its start takes. All are awake before the day."""
    if start_steps < 2:
        return
    steps = len(awake)
    most = np.empty(steps + start_steps, np.int64)
    for step in range(steps + start_steps):
        most[step] = 0 if step >= start_steps - 1 else servers
        for before in range(max(step - start_steps + 1, 0), min(step + 1, steps)):
            most[step] = max(most[step], awake[before])
    for step in range(steps):
        awake[step] = most[step : step + start_steps].min()
