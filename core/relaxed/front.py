"""The front that no schedule passes: every vertex of the divisible program's trade-off.

Energy is what tasks draw above idle power, and idle power times the makespan. So the front is what
the optimum of "task energy + p x makespan" runs through while p rises from the idle power of the
whole system on. Below that a second is cheaper than it really is, and the optima are slower ones,
of which energy and makespan are both too high.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.model.arrays import FloatArray, IntArray
from core.model.system import System
from core.model.tolerances import CERTIFIED, NOT_DIVISIBLE, SAME_VERTEX
from core.relaxed.lines import Lines
from core.relaxed.objective import Objective
from core.relaxed.placements import Placements


@dataclass(frozen=True, eq=False)
class Front:
    """The divisible schedules of which no other is as good in both energy and makespan.

    `points[k]` is (joules, seconds) of vertex k, by rising energy and falling makespan, and
    `placements` are the schedules. `lines` bound every schedule, divisible or not: the first is the
    least energy, line k runs through vertices k - 1 and k, the last is the least makespan; each
    weighs a joule 1, but the last, which weighs seconds alone.

    `slower` are the corners of what can be reached beyond the least energy, where waiting costs
    more than it saves, or as much, by falling makespan, with their placements. `slower_lines` are
    proven, too: the first is that of waiting, which costs all machines' idle power, line k begins
    at slower corner k.

    `exact` says that these are all the vertices, each edge proven to within `CERTIFIED` of its
    value; else the front may run lower between the points, but never below the lines.
    """

    system: System
    points: FloatArray
    placements: Placements
    lines: Lines
    slower: FloatArray
    slower_placements: Placements
    slower_lines: Lines
    exact: bool

    def __len__(self) -> int:
        return len(self.points)

    @property
    def energy(self) -> FloatArray:
        """Joules of the vertices, rising."""
        return self.points[:, 0]

    @property
    def makespan(self) -> FloatArray:
        """Seconds of the vertices, falling."""
        return self.points[:, 1]

    @property
    def utopia(self) -> FloatArray:
        """(joules, seconds): the least of either, which no one schedule need reach."""
        return np.array([self.energy[0], self.makespan[-1]])

    def placed(self, vertex: int, share: float = 0.0) -> FloatArray:
        """Tasks of each type on each machine type, such a share of the way to the next vertex."""
        return self.placements.placed(vertex, self.system, share)

    @property
    def gap(self) -> float:
        """How far a vertex is above a line beside it, at most, as a share of what the line makes of
        the vertex, all machines idling beside it.

        Unlike the proof of being `exact` it stays meaningful where energies are next to 0.
        """
        idle = self.system.total_idle_power * self.makespan
        sizes = np.column_stack([np.abs(self.energy) + idle, self.makespan])
        nothing = SAME_VERTEX * self.lines.weights @ sizes.max(axis=0) + NOT_DIVISIBLE
        largest = 0.0
        for vertex in ([0, *range(len(self))], [*range(len(self)), -1]):
            above = (self.lines.weights * self.points[vertex]).sum(axis=1) - self.lines.value
            size = np.maximum((self.lines.weights * sizes[vertex]).sum(axis=1), nothing)
            largest = max(largest, float((above / size).max()))
        return largest

    def edge(self, vertex: int) -> int:
        """The line from this vertex to the next; from the last, the one that leads there.

        Where the front is one point, the line of the least makespan.
        """
        return min(vertex + 1, max(len(self) - 1, 1))

    def waste(self, edge: int) -> FloatArray:
        """What a task of each type (rows) costs on each machine type (columns) more than at best,
        as line `edge` charges it, in the line's unit; infinity where it cannot run.
        """
        system = self.system
        cost = Objective(*self.lines.weights[edge].tolist()).task_costs(system)
        time = np.zeros(cost.shape)
        prices = self.lines.machine_prices[edge]
        np.multiply(system.etc, prices, out=time, where=system.can_run)
        cost += time
        least = cost.min(axis=1, keepdims=True)
        waste = np.full(cost.shape, np.inf)
        np.subtract(cost, least, out=waste, where=system.can_run)
        return waste

    def least_energy(self, deadline: float) -> float:
        """Joules that no schedule of at most so many seconds gets below; infinity if there is none.

        Proven by the lines.
        """
        if deadline < self.lines.value[-1]:
            return np.inf
        energy, makespan = self.lines.weights[:-1].T
        return float(((self.lines.value[:-1] - makespan * deadline) / energy).max())

    def least_makespan(self, energy_budget: float) -> float:
        """Seconds that no schedule of at most so many joules gets below; infinity if there is none.

        Proven by the lines.
        """
        if energy_budget < self.lines.value[0]:
            return np.inf
        energy, makespan = self.lines.weights[1:].T
        return float(((self.lines.value[1:] - energy * energy_budget) / makespan).max())

    def least_makespan_at_power(self, watts: float) -> float:
        """Seconds that no schedule drawing so many watts or less, on average, gets below.

        Proven by the lines, the slower ones included; infinity if there is no such schedule.
        """
        weights = np.concatenate([self.slower_lines.weights, self.lines.weights])
        value = np.concatenate([self.slower_lines.value, self.lines.value])
        per_second = weights @ np.array([watts, 1.0])
        if (value[per_second <= 0] > 0).any():
            return np.inf
        return float((value[per_second > 0] / per_second[per_second > 0]).max(initial=0.0))


def front_of(
    system: System,
    points: FloatArray,
    placements: Placements,
    lines: Lines,
    *,
    complete: bool,
    slower: FloatArray | None = None,
    slower_placements: Placements | None = None,
    slower_lines: Lines | None = None,
) -> Front:
    """The front of these optima, by rising energy; those that are no vertices are left out.

    `lines` are that of least energy, those between neighbours, and that of least makespan.
    """
    kept = _vertices(points)
    if slower is not None and slower_placements is not None and slower_lines is not None:
        # Those that are slower than the first vertex, of the same energy.
        tied = np.arange(kept[0])
        slower = np.concatenate([slower, points[tied]])
        slower_placements = slower_placements.followed_by(placements.chosen(tied))
        slower_lines = slower_lines.followed_by(lines.chosen(1 + tied))
        # Ties leave corners that differ in nothing from the next one, or in nothing but waiting.
        following = np.concatenate([slower, points[kept[:1]]])[1:]
        waited = slower[:, 1] - following[:, 1]
        idle = system.total_idle_power * slower[:, 1]
        saved = following[:, 0] + system.total_idle_power * waited - slower[:, 0]
        apart = np.flatnonzero(
            (waited > SAME_VERTEX * following[:, 1])
            & (saved > SAME_VERTEX * (np.abs(slower[:, 0]) + idle))
        )
        slower, slower_placements = slower[apart], slower_placements.chosen(apart)
        slower_lines = slower_lines.chosen(np.append(0, apart + 1))
    lines = lines.chosen(np.concatenate([[0], 1 + _longest_steps(points, kept), [len(points)]]))
    points = points[kept]
    gaps = [
        lines.excess(points[[0, *range(len(kept))]]),
        lines.excess(points[[*range(len(kept)), -1]]),
    ]
    return Front(
        system,
        points,
        placements.chosen(kept),
        lines,
        np.empty((0, 2)) if slower is None else slower,
        placements.chosen(kept[:0]) if slower_placements is None else slower_placements,
        lines.chosen(slice(0, 0)) if slower_lines is None else slower_lines,
        complete and all(bool((gap <= CERTIFIED).all()) for gap in gaps),
    )


def _longest_steps(points: FloatArray, kept: IntArray) -> IntArray:
    """Of the steps from each kept point to the next, the longest: its line fits them all best."""
    extent = np.abs(points[kept[-1]] - points[kept[0]])
    length = np.abs(np.diff(points, axis=0)) @ np.flip(extent)
    longest = [left + int(length[left:right].argmax()) for left, right in pairwise(kept.tolist())]
    return np.array(longest, np.int64)


def _vertices(points: FloatArray) -> IntArray:
    """Those that are neither matched by a neighbour nor on the straight line between two."""
    energy, makespan = points.T
    first = int(np.flatnonzero(energy <= energy[0] * (1 + SAME_VERTEX))[-1])
    last = int(np.flatnonzero(makespan <= makespan[-1] * (1 + SAME_VERTEX))[0])
    kept = np.arange(first, max(first, last) + 1)
    extent = np.abs(points[kept[-1]] - points[kept[0]])
    if not extent.all():
        return kept[:1]
    scaled = points / extent
    while len(kept) > 2:
        before, after = np.diff(scaled[kept], axis=0)[:-1], np.diff(scaled[kept], axis=0)[1:]
        bend = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
        straight = bend <= SAME_VERTEX * np.maximum(
            np.abs(before).sum(axis=1), np.abs(after).sum(axis=1)
        )
        # Of neighbours only the first, for without it the next may stand out.
        straight[1:] &= ~straight[:-1]
        if not straight.any():
            break
        kept = np.delete(kept, 1 + np.flatnonzero(straight))
    return kept
