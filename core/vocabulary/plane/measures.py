"""Measures of a chain of points: its exchange rates, knee and largest gap."""

from dataclasses import dataclass

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.points import gaps, normalised

# A front has no knee if no point is at least this far below the line between its ends, as a share
# of the way to utopia: a bend of less than 1 % cannot be seen in a chart.
_NEARLY_STRAIGHT = 0.01


def exchange_rates(chain: FloatArray) -> FloatArray:
    """Joules that each second saved costs, from each point to the next."""
    steps = np.diff(chain, axis=0)
    rates: FloatArray = steps[:, 0] / -steps[:, 1]
    return rates


def knee(chain: FloatArray) -> int | None:
    """The point farthest below the straight line between both ends, in normalised coordinates.

    None if there are no more than two points, or the front is nearly straight.
    """
    if len(chain) < 3:
        return None
    depth = 1 - normalised(chain).sum(axis=1)
    deepest = int(depth.argmax())
    return deepest if depth[deepest] > _NEARLY_STRAIGHT else None


@dataclass(frozen=True, slots=True)
class Gap:
    """From point `left` of a chain to the next: so many joules more, so many seconds less."""

    left: int
    energy: float
    makespan: float


def largest_gap(chain: FloatArray) -> Gap | None:
    """The gap of the largest normalised distance; None for a single point."""
    if len(chain) < 2:
        return None
    left = int(gaps(chain).argmax())
    energy, makespan = np.abs(chain[left + 1] - chain[left])
    return Gap(left, float(energy), float(makespan))
