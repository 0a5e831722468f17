"""The two-stage program: counts of machines that are decided now, for the mean of all scenarios.

The mean worth of counts is concave and piecewise linear. Each evaluation gives, for every group of
scenarios, a linear function that is nowhere below it (a cut). The program of all cuts has an
optimum at or above the true one, so the gap to the best counts found is proven. New counts are the
optimum of the cuts near the best ones (Linderoth and Wright 2003); the search ends when the gap is
small.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.lp.program import Program
from core.model.arrays import FloatArray, IntArray
from core.model.budget import Cancelled, never
from core.model.tolerances import METHODS_AGREE, SAME_OPTIMUM, SOLVED_ZERO
from core.provision.plan import Plan
from core.provision.scenarios import Scenarios
from core.provision.second_stages import MachineWorth, SecondStages, Weights

_GROUPS: Final = 64
_ENOUGH: Final = 0.1
"""A step that gains less of what the cuts promise was too long."""
_AT_THE_EDGE: Final = 0.99


@dataclass(frozen=True, slots=True, eq=False)
class Purchase:
    """Machines to buy and to sell, and the counts that this leads to, by machine type."""

    buy: FloatArray
    sell: FloatArray
    counts: FloatArray
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The best purchase found for some scenarios. Nothing is better than `upper`."""

    purchase: Purchase
    lower: float
    upper: float
    worth: MachineWorth
    tries: int

    @property
    def gap(self) -> float:
        """What is unsettled, as a share of the upper bound."""
        return max(self.upper - self.lower, 0.0) / (abs(self.upper) or 1.0)


class FirstStage:
    """All that counts must keep whatever comes, as a program in what is bought and sold."""

    def __init__(
        self,
        plan: Plan,
        *,
        whole: bool = False,
        program: Program | None = None,
        of_counts: Sequence[tuple[IntArray, FloatArray]] = (),
    ) -> None:
        self.plan = plan
        self.program = program or Program(threads=1, mip_rel_gap=SAME_OPTIMUM)
        types, limits = len(plan.offers), plan.limits
        every = np.arange(types)
        change = self.program.add_rows(plan.counts, plan.counts)
        total = self.program.add_rows(limits.least_machines, limits.most_machines)
        budget = self.program.add_rows(-np.inf, limits.budget)
        power = self.program.add_rows(-np.inf, limits.power)

        def in_row(row: IntArray, values: FloatArray) -> tuple[IntArray, FloatArray]:
            return np.full(types, row[0]), values

        ones = np.ones(types)
        self.counts = self.program.add_columns(
            [
                (change[every], ones),
                in_row(total, ones),
                in_row(power, plan.idle_powers),
                *of_counts,
            ],
            lower=plan.least,
            upper=plan.most,
        )
        self.buy = self.program.add_columns(
            [(change[every], -ones), in_row(budget, plan.prices)], whole=whole
        )
        self.sell = self.program.add_columns(
            [(change[every], ones), in_row(budget, -plan.resales)],
            upper=plan.counts,
            whole=whole,
        )

    def purchase(self, values: FloatArray) -> Purchase:
        """What the columns say; machines of one type are not bought and sold at once."""
        change = values[self.buy] - values[self.sell]
        buy, sell = np.maximum(change, 0.0), np.maximum(-change, 0.0)
        cost = float(buy @ self.plan.prices - sell @ self.plan.resales)
        return Purchase(buy, sell, np.maximum(self.plan.counts + change, 0.0), cost)


class _Master(FirstStage):
    """The first stage with cuts: how much worth each group of scenarios adds at most."""

    def __init__(self, plan: Plan, weights: Weights, scale: float, *, whole: bool = False) -> None:
        super().__init__(plan, whole=whole)
        self.scale = scale
        own = np.hstack([self.buy, self.sell, self.counts])
        costs = np.hstack([plan.prices, -plan.resales]) * weights.cost
        self.own, self.costs = own, np.hstack([costs, plan.idle_powers * weights.power]) / scale
        self.groups = np.empty(0, np.int64)
        self._promise: IntArray | None = None
        self.program.set_options(
            primal_feasibility_tolerance=SOLVED_ZERO, dual_feasibility_tolerance=SOLVED_ZERO
        )

    def add(self, constants: FloatArray, slopes: FloatArray) -> None:
        """A cut for each group."""
        if not len(self.groups):
            nothing = np.empty((len(constants), 0))
            self.groups = self.program.add_columns(
                [(nothing.astype(np.int64), nothing)], lower=-np.inf
            )
        columns = np.hstack(
            [self.groups[:, None], np.broadcast_to(self.counts, (len(constants), len(self.counts)))]
        )
        values = np.hstack([np.ones((len(constants), 1)), -slopes / self.scale])
        self.program.add_cuts(columns, values, constants / self.scale)

    def best(
        self, near: FloatArray | None = None, radius: float = np.inf
    ) -> tuple[Purchase, float]:
        """The purchase that the cuts promise most of, and how much; perhaps only of those whose
        counts are near others. Raises `Infeasible`.
        """
        lower, upper = self.plan.least, self.plan.most
        if near is not None:
            lower, upper = np.maximum(lower, near - radius), np.minimum(upper, near + radius)
        self.program.set_column_bounds(self.counts, lower, upper)
        self.program.set_costs(self.groups, -np.ones(len(self.groups)))
        self.program.set_costs(self.own, self.costs)
        found = self.program.minimise(("off", "on"), feasible=False)
        return self.purchase(found.values), -found.objective * self.scale

    def cheapest(self, least: float) -> Purchase:
        """The purchase of least cost among those of which the cuts promise at least so much."""
        plan = self.plan
        if self._promise is None:
            entries = np.hstack([self.groups, self.own])
            values = np.hstack([-np.ones(len(self.groups)), self.costs])
            self._promise = self.program.add_cuts(entries[None], values[None], np.array([np.inf]))
        self.program.set_row_bounds(self._promise, -np.inf, -least / self.scale)
        self.program.set_column_bounds(self.counts, plan.least, plan.most)
        self.program.set_costs(self.groups, np.zeros(len(self.groups)))
        unit = float(np.abs(plan.prices).max()) or 1.0
        costs = np.hstack([plan.prices, -plan.resales, np.zeros(len(plan.offers))]) / unit
        self.program.set_costs(self.own, costs)
        found = self.program.minimise(("off", "on"), feasible=False)
        self.program.set_row_bounds(self._promise, -np.inf, np.inf)
        return self.purchase(found.values)


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    """A purchase and what it is worth, less what it costs and its idle machines draw."""

    purchase: Purchase
    value: float
    worth: MachineWorth


class _Search:
    """Purchases that were tried, the cuts that they gave, and the best of them."""

    def __init__(self, plan: Plan, scenarios: Scenarios, weights: Weights) -> None:
        self.plan, self.weights = plan, weights
        self.stages = SecondStages(plan, scenarios, weights)
        self.cuts: list[tuple[FloatArray, FloatArray]] = []
        self.best = first = self._tried(_first(plan))
        self.group = _alike(first.worth.values)
        self._cut(first.worth)
        self.tries = 1

    def look_at(self, purchase: Purchase) -> _Tried:
        """Try a purchase; it becomes the best if it is."""
        tried = self._tried(purchase)
        self._cut(tried.worth)
        self.tries += 1
        if tried.value > self.best.value:
            self.best = tried
        return tried

    def _tried(self, purchase: Purchase) -> _Tried:
        worth = self.stages.of(purchase.counts)
        idle = self.weights.power * float(self.plan.idle_powers @ purchase.counts)
        value = float(worth.values.mean()) - self.weights.cost * purchase.cost - idle
        return _Tried(purchase, value, worth)

    def _cut(self, worth: MachineWorth) -> None:
        count, groups = len(worth.values), int(self.group.max()) + 1
        constants = np.bincount(self.group, worth.constants, groups) / count
        slopes = [np.bincount(self.group, slope, groups) / count for slope in worth.slopes.T]
        self.cuts.append((constants, np.stack(slopes, axis=1)))


def decide(
    plan: Plan,
    scenarios: Scenarios,
    weights: Weights | None = None,
    *,
    gap: float = METHODS_AGREE,
    whole: bool = False,
    should_stop: Callable[[], bool] = never,
) -> Decision:
    """The best purchase for these scenarios, within `gap` of what is possible; of all that are, the
    cheapest. `whole` machines only, where asked. Raises `Infeasible`, and `Cancelled`.
    """
    weights = weights or Weights()
    search = _Search(plan, scenarios, weights)
    master = _Master(plan, weights, abs(search.best.value) or 1.0)
    upper = _climb(search, master, gap, should_stop)
    found = search.best
    if whole:
        found, upper = _whole(search, master, gap, should_stop)
    elif not weights.cost:
        found = _cheapest(search, master, gap, should_stop)
    return Decision(found.purchase, found.value, max(upper, found.value), found.worth, search.tries)


def _climb(search: _Search, master: _Master, gap: float, should_stop: Callable[[], bool]) -> float:
    """Find the best purchase; returns what no other exceeds."""
    upper = math.inf
    radius = float(search.best.purchase.counts.max()) or 1.0
    while True:
        if should_stop():
            raise Cancelled
        master.add(*search.cuts[-1])
        best, centre = search.best.value, search.best.purchase.counts
        purchase, promised = master.best(centre, radius)
        if promised - best <= gap * abs(best) / 2:
            purchase, promised = master.best()
            upper = min(upper, promised)
            if upper - best <= gap * abs(best):
                return upper
            radius = max(radius, float(np.abs(purchase.counts - centre).max()))
        tried = search.look_at(purchase)
        if tried.value - best < _ENOUGH * (promised - best):
            radius /= 2
        elif np.abs(purchase.counts - centre).max() >= radius * _AT_THE_EDGE:
            radius *= 2


def _cheapest(
    search: _Search, master: _Master, gap: float, should_stop: Callable[[], bool]
) -> _Tried:
    """The cheapest purchase that is as good as the best, within `gap`."""
    least = search.best.value - gap * abs(search.best.value)
    while True:
        if should_stop():
            raise Cancelled
        tried = search.look_at(master.cheapest(least))
        if tried.value >= least - gap * abs(least):
            return tried
        master.add(*search.cuts[-1])


def _whole(
    search: _Search, continuous: _Master, gap: float, should_stop: Callable[[], bool]
) -> tuple[_Tried, float]:
    """The best purchase of whole machines, and what no other exceeds."""
    master = _Master(search.plan, search.weights, continuous.scale, whole=True)
    for cut in search.cuts:
        master.add(*cut)
    best: _Tried | None = None
    while True:
        if should_stop():
            raise Cancelled
        purchase, promised = master.best()
        tried = search.look_at(purchase)
        if best is None or tried.value > best.value:
            best = tried
        if promised - best.value <= gap * abs(promised):
            return best, promised
        master.add(*search.cuts[-1])


def _first(plan: Plan) -> Purchase:
    """A purchase to begin with: the budget in equal parts, as far as limits allow."""
    stage = FirstStage(plan)
    most = stage.program.add_columns([(np.empty((1, 0), np.int64), np.empty((1, 0)))], -1.0)
    spend = np.divide(1.0, plan.prices, where=plan.prices > 0, out=np.zeros(len(plan.offers)))
    spend /= spend.max() or 1.0
    types = len(plan.offers)
    stage.program.add_cuts(
        np.hstack([np.full((types, 1), most[0]), stage.buy[:, None]]),
        np.hstack([spend[:, None], -np.ones((types, 1))]),
        np.zeros(types),
    )
    stage.program.set_column_bounds(most, 0.0, 1e9)
    return stage.purchase(stage.program.minimise(feasible=False).values)


def _alike(values: FloatArray) -> IntArray:
    """A group for each scenario, of those with similar values."""
    groups = min(_GROUPS, len(values))
    group = np.empty(len(values), np.int64)
    group[np.argsort(values, kind="stable")] = np.arange(len(values)) * groups // len(values)
    return group
