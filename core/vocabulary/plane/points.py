"""Points of the trade-off: rows of energy [J] and makespan [s], less of either being better.

A chain is a front in order: energy ascends, makespan descends, no point dominates another. Shares
and distances are in normalised coordinates, the span of a chain being 1 in energy and in makespan.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray


def non_dominated(points: FloatArray) -> BoolArray:
    """True where no other point is as good in both and better in one; of equal points, only the
    first.
    """
    energy, makespan = points[:, 0], points[:, 1]
    order = np.lexsort((makespan, energy))
    shortest_so_far = np.minimum.accumulate(np.append(np.inf, makespan[order]))[:-1]
    mask = np.empty(len(points), np.bool_)
    mask[order] = makespan[order] < shortest_so_far
    return mask


def sorted_front(points: FloatArray) -> FloatArray:
    """The chain of the points that no other dominates."""
    front = points[non_dominated(points)]
    return front[np.argsort(front[:, 0])]


def utopia(points: FloatArray) -> FloatArray:
    """The least energy and the least makespan of the points: the corner that a front approaches."""
    best: FloatArray = points.min(axis=0)
    return best


def nadir(points: FloatArray) -> FloatArray:
    """The largest energy and the largest makespan of the points.

    It closes polygons, so areas are comparable only under one nadir: that of all fronts compared.
    """
    worst: FloatArray = points.max(axis=0)
    return worst


def normalised(chain: FloatArray) -> FloatArray:
    """The chain with its utopia at (0, 0) and its nadir at (1, 1); 0 where they are the same."""
    low = utopia(chain)
    span = nadir(chain) - low
    return np.divide(chain - low, span, out=np.zeros(chain.shape), where=span > 0)


def gaps(chain: FloatArray) -> FloatArray:
    """Normalised L1 distance of each point from the next; they sum to 2 along two or more."""
    distance: FloatArray = np.abs(np.diff(normalised(chain), axis=0)).sum(axis=1)
    return distance


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


def nearest_to_knee(points: FloatArray, front: FloatArray) -> int | None:
    """The point nearest to the knee of a proven front: of what it takes beyond the knee in energy
    and in makespan, as shares of the span of the front, the larger is least.

    None without points, or if the front has no knee. Another point that is found changes the answer
    only if it is nearer, so the answer does not depend on how much else has been found.
    """
    bend = knee(front)
    if bend is None or not len(points):
        return None
    beyond = (points - front[bend]) / np.ptp(front, axis=0)
    return int(np.lexsort((beyond.sum(axis=1), beyond.max(axis=1)))[0])


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


@dataclass(frozen=True, eq=False)
class Steps:
    """No schedule has a makespan below `begins[0]` seconds.

    One with a makespan from `begins[k]` to before `begins[k + 1]` draws at least `joules[k]` above
    idle power, which is all that its tasks add. Every faster schedule draws at least as much:
    `begins` ascend, `joules` descend. Joules are negative where machines may draw less at work than
    idle, and minus infinity where nothing is known.
    """

    begins: FloatArray
    joules: FloatArray

    @classmethod
    def none_before(cls, seconds: float) -> Self:
        """Steps that say only that no schedule has a shorter makespan."""
        return cls(np.array([seconds]), np.array([-np.inf]))

    @classmethod
    def of_cells(cls, begins: FloatArray, joules: FloatArray, worth_a_step: float) -> Self:
        """`descending` from cells of makespans: `joules[k]` is for those from `begins[k]` to before
        `begins[k + 1]`; beyond the last, nothing is known. Steps that add fewer joule-seconds than
        `worth_a_step` are left out.
        """
        falling = np.append(np.maximum.accumulate(joules[::-1])[::-1], -np.inf)
        kept, lost = [len(joules)], 0.0
        seconds = np.diff(begins).tolist()
        values = falling.tolist()
        for cell in range(len(joules) - 1, -1, -1):
            if values[cell] == values[kept[-1]]:
                continue
            lost += (values[cell] - values[kept[-1]]) * seconds[cell]
            if lost > worth_a_step:
                kept.append(cell)
                lost = 0.0
        ends = np.array(kept[::-1])
        return cls.descending(begins[np.append(0, ends[:-1] + 1)], falling[ends])

    @classmethod
    def descending(cls, begins: FloatArray, joules: FloatArray) -> Self:
        """Steps from the least joules of makespans from `begins[k]` to before the next; infinity
        where no such schedule exists. What slower schedules need, faster ones need, too.
        """
        falling = np.maximum.accumulate(joules[::-1])[::-1]
        first = int(np.isposinf(falling).sum())
        begins, falling = begins[first:], falling[first:]
        new = np.append(True, np.diff(falling) < 0)
        return cls(begins[new], falling[new])

    def raised_to(self, other: "Steps") -> "Steps":
        """Steps that say all that both prove."""
        begins = np.union1d(self.begins, other.begins)
        begins = begins[begins >= max(self.begins[0], other.begins[0])]
        return Steps.descending(begins, np.maximum(self.needed(begins), other.needed(begins)))

    def needed(self, makespans: FloatArray) -> FloatArray:
        """Joules above idle power that each of these makespans needs; none is below `begins[0]`."""
        needed: FloatArray = self.joules[np.searchsorted(self.begins, makespans, side="right") - 1]
        return needed
