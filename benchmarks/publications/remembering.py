"""Min-min and max-min as printed in the publication (its algorithm 4), to time and count their
steps.

Each task type remembers the machine that would end it first, until that machine gets a task; then
it searches all machines of all types. `core.engines.rivals.heuristics` makes the same schedules
faster: for each machine type it looks only at the machine that is free first.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import time
from dataclasses import dataclass

import numpy as np

from core.engines.compute.compiled import Kernel
from core.vocabulary.system import System


@dataclass(frozen=True, slots=True)
class Remembered:
    """Makespan and processor seconds of a schedule, how often a task type needed its best machine,
    and the share of these in which it remembered it.
    """

    makespan: float
    seconds: float
    asked: int
    share: float


def remembered(system: System, rule: str) -> Remembered:
    """The schedule of "min-min" or "max-min". Ties go to the first type, then the first machine."""
    etc = np.where(system.can_run, system.etc, np.inf)
    first = np.concatenate([[0], np.cumsum(system.machine_counts)])
    sign = {"min-min": -1.0, "max-min": 1.0}[rule]
    started = time.thread_time()
    makespan, asked, valid = _place_all(etc, first, system.task_counts, sign)
    return Remembered(makespan, time.thread_time() - started, asked, valid / asked)


@Kernel
def _place_all(etc, first, counts, sign):
    """Place one task after another; `sign` is 1 if the task that ends last is placed first."""
    task_types, kinds = etc.shape
    ready = np.zeros(first[-1])
    waiting = counts.copy()
    machine = np.full(task_types, -1)
    end = np.zeros(task_types)
    prior, asked, valid, makespan = -1, 0, 0, 0.0
    for _ in range(counts.sum()):
        chosen = -1
        for i in range(task_types):
            if waiting[i] == 0:
                continue
            asked += 1
            if machine[i] != prior:
                valid += 1
            else:
                end[i] = np.inf
                for kind in range(kinds):
                    for place in range(first[kind], first[kind + 1]):
                        if ready[place] + etc[i, kind] < end[i]:
                            machine[i] = place
                            end[i] = ready[place] + etc[i, kind]
            if chosen < 0 or sign * end[i] > sign * end[chosen]:
                chosen = i
        prior = machine[chosen]
        ready[prior] = end[chosen]
        waiting[chosen] -= 1
        makespan = max(makespan, end[chosen])
    return makespan, asked, valid
