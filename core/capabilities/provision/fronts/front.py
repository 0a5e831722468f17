"""Trade-offs between two or three objectives of a plan, for the mean of all scenarios.

All that is possible is convex, since purchases can be mixed. So every weighing of objectives has
its optimum on the front, and the front of two is a chain of edges between such optima.
"""

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import HalfspaceIntersection

from core.capabilities.provision.confidence import ConfidenceRegion, confidence_region
from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.uncertainty import Scenarios
from core.capabilities.provision.objectives import OBJECTIVES, SIGNS, PlanObjective, best_for
from core.capabilities.provision.plan import Plan
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import never
from core.vocabulary.intervals import means_of_sets
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.tolerances import METHODS_AGREE, SIMPLEX_ZERO, SUM_ROUNDING

_FEWEST_LINES: Final = 3


def orthogonal_weighings(objectives: int, lines: int) -> FloatArray:
    """The points of a square grid in the plane of weights that sum to 1, around equal weights, that
    have no negative weight; and each objective alone.
    """
    basis = _basis(objectives)
    reach = math.sqrt(1 - 1 / objectives)
    grid = np.linspace(-reach, reach, lines)
    steps = np.array(list(product(grid, repeat=objectives - 1)))
    weights = 1 / objectives + steps @ basis
    alone = np.eye(objectives)
    kept = weights[(weights >= -SUM_ROUNDING).all(axis=1)]
    return np.vstack([alone, np.maximum(kept, 0.0)])


def lines_for(objectives: int, most: int) -> int:
    """The lines of the finest grid that has at most so many weighings, from 3 lines on."""
    lines = _FEWEST_LINES
    while len(orthogonal_weighings(objectives, lines + 1)) <= most:
        lines += 1
    return lines


def _basis(objectives: int) -> FloatArray:
    """Orthonormal directions, a line each, along which the sum of weights stays."""
    lines = np.zeros((objectives - 1, objectives))
    for k in range(objectives - 1):
        lines[k, : k + 1], lines[k, k + 1] = 1.0, -(k + 1.0)
    return np.asarray(lines / np.linalg.norm(lines, axis=1, keepdims=True))


def most_beyond(points: FloatArray, weighings: FloatArray, least: FloatArray) -> float:
    """The most by which any possible point is better than all mixes of `points` in all objectives
    at once. All objectives are to be small, and have about the same range.

    For each line of `weighings`, none of which is negative, no possible point weighs less than
    `least`. Each objective alone must be among the weighings, but for a small weight of the others.
    """
    outer = points.max(axis=0)
    # What is possible lies in a polyhedron. The distance is convex and grows towards small values,
    # so it is largest at a corner; a box makes the polyhedron end, and no corner of it counts.
    size = max(float(np.ptp(points, axis=0).max()), 1.0)
    box = np.hstack([np.eye(len(outer)), -(outer + 2 * size)[:, None]])
    sides = np.vstack([np.hstack([-weighings, least[:, None]]), box])
    corners = HalfspaceIntersection(sides, outer + size).intersections
    return max((_beyond(corner, points) for corner in corners), default=0.0)


def _beyond(corner: FloatArray, points: FloatArray) -> float:
    """By how much a corner is better than the nearest mix in all objectives; 0 if it is not."""
    count, objectives = points.shape
    costs = np.append(np.zeros(count), 1.0)
    rows = np.hstack([points.T, -np.ones((objectives, 1))])
    whole = np.append(np.ones(count), 0.0)[None]
    found = linprog(costs, rows, corner, whole, [1.0], [(0, None)] * (count + 1), method="highs")
    return float(found.x[-1])


GAP: Final = 1e-3
MOST_POINTS: Final = 40


@dataclass(frozen=True, slots=True, eq=False)
class FrontPoint:
    """A purchase that no other beats in all objectives, the means of its four objectives over the
    scenarios, and the unbiased covariance of so many independent `estimates` of these: of the
    scenarios, or of the means of sets where only sets are independent (`Scenarios.sets`).
    """

    purchase: Purchase
    objectives: FloatArray
    covariance: FloatArray
    estimates: int

    def region(self, names: Sequence[PlanObjective]) -> ConfidenceRegion:
        """Where the true means of these objectives are, with 95 % confidence."""
        at = [OBJECTIVES.index(name) for name in names]
        return confidence_region(
            self.objectives[at], self.covariance[np.ix_(at, at)], self.estimates
        )


@dataclass(frozen=True, slots=True, eq=False)
class ObjectiveFront:
    """The front of two or three objectives. The points of two are in the order of the first one,
    with edges between them.

    No purchase is further beyond all mixes of the points than `gap`, in all objectives at once, as
    a share of their `ranges`. Those of two objectives are the ranges of the points, where they are
    not less than a fiftieth of the sizes, or of the range of what is best in one objective alone.
    """

    names: tuple[PlanObjective, ...]
    points: tuple[FrontPoint, ...]
    gap: float
    ranges: FloatArray

    @property
    def chain(self) -> FloatArray:
        """The objectives of each point, a line each."""
        at = [OBJECTIVES.index(name) for name in self.names]
        return np.array([point.objectives[at] for point in self.points])


def front_of_two(
    plan: Plan,
    scenarios: Scenarios,
    names: tuple[PlanObjective, ...],
    *,
    gap: float = GAP,
    most: int = MOST_POINTS,
    should_stop: Callable[[], bool] = never,
    report: Callable[[Sequence[FrontPoint]], None] | None = None,
) -> ObjectiveFront:
    """The front of two objectives, to a gap that is proven, or as near as `most` points allow.

    Every vertex further than the gap from the line between its neighbours is found. `report` gets
    the points as they are found.

    Raises `Infeasible`, `Cancelled`, and `InvalidInput` if powers are needed and not known.
    """
    weigher = _Weigher(plan, scenarios, names, gap, should_stop)
    weigher.set_ranges([weigher.point(only) for only in np.eye(2)])
    ends = np.array([1.0, _HINT]), np.array([_HINT, 1.0])
    # What is best in one objective may be far worse in the other than what is as good.
    weigher.narrow_ranges([weigher.point(end) for end in ends])
    corners = [weigher.corner(end) for end in ends]
    chain, left = _refined(weigher, corners, gap, most, report)
    kept = _without_ends(_without_ends(chain, 0, gap)[::-1], 1, gap)
    first = int(weigher.at[0])
    ordered = sorted(
        (corner.point for corner in kept), key=lambda point: float(point.objectives[first])
    )
    return ObjectiveFront(names, tuple(ordered), left, weigher.ranges)


def feasible_region(
    plan: Plan,
    scenarios: Scenarios,
    names: tuple[PlanObjective, ...],
    *,
    gap: float = GAP,
    most: int = MOST_POINTS,
    should_stop: Callable[[], bool] = never,
) -> FloatArray:
    """Corners of all that is possible in the plane of two objectives, in order around it.

    Raises `Infeasible`, `Cancelled`, and `InvalidInput` if it has no end, or if one of the
    objectives is the cost: money can always be wasted.
    """
    if "cost" in names:
        raise InvalidInput([Problem("plan", "", "", "money can always be wasted; take two others")])
    _refuse_endless(plan)
    weigher = _Weigher(plan, scenarios, names, gap, should_stop)
    sides = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    weigher.set_ranges([weigher.point(side) for side in sides])
    corners = [weigher.corner(side) for side in sides]
    chain, _ = _refined(weigher, [*corners, corners[0]], gap, most, None)
    return np.array([corner.point.objectives[weigher.at] for corner in chain])


def front_of_three(
    plan: Plan,
    scenarios: Scenarios,
    names: tuple[PlanObjective, ...],
    *,
    lines: int = 11,
    gap: float = GAP,
    should_stop: Callable[[], bool] = never,
    report: Callable[[Sequence[FrontPoint]], None] | None = None,
) -> ObjectiveFront:
    """Points of the front of three objectives: the optima of weighings that are evenly spread
    (`orthogonal_weighings`, from a grid of so many lines), each to `gap`, without those that are
    the same.

    Raises as `front_of_two` does.
    """
    weigher = _Weigher(plan, scenarios, names, gap, should_stop)
    weigher.set_ranges([weigher.point(only) for only in np.eye(3)])
    corners: list[_Corner] = []
    found: list[FrontPoint] = []
    for weighing in orthogonal_weighings(3, lines):
        corner = weigher.corner(np.maximum(weighing, _HINT))
        corners.append(corner)
        if not any(weigher.are_same(corner.point, other) for other in found):
            found.append(corner.point)
            if report is not None:
                report(found)
    weighings = np.array([corner.weighing for corner in corners])
    least = [float(corner.weighing @ corner.at) - corner.slack for corner in corners]
    values = np.array([weigher.of(point) for point in found])
    beyond = most_beyond(values, weighings, np.array(least))
    return ObjectiveFront(names, tuple(found), beyond, weigher.ranges)


_FINER: Final = 100
"""An optimum is so much finer than the front."""
_LEAST_RANGE: Final = 2 / _FINER
"""As shares of smaller ranges, optima would not be finer than the front: they are found to a share
of what they weigh.
"""
_FAILURES: Final = OBJECTIVES.index("failures")
_HINT: Final = 1e-4
"""What an objective counts that only decides between equals."""


@dataclass(frozen=True, slots=True, eq=False)
class _Corner:
    """An optimum: nothing is beyond the line through `at` across the direction `weighing`, but by
    `slack`. All in shares of the ranges.
    """

    point: FrontPoint
    at: FloatArray
    weighing: FloatArray
    slack: float


class _Weigher:
    """Optima of weighings of some objectives, which are shares of their ranges."""

    def __init__(
        self,
        plan: Plan,
        scenarios: Scenarios,
        names: Sequence[PlanObjective],
        gap: float,
        should_stop: Callable[[], bool],
    ) -> None:
        if "power" in names and scenarios.powers is None:
            said = "is missing; power needs the watts of tasks"
            raise InvalidInput([Problem("apc", "", "", said)])
        self.plan, self.scenarios, self.should_stop = plan, scenarios, should_stop
        self.at = np.array([OBJECTIVES.index(name) for name in names])
        self.ranges = np.ones(len(names))
        self.gap = gap / _FINER

    def set_ranges(self, points: Sequence[FrontPoint]) -> None:
        """Let the ranges be those of these points."""
        found = np.array([point.objectives[self.at] for point in points])
        ranges = found.max(axis=0) - found.min(axis=0)
        scale = np.abs(found).max(axis=0)
        sizes = np.abs([point.objectives for point in points])
        # What the solver leaves of a type is as coarse as all that there is, now or in a point.
        there = np.max([self.plan.counts, *(one.purchase.counts for one in points)], axis=0)
        sizes[:, _FAILURES] = self.plan.failure_rates @ there
        some = np.maximum(METHODS_AGREE * sizes[:, self.at].max(axis=0), SIMPLEX_ZERO)
        self.ranges = np.where(ranges > some, ranges, np.maximum(scale, 1.0))

    def narrow_ranges(self, points: Sequence[FrontPoint]) -> None:
        """Let ranges be those of these points, if less, but no small share of what they are."""
        found = np.array([point.objectives[self.at] for point in points])
        least = _LEAST_RANGE * np.maximum(self.ranges, np.abs(found).max(axis=0))
        self.ranges = np.minimum(self.ranges, np.maximum(np.ptp(found, axis=0), least))

    def point(self, weighing: FloatArray) -> FrontPoint:
        """The optimum of a weighing."""
        return self.corner(weighing).point

    def corner(self, weighing: FloatArray) -> _Corner:
        weights = np.zeros(len(OBJECTIVES))
        weights[self.at] = weighing / self.ranges
        found = best_for(
            self.plan, self.scenarios, weights, gap=self.gap, should_stop=self.should_stop
        )
        estimates = means_of_sets(found.each, self.scenarios.sets)
        covariance = np.cov(estimates.T) if len(estimates) > 1 else np.zeros((4, 4))
        means = found.each.mean(axis=0)
        point = FrontPoint(found.purchase, means, covariance, len(estimates))
        return _Corner(point, self.of(point), weighing, found.slack)

    def of(self, point: FrontPoint) -> FloatArray:
        """Its objectives as shares of the ranges, all to be small."""
        return np.asarray((SIGNS * point.objectives)[self.at] / self.ranges)

    def are_same(self, one: FrontPoint, other: FrontPoint) -> bool:
        return bool(np.abs(self.of(one) - self.of(other)).max() <= METHODS_AGREE)


def _refined(
    weigher: _Weigher,
    corners: Sequence[_Corner],
    gap: float,
    most: int,
    report: Callable[[Sequence[FrontPoint]], None] | None,
) -> tuple[list[_Corner], float]:
    """Corners between those given, until no edge can be further off than the gap; and what it is.
    The edge that can be furthest off comes first.
    """
    following: dict[int, _Corner] = {}
    waiting: list[tuple[float, int, _Corner, _Corner]] = []
    number = 0

    def add(one: _Corner, other: _Corner) -> None:
        nonlocal number
        number += 1
        heapq.heappush(waiting, (-_height(one, other), number, one, other))

    for one, other in pairwise(corners):
        following[id(one)] = other
        add(one, other)
    found = len(corners)
    while waiting and -waiting[0][0] > gap and found < most:
        _, _, one, other = heapq.heappop(waiting)
        across = _across(one.at, other.at)
        if across is None:
            continue
        corner = weigher.corner(across)
        if across @ (one.at - corner.at) + corner.slack <= gap:
            continue
        following[id(one)], following[id(corner)] = corner, other
        found += 1
        add(one, corner)
        add(corner, other)
        if report is not None:
            report([one.point for one in _in_order(corners[0], following)])
    left = max((-height for height, *_ in waiting), default=0.0)
    return _in_order(corners[0], following), max(left, gap)


def _without_ends(chain: list[_Corner], objective: int, gap: float) -> list[_Corner]:
    """The chain without first corners that are as good as the next one in an objective, and worse
    in the other.
    """
    start = 0
    while (
        start < len(chain) - 1
        and chain[start + 1].at[objective] - chain[start].at[objective] <= gap
    ):
        start += 1
    return chain[start:]


def _in_order(first: _Corner, following: dict[int, _Corner]) -> list[_Corner]:
    """The corners along the chain, each once."""
    chain = [first]
    while (after := following.get(id(chain[-1]))) is not None and after is not first:
        chain.append(after)
    return [one for k, one in enumerate(chain) if not k or (one.at != chain[k - 1].at).any()]


def _across(one: FloatArray, other: FloatArray) -> FloatArray | None:
    """The direction across the edge between two points, of length 1; None if they are one."""
    edge = other - one
    length = math.hypot(*edge)
    return None if length <= METHODS_AGREE else np.array([-edge[1], edge[0]]) / length


def _height(one: _Corner, other: _Corner) -> float:
    """How far beyond the edge of two corners anything can be: the lines of both meet there."""
    across = _across(one.at, other.at)
    if across is None:
        return 0.0
    lines = np.array([one.weighing, other.weighing])
    least = np.array([c.weighing @ c.at - c.slack for c in (one, other)])
    if abs(np.linalg.det(lines)) <= METHODS_AGREE:
        return math.inf
    return max(float(across @ (one.at - np.linalg.solve(lines, least))), 0.0)


def _refuse_endless(plan: Plan) -> None:
    """Raise `InvalidInput` if machines that cost nothing have no limit."""
    if plan.limits.most_machines < math.inf:
        return
    free = [offer for offer in plan.offers if not offer.price and offer.most == math.inf]
    if free:
        said = (
            "costs nothing and has no limit, so what is possible has no end; give max, or a price"
        )
        raise InvalidInput([Problem("machines", offer.name, "max", said) for offer in free])
