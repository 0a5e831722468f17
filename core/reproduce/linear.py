"""The published method along the front, without and with convex fill, timed."""

import time
from dataclasses import dataclass
from typing import Final

from core.model.schedule import Schedule
from core.model.system import System
from core.recover.along import Progression, recover_along
from core.rivals import WeightedSweep, weighted_sweep

UNFILLED: Final = 2.0  # the whole length of a normalised front


@dataclass(frozen=True, eq=False)
class Linear:
    """What it made; seconds are those of the processor, and include the sweep."""

    sweep: WeightedSweep
    schedules: list[Schedule]
    swept: Progression
    swept_seconds: float
    filled: Progression
    filled_seconds: float


def linear(system: System, weights: int, spacing: float) -> Linear:
    """Swept with so many weights, filled to a spacing."""
    started = time.thread_time()
    sweep = weighted_sweep(system, weights)
    solved = time.thread_time()
    schedules, swept = recover_along(system, sweep.points, sweep.placements, UNFILLED)
    recovered = time.thread_time()
    _, filled = recover_along(system, sweep.points, sweep.placements, spacing)
    filled_seconds = solved - started + time.thread_time() - recovered
    return Linear(sweep, schedules, swept, recovered - started, filled, filled_seconds)


def above_bound(progression: Progression) -> float:
    """By what share full allocations are longer than where they began, on average."""
    return float((progression.assigned[:, 1] / progression.lower[:, 1] - 1).mean())


def ends_dominated(progression: Progression) -> bool:
    """Whether the last full allocation is no better than the one before it, and worse in one."""
    before, last = progression.assigned[-2:]
    return bool((before <= last).all() and (before < last).any())
