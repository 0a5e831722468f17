"""The exact front of the worst stretch against the energy, for tasks that can be split.

The energy is what tasks add to what machines draw idle, and the idle power of all machines from the
first release until the last task ends. For each worst stretch from the least one on, the front says
the least energy. Between two milestones, dates are linear in the stretch, so there the least energy
is convex and piecewise linear: its vertices are found by the point farthest below each chord. From
one milestone to the next the program changes, so at milestones the front may bend either way.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.fair_shares.epochs import Epochs, epochs_between
from core.capabilities.fair_shares.optimum import LeastStretch
from core.capabilities.fair_shares.plan import FluidPlan
from core.capabilities.fair_shares.routes import RouteProgram, RouteShares
from core.engines.lp.program import Infeasible, SolverFailed
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget, NoScheduleFound
from core.vocabulary.system import NoPowerData
from core.vocabulary.tolerances import CERTIFIED, NOT_DIVISIBLE, SAME, SUM_ROUNDING

_SHARES_INSIDE: Final = tuple(SUM_ROUNDING * 10.0**k for k in range(6))
"""Shares to try; the first that proves an edge is taken, on a steep edge a small one."""


@dataclass(frozen=True, eq=False)
class EnergyFront:
    """The least energy for each worst stretch from the least one on.

    `points` are its vertices, (stretch, joules), by rising stretch; the energy falls, or stays up
    to a milestone from which on it falls; in between it is linear. The first vertex has a billionth
    more than the least stretch, the last the least energy of all, unless the front is not
    `complete`. No schedule of the stretch of a vertex uses less than its `proven` joules, and
    `plans` have the vertices. Nowhere is the front above what is proven by more than the share
    `gap`. `programs` says how many linear programs were solved.
    """

    points: FloatArray
    proven: FloatArray
    plans: tuple[FluidPlan, ...]
    gap: float
    complete: bool
    programs: int

    @property
    def exact(self) -> bool:
        """Whether these are all the vertices, and the front is proven everywhere."""
        return self.complete and self.gap <= CERTIFIED

    def least_energy(self, stretch: float) -> float:
        """The least joules of a stretch; infinity below the first vertex."""
        stretches, joules = self.points.T
        return float(np.interp(stretch, stretches, joules, left=np.inf))


def energy_front(
    least: LeastStretch,
    budget: Budget | None = None,
    report: Callable[[float], None] | None = None,
) -> EnergyFront:
    """The front of bags whose least worst stretch is known, in multiples of the same baseline.

    `report` is told the stretch that is reached. If the budget ends before, the front is not
    complete. Raises `NoPowerData` for a system without APC, `SolverFailed`, and `NoScheduleFound`
    if the budget ends before there is a vertex.
    """
    if least.bags.system.apc is None:
        raise NoPowerData
    walk = _FrontWalk(least, budget or Budget())
    complete = True
    try:
        for reached in walk.intervals():
            if report is not None:
                report(reached)
    except NoScheduleFound:
        if not walk.edges:
            raise
        complete = False
    return walk.front(complete)


class _Vertex(NamedTuple):
    """A point of the front, and the optimum that it is from."""

    stretch: float
    joules: float
    shares: RouteShares


class _Edge(NamedTuple):
    """No schedule of a stretch uses less joules than on the line between these two points."""

    left: float
    left_joules: float
    right: float
    right_joules: float

    def at(self, stretch: float) -> float:
        """The joules that it proves for a stretch, since a smaller stretch needs no less."""
        if stretch > self.right:
            return -np.inf
        share = max(stretch - self.left, 0.0) / max(self.right - self.left, NOT_DIVISIBLE)
        return self.left_joules + share * (self.right_joules - self.left_joules)


class _FrontWalk:
    """Goes from the least stretch up, from milestone to milestone."""

    def __init__(self, least: LeastStretch, budget: Budget) -> None:
        self.bags, self.work, self.ideal = least.bags, least.bags.work, least.baseline
        self.least, self.program = least, RouteProgram(self.work, self.ideal, budget)
        self.vertices: list[_Vertex] = []
        self.edges: list[_Edge] = []

    def intervals(self) -> Iterator[float]:
        """Find the vertices; yields how far it has come."""
        orders = [*self._orders()]
        first, last = orders[0], orders[-1]
        self._add_routes(first, first.low)
        begin = self._lowest(first, first.low, first.low)
        end = self._lowest(last, last.low, np.inf)
        ends = FluidPlan.thrifty(self.bags, end.shares).ends
        released = self.bags.release[self.bags.present]
        suffices = float(((ends - released) / self.ideal).max())
        sizes = abs(begin.joules), abs(end.joules), self.work.idle_power * self.work.release.max()
        self.same = SAME * max(*sizes, NOT_DIVISIBLE)
        self.vertices = [begin]
        for epochs in orders:
            if self.vertices[-1].joules <= end.joules + self.same:
                break
            high = min(epochs.high, max(suffices, epochs.low))
            self._between(self.vertices[-1], self._lowest(epochs, high, high))
            yield high
        # No two dates meet later.
        far = 2 * max(suffices, last.low)
        least = self._bound(end, far)
        self.edges.append(_Edge(self.vertices[-1].stretch, least, far, least))

    def _orders(self) -> Iterator[Epochs]:
        """The orders of dates from the least stretch on, where the first begins."""
        low = self.least.stretch * (1 + SAME)
        ends = [*self.least.milestones.tolist(), np.inf]
        for begin, end in pairwise(ends):
            if end > low * (1 + SAME):
                yield epochs_between(self.work.release, self.ideal, max(begin, low), end)

    def _between(self, left: _Vertex, right: _Vertex) -> None:
        """Add the vertices from one to the other; the dates between them have one order."""
        chords = [(left, right)]
        while chords:
            left, right = chords.pop()
            saved, slower = left.joules - right.joules, right.stretch - left.stretch
            if saved <= self.same or slower <= SAME * right.stretch:
                self._add(right, self._level(right, left.stretch))
                continue
            edge = self._line(right, left, right)
            if self._above(edge, left, right) <= self.same:
                self._add(right, edge)
                continue
            weight = saved / slower
            lowest = self._lowest(right.shares.epochs, left.stretch, right.stretch, weight)
            below = left.joules - lowest.joules - weight * (lowest.stretch - left.stretch)
            apart = min(lowest.stretch - left.stretch, right.stretch - lowest.stretch)
            if below > self.same and apart > SAME * right.stretch:
                chords += [(lowest, right), (left, lowest)]
            else:
                self._add(right, self._line(lowest, left, right))

    def _add(self, vertex: _Vertex, edge: _Edge) -> None:
        """Add the next vertex, and what is proven before it."""
        self.vertices.append(vertex)
        self.edges.append(edge)

    def _level(self, of: _Vertex, left: float) -> _Edge:
        """What the prices of a vertex prove for its stretch, and so for smaller ones."""
        edges = []
        for share in _SHARES_INSIDE:
            right = max(of.stretch * (1 - share), left)
            bound = self._bound(of, right)
            edges.append(_Edge(left, bound, right, bound))
        return max(edges, key=lambda edge: edge.right_joules)

    def _line(self, of: _Vertex, left: _Vertex, right: _Vertex) -> _Edge:
        """What the prices of a vertex prove from one vertex to another: a line, as all dates
        between them are linear. Where dates meet, rounding may change their order, so the ends are
        a little inside.
        """
        edges = []
        for share in _SHARES_INSIDE:
            ends = left.stretch * (1 + share), right.stretch * (1 - share)
            bounds = [self._bound(of, stretch) for stretch in ends]
            edges.append(_Edge(ends[0], bounds[0], ends[1], bounds[1]))
            if self._above(edges[-1], left, right) <= self.same:
                break
        return min(edges, key=lambda edge: self._above(edge, left, right))

    def _above(self, edge: _Edge, left: _Vertex, right: _Vertex) -> float:
        """How many joules two vertices are above what is proven."""
        return max(left.joules - edge.left_joules, right.joules - edge.right_joules)

    def _lowest(self, epochs: Epochs, low: float, high: float, weight: float = 0.0) -> _Vertex:
        """Where joules + weight x stretch are least, from the stretch `low` to `high`."""
        program = self.program
        program.thrifty(epochs, low, high, weight)
        try:
            shares = program.solve(feasible=False)
        except (Infeasible, SolverFailed):
            self._add_routes(epochs, low)
            program.thrifty(epochs, low, high, weight)
            shares = program.solve()
        return _Vertex(shares.size, FluidPlan.thrifty(self.bags, shares).energy, shares)

    def _add_routes(self, epochs: Epochs, stretch: float) -> None:
        """Add routes that suffice for a stretch."""
        self.program.at(epochs, stretch)
        self.program.solve()

    def _bound(self, of: _Vertex, stretch: float) -> float:
        """What the prices of a vertex prove at a stretch."""
        prices, epochs = of.shares.prices, of.shares.epochs
        return prices.least_energy(self.work, self.ideal, epochs, stretch)

    def front(self, complete: bool) -> EnergyFront:
        """The front of the vertices that were found, without those on the line of two others."""
        kept = _bends(np.array([(one.stretch, one.joules) for one in self.vertices]), self.same)
        vertices = [self.vertices[at] for at in kept]
        points = np.array([(one.stretch, one.joules) for one in vertices])
        # What is possible at a smaller stretch is so at a larger one, whatever the rounding.
        points[:, 1] = np.minimum.accumulate(points[:, 1])
        edges = np.array(self.edges)
        joules = np.interp(edges[:, [0, 2]], *points.T)
        # What holds for a larger stretch holds for a smaller one.
        above = np.append(joules - edges[:, [1, 3]], joules[:-1, 1] - edges[1:, 1])
        proven = [max(edge.at(one.stretch) for edge in self.edges) for one in vertices]
        return EnergyFront(
            points,
            np.minimum(proven, points[:, 1]),
            tuple(FluidPlan.thrifty(self.bags, one.shares) for one in vertices),
            max(float(above.max()), 0.0) / (self.same / SAME),
            complete,
            self.program.solves,
        )


def _bends(points: FloatArray, same: float) -> list[int]:
    """The points that are not within `same` joules of the line between those that are kept, nor
    within that of a point before.
    """
    kept, at = [0], 0
    last = int(np.flatnonzero(points[:, 1] <= points[-1, 1] + same)[0])
    while at < last:
        further = at + 1
        while further < last and _is_straight(points[at : further + 2], same):
            further += 1
        at = further
        kept.append(at)
    return kept


def _is_straight(points: FloatArray, same: float) -> bool:
    """Whether all points are within `same` joules of the line from the first to the last."""
    line = np.interp(points[:, 0], points[[0, -1], 0], points[[0, -1], 1])
    return bool((np.abs(points[:, 1] - line) <= same).all())
