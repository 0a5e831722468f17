"""The published method along the front, without and with convex fill, with its run time."""

import time
from dataclasses import dataclass
from typing import Final

from core.engines.recover.along import Progression, recover_along
from core.engines.rivals import WeightedSweep, weighted_sweep
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

UNFILLED: Final = 2.0  # the length of a normalised front: no points are added


@dataclass(frozen=True, eq=False)
class Linear:
    """The schedules and points of the method; seconds are processor time and include the sweep."""

    sweep: WeightedSweep
    schedules: list[Schedule]
    swept: Progression
    swept_seconds: float
    filled: Progression
    filled_seconds: float


def linear(system: System, weights: int, spacing: float) -> Linear:
    """The published method with so many weights, filled to a spacing."""
    started = time.thread_time()
    sweep = weighted_sweep(system, weights)
    solved = time.thread_time()
    schedules, swept = recover_along(system, sweep.points, sweep.placements, UNFILLED)
    recovered = time.thread_time()
    _, filled = recover_along(system, sweep.points, sweep.placements, spacing)
    filled_seconds = solved - started + time.thread_time() - recovered
    return Linear(sweep, schedules, swept, recovered - started, filled, filled_seconds)


def above_bound(progression: Progression) -> float:
    """By what share full allocations are longer than the optima they come from, on average."""
    return float((progression.assigned[:, 1] / progression.lower[:, 1] - 1).mean())


def ends_dominated(progression: Progression) -> bool:
    """Whether the last full allocation is dominated by the one before it."""
    before, last = progression.assigned[-2:]
    return bool((before <= last).all() and (before < last).any())
