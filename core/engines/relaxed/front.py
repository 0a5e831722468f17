"""Many divisible schedules, stored as the cells that each uses."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np

from core.engines.relaxed.certificate import Lines, Objective
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.system import NoPowerData, System
from core.vocabulary.tolerances import CERTIFIED, NOT_DIVISIBLE, SAME_VERTEX


@dataclass(frozen=True, eq=False)
class Placements:
    """In schedule k, for `first[k] <= c < first[k + 1]`, `number[c]` tasks (fractions allowed) of
    type `task[c]` are on machine type `machine[c]`.
    """

    first: IntArray
    task: IntArray
    machine: IntArray
    number: FloatArray

    def __len__(self) -> int:
        return len(self.first) - 1

    def __getitem__(self, k: int) -> slice:
        """The cells of schedule k."""
        return slice(self.first[k], self.first[k + 1])

    @classmethod
    def of(cls, owner: IntArray, task: IntArray, machine: IntArray, number: FloatArray) -> Self:
        """The schedules of these cells; `owner`, ascending, is the schedule of each cell."""
        first = np.searchsorted(owner, np.arange(int(owner.max(initial=-1)) + 2))
        return cls(first, task, machine, number)

    @classmethod
    def dense(cls, placed: Sequence[FloatArray]) -> Self:
        """The schedules of these matrices, task types by machine types."""
        stacked = np.array(placed)
        owner, task, machine = np.nonzero(stacked)
        return cls.of(owner, task, machine, stacked[owner, task, machine])

    @property
    def owner(self) -> IntArray:
        """The schedule that each cell belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    def chosen(self, which: IntArray) -> "Placements":
        """Only these schedules, in this order."""
        sizes = np.diff(self.first)[which]
        first = np.concatenate([[0], np.cumsum(sizes)])
        cells = np.repeat(self.first[which] - first[:-1], sizes) + np.arange(first[-1])
        return Placements(first, self.task[cells], self.machine[cells], self.number[cells])

    def followed_by(self, other: "Placements") -> "Placements":
        """The schedules of this value, then the others."""
        return Placements(
            np.concatenate([self.first, self.first[-1] + other.first[1:]]),
            np.concatenate([self.task, other.task]),
            np.concatenate([self.machine, other.machine]),
            np.concatenate([self.number, other.number]),
        )

    def placed(self, k: int, system: System, share: float = 0.0) -> FloatArray:
        """Tasks of each type (rows) on each machine type (columns) in schedule k, or at this share
        of the way from it to the next.
        """
        placed = np.zeros(system.etc.shape)
        cells = self[k]
        placed[self.task[cells], self.machine[cells]] = self.number[cells]
        if share > 0:
            placed = (1 - share) * placed + share * self.placed(k + 1, system)
        return placed

    def finish(self, system: System) -> FloatArray:
        """Seconds after which each machine type (columns) is done in each schedule (rows), if its
        machines share its work equally.
        """
        machines = system.machine_counts
        seconds = self.number * system.etc[self.task, self.machine] / machines[self.machine]
        cell = self.owner * len(machines) + self.machine
        finish: FloatArray = np.bincount(
            cell, weights=seconds, minlength=len(self) * len(machines)
        ).astype(np.float64)
        return finish.reshape(len(self), -1)

    def points(self, system: System) -> FloatArray:
        """(joules, seconds) of each schedule, idle power included."""
        if system.apc is None:
            raise NoPowerData
        finish = self.finish(system)
        makespan = finish.max(axis=1)
        cells = self.task, self.machine
        joules = self.number * system.etc[cells] * system.apc[cells]
        busy = np.bincount(self.owner, weights=joules, minlength=len(self))
        waiting = (makespan[:, None] - finish) @ (system.machine_counts * system.idle_power)
        return np.column_stack([busy + waiting, makespan])


@dataclass(frozen=True, eq=False)
class Front:
    """The divisible schedules that no other dominates in energy and makespan.

    `points[k]` is (joules, seconds) of vertex k, by rising energy and falling makespan, and
    `placements` are the schedules. `lines` bound every schedule, divisible or not: the first is the
    least energy, line k runs through vertices k - 1 and k, the last is the least makespan. The
    weight of a joule is 1 in all lines but the last, which weighs only seconds.

    `slower` are the vertices of the slower schedules beyond the least energy, where waiting costs
    at least as much as it saves, by falling makespan, with their placements. `slower_lines` are
    proven, too: the first is that of waiting, which costs all machines' idle power, and line k
    begins at slower vertex k.

    `exact` says that these are all the vertices, and that each edge is proven to within `CERTIFIED`
    of its value. Otherwise the front may be lower between the points, but never below the lines.
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
        """The least joules and the least seconds, which no single schedule need reach."""
        return np.array([self.energy[0], self.makespan[-1]])

    def placed(self, vertex: int, share: float = 0.0) -> FloatArray:
        """Tasks of each type on each machine type, at this share of the way to the next vertex."""
        return self.placements.placed(vertex, self.system, share)

    @property
    def gap(self) -> float:
        """How far a vertex is above a line beside it at most, as a share of the weighted sum of the
        vertex with idle energy added.

        Unlike `exact` it stays meaningful where energies are near 0.
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
        """The line from this vertex to the next; for the last vertex, the line that leads to it.

        If the front is one point, it is the line of the least makespan.
        """
        return min(vertex + 1, max(len(self) - 1, 1))

    def waste(self, edge: int) -> FloatArray:
        """How much more a task of each type (rows) costs on each machine type (columns) than on its
        best one, at the prices of line `edge` and in its unit; infinity where it cannot run.
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

    @property
    def least_joules(self) -> float:
        """A proven lower bound on the joules of any schedule; not below 0, as rounding may be."""
        return max(0.0, float(self.lines.value[0]))

    def least_energy(self, deadline: float) -> float:
        """A proven lower bound on the joules of schedules of at most `deadline` seconds; infinity
        if there are none.
        """
        if deadline < self.lines.value[-1]:
            return np.inf
        makespan = self.lines.weights[:-1, 1]
        return max(self.least_joules, float((self.lines.value[:-1] - makespan * deadline).max()))

    def least_makespan(self, energy_budget: float) -> float:
        """A proven lower bound on the seconds of schedules of at most `energy_budget` joules;
        infinity if there are none.
        """
        if energy_budget < self.lines.value[0]:
            return np.inf
        energy, makespan = self.lines.weights[1:].T
        return float(((self.lines.value[1:] - energy * energy_budget) / makespan).max())

    def least_makespan_at_power(self, watts: float) -> float:
        """A proven lower bound on the seconds of schedules that draw at most `watts` on average.

        Slower schedules than the thriftiest are included; infinity if there is no such schedule.
        """
        weights = np.concatenate([self.slower_lines.weights, self.lines.weights])
        value = np.concatenate([self.slower_lines.value, self.lines.value])
        per_second = weights @ np.array([watts, 1.0])
        if (value[per_second <= 0] > 0).any():
            return np.inf
        return float((value[per_second > 0] / per_second[per_second > 0]).max())


class Optima(NamedTuple):
    """Divisible optima in a row: `points[k]` are (joules, seconds), `placements` what each runs
    where, and `lines` prove that no schedule is below them.
    """

    points: FloatArray
    placements: Placements
    lines: Lines


def front_of(
    system: System, optima: Optima, slower: Optima | None = None, *, complete: bool
) -> Front:
    """The front of these optima, which are by rising energy; those that are not vertices are left
    out.

    `lines` are that of the least energy, those between neighbours, and that of the least makespan.
    """
    points, placements, lines = optima
    kept = _vertices(points)
    if slower is None:
        none = np.arange(0)
        corners = Optima(points[none], placements.chosen(none), lines.chosen(none))
    else:
        corners = _corners(system, slower, optima, int(kept[0]))
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
        *corners,
        complete and all(bool((gap <= CERTIFIED).all()) for gap in gaps),
    )


def _corners(system: System, slower: Optima, optima: Optima, first: int) -> Optima:
    """The optima slower than the first vertex, also those of the same energy; without those that
    equal the next one, or differ from it only by waiting.
    """
    tied = np.arange(first)
    points = np.concatenate([slower.points, optima.points[tied]])
    placements = slower.placements.followed_by(optima.placements.chosen(tied))
    lines = slower.lines.followed_by(optima.lines.chosen(1 + tied))
    following = np.concatenate([points, optima.points[[first]]])[1:]
    waited = points[:, 1] - following[:, 1]
    idle = system.total_idle_power * points[:, 1]
    saved = following[:, 0] + system.total_idle_power * waited - points[:, 0]
    apart = np.flatnonzero(
        (waited > SAME_VERTEX * following[:, 1])
        & (saved > SAME_VERTEX * (np.abs(points[:, 0]) + idle))
    )
    return Optima(points[apart], placements.chosen(apart), lines.chosen(np.append(0, apart + 1)))


def _longest_steps(points: FloatArray, kept: IntArray) -> IntArray:
    """The longest step between each kept point and the next: its line fits all steps there best."""
    extent = np.abs(points[kept[-1]] - points[kept[0]])
    length = np.abs(np.diff(points, axis=0)) @ np.flip(extent)
    longest = [left + int(length[left:right].argmax()) for left, right in pairwise(kept.tolist())]
    return np.array(longest, np.int64)


def _vertices(points: FloatArray) -> IntArray:
    """The points that neither equal a neighbour nor are on the straight line between two."""
    energy, makespan = points.T
    first = int(np.flatnonzero(energy <= energy[0] * (1 + SAME_VERTEX))[-1])
    last = int(np.flatnonzero(makespan <= makespan[-1] * (1 + SAME_VERTEX))[0])
    if first >= last:
        return np.array([first])
    kept = np.arange(first, last + 1)
    scaled = points / np.maximum(np.abs(points[last] - points[first]), NOT_DIVISIBLE)
    while True:
        before, after = np.diff(scaled[kept], axis=0)[:-1], np.diff(scaled[kept], axis=0)[1:]
        bend = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
        straight = bend <= SAME_VERTEX * np.maximum(
            np.abs(before).sum(axis=1), np.abs(after).sum(axis=1)
        )
        # Only the first of neighbours, because without it the next may be a vertex.
        straight[1:] &= ~straight[:-1]
        if not straight.any():
            return kept
        kept = np.delete(kept, 1 + np.flatnonzero(straight))
