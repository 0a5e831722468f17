"""What no method could have beaten for a bag of tasks, had it known how long each takes.

The bound is that of the divisible linear program (`core.engines.relaxed`), in which tasks may be
split, with true times and powers. It knows all tasks from the beginning; but none ends before it
has arrived and run on its fastest machine.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.capabilities.arrivals.uncertain.methods import bag_of
from core.capabilities.arrivals.uncertain.planning import Bag
from core.engines.relaxed import Front, trace_front
from core.engines.replay.workload import Truth, Workload
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System
from core.vocabulary.tolerances import SUM_ROUNDING

_GROUPS: Final = 16
"""So many groups of tasks by their error of power; each task counts with the least of its group."""


@dataclass(frozen=True)
class BagBound:
    """Proven: no method ends before `makespan` (s), and none takes less than `joules`."""

    makespan: float
    joules: float


def bag_bound(workload: Workload, truth: Truth) -> BagBound:
    """The bound of a bag, whose truth is known."""
    bag = bag_of(workload)
    always = workload.switching == "always on"
    system = _as_system(bag, truth, workload.pools.idle_watts * always, workload.pools.units)
    front = trace_front(system)
    soonest = bag.arrival + (bag.seconds * truth.time[:, None]).min(axis=1)
    makespan = max(float(front.lines.value[-1]), float(soonest.max()))
    return BagBound(
        makespan * (1 - SUM_ROUNDING), _least_joules(front, makespan) * (1 - SUM_ROUNDING)
    )


def _least_joules(front: Front, makespan: float) -> float:
    """What schedules take at least that last at least so long."""
    least = front.least_joules
    slower = front.slower_lines
    rising = slower.weights[:, 1] <= 0
    joules = (slower.value - slower.weights[:, 1] * makespan) / slower.weights[:, 0]
    return max(least, float(joules[rising].max(initial=0.0)))


def _as_system(bag: Bag, truth: Truth, idle: FloatArray, units: IntArray) -> System:
    """Tasks with what they really take and draw, each a task type or together with those alike."""
    seconds = bag.seconds * truth.time[:, None]
    power = truth.power
    groups = [np.array([task]) for task in range(len(seconds))]
    if _alike(bag):
        by_power = np.argsort(power, kind="stable")
        groups = [group for group in np.array_split(by_power, _GROUPS) if len(group)]
    etc = np.array([seconds[group].sum(axis=0) for group in groups])
    drawn = np.array([bag.watts[group[0]] * power[group].min() for group in groups])
    return System(
        tuple(TaskType(f"t{k}") for k in range(len(groups))),
        tuple(
            MachineType(f"m{k}", int(count), float(watts))
            for k, (count, watts) in enumerate(zip(units, idle, strict=True))
        ),
        etc,
        np.where(np.isfinite(etc), drawn + idle, np.nan),
    )


def _alike(bag: Bag) -> bool:
    """Whether all tasks speed up alike from machine to machine, and draw the same."""
    if not np.isfinite(bag.seconds).all():
        return False
    ratio = bag.seconds / bag.seconds[:, :1]
    same = np.abs(ratio / ratio[0] - 1) < SUM_ROUNDING
    return bool(same.all() and (bag.watts == bag.watts[0]).all())
