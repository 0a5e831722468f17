"""The two-stage program: counts of machines that are decided now, for the mean of all scenarios.

The mean worth of counts is concave and piecewise linear. Each evaluation gives, for every group of
scenarios, a linear function that is nowhere below it (a cut). The program of all cuts has an
optimum at or above the true one, so the gap to the best counts found is proven. New counts are the
optimum of the cuts near the best ones (Linderoth and Wright 2003); the search ends when the gap is
small.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from core.capabilities.provision.first_stage import FirstStage, Purchase, even_purchase
from core.capabilities.provision.futures.uncertainty import Scenarios
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.second_stages import MachineWorth, SecondStages, Weights
from core.engines.lp.program import Infeasible
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Cancelled, never
from core.vocabulary.tolerances import METHODS_AGREE, SOLVED_ZERO

_GROUPS: Final = 64
_ENOUGH: Final = 0.1
"""A step that gains less of what the cuts promise was too long."""
_AT_THE_EDGE: Final = 0.99
_SAMPLE: Final = 500
"""With many scenarios, a sample of about this size is solved first."""
_WORTH_A_SAMPLE: Final = 4
_OF_SAMPLE: Final = 10
"""How much coarser a sample is decided."""
_NEAR: Final = 0.05
"""How far from its purchase the best one is looked for at first, as a share of the counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The best purchase found for some scenarios. Nothing is better than `upper`. `in_parts` is the
    best value if machines need not be whole, where whole ones were asked for.
    """

    purchase: Purchase
    lower: float
    upper: float
    tries: int
    in_parts: float | None = field(default=None, kw_only=True)

    @property
    def gap(self) -> float:
        """What is unsettled, as a share of the upper bound."""
        return max(self.upper - self.lower, 0.0) / (abs(self.upper) or 1.0)

    @property
    def price_of_whole(self) -> float:
        """What is lost because machines are whole; 0 if they need not be."""
        return 0.0 if self.in_parts is None else max(self.in_parts - self.lower, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class FullDecision(Decision):
    """A decision, the second stages of its scenarios, and the worth of machines there."""

    stages: SecondStages
    worth: MachineWorth

    @property
    def slim(self) -> Decision:
        """Without what is large."""
        return Decision(self.purchase, self.lower, self.upper, self.tries, in_parts=self.in_parts)


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """How far a search is: its tries, the best value found, and what none exceeds."""

    tries: int
    lower: float
    upper: float


class _Master(FirstStage):
    """The first stage with cuts: what each group of scenarios, and the worst ones, add at most."""

    def __init__(self, search: "_Search", *, whole: bool = False) -> None:
        plan, weights, self.scale = search.plan, search.weights, search.stages.scale
        super().__init__(plan, whole=whole)
        own = np.hstack([self.buy, self.sell, self.counts])
        costs = np.hstack([plan.prices, -plan.resales]) * weights.cost
        self.own, self.costs = own, np.hstack([costs, plan.idle_powers * weights.power])
        self.costs /= self.scale
        self.shares, self.most = search.shares, search.most
        self.promises = np.empty(0, np.int64)
        self._promise: IntArray | None = None
        self.program.set_options(
            primal_feasibility_tolerance=SOLVED_ZERO, dual_feasibility_tolerance=SOLVED_ZERO
        )

    def add(self, cut: "_Cut") -> None:
        """The cuts of a try."""
        if not len(self.promises):
            nothing = np.empty((len(self.shares), 0))
            self.promises = self.program.add_columns(
                [(nothing.astype(np.int64), nothing)], lower=-np.inf, upper=self.most
            )
        count = len(cut.constants)
        known = self.promises[:count, None]
        threshold = np.broadcast_to(self.promises[-1:], (count, 1))
        columns = [known, np.broadcast_to(self.counts, (count, len(self.counts)))]
        values = [np.ones((count, 1)), -cut.slopes / self.scale]
        if cut.of_threshold.any():
            columns.append(threshold)
            values.append(cut.of_threshold[:, None])
        self.program.add_cuts(np.hstack(columns), np.hstack(values), cut.constants / self.scale)

    def best(
        self, near: FloatArray | None = None, radius: float = np.inf
    ) -> tuple[Purchase, float]:
        """The purchase that the cuts promise most of, and what they promise of none more; perhaps
        only of those whose counts are near others. Raises `Infeasible`.
        """
        lower, upper = self.plan.least, self.plan.most
        if near is not None:
            lower, upper = np.maximum(lower, near - radius), np.minimum(upper, near + radius)
        self.program.set_column_bounds(self.counts, lower, upper)
        self.program.set_costs(self.promises, -self.shares)
        self.program.set_costs(self.own, self.costs)
        found = self.minimum()
        return self.purchase(found.values), -found.bound * self.scale

    def cheapest_of(self, least: float) -> Purchase:
        """The purchase of least cost, then of fewest machines, among those of which the cuts
        promise at least so much. Raises `Infeasible`.
        """
        if self._promise is None:
            entries = np.hstack([self.promises, self.own])
            values = np.hstack([-self.shares, self.costs])
            self._promise = self.program.add_cuts(entries[None], values[None], np.array([np.inf]))
        self.program.set_row_bounds(self._promise, -np.inf, -least / self.scale)
        self.program.set_column_bounds(self.counts, self.plan.least, self.plan.most)
        self.program.set_costs(self.promises, 0 * self.shares)
        try:
            return self.cheapest()
        finally:
            self.program.set_row_bounds(self._promise, -np.inf, np.inf)


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    """A purchase and what it is worth, less what it costs and its idle machines draw."""

    purchase: Purchase
    value: float
    worth: MachineWorth


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """Promise k is at most `constants + slopes @ counts - of_threshold * threshold`."""

    constants: FloatArray
    slopes: FloatArray
    of_threshold: FloatArray


class _Search:
    """Purchases that were tried, the cuts that they gave, and the best of them."""

    def __init__(self, plan: Plan, scenarios: Scenarios, weights: Weights, first: Purchase) -> None:
        self.plan, self.weights = plan, weights
        self.stages = SecondStages(plan, scenarios, weights)
        self.cuts: list[_Cut] = []
        self.best = self._tried(first)
        worth = self.best.worth
        self.group = _alike(worth.values)
        self.groups = int(self.group.max()) + 1
        caution, alike = weights.caution, np.ones(self.groups)
        means, shorts = (1 - caution) * alike, caution / weights.worst * alike
        # What one unit of each promise counts, and how much it can be: the means of groups; how far
        # those of the worst are below a threshold; the threshold itself.
        self.shares = np.hstack([means[: self.of_means], shorts[: self.of_worst]])
        self.most = np.where(np.arange(len(self.shares)) < self.of_means, np.inf, 0.0)
        if caution:
            self.shares = np.append(self.shares, caution)
            self.most = np.append(self.most, np.inf)
        self._cut(worth)
        self._seen = {self._key(first)}

    def look_at(self, purchase: Purchase) -> _Tried:
        """Try a purchase; it becomes the best if it is."""
        tried = self._tried(purchase)
        if not self.was_tried(purchase):
            self._cut(tried.worth)
            self._seen.add(self._key(purchase))
        if tried.value > self.best.value:
            self.best = tried
        return tried

    @property
    def of_means(self) -> int:
        """Promises of the means of groups."""
        return self.groups if self.weights.caution < 1 else 0

    @property
    def of_worst(self) -> int:
        """Promises of what groups have among the worst."""
        return self.groups if self.weights.caution else 0

    @property
    def tries(self) -> int:
        return len(self.cuts)

    def was_tried(self, purchase: Purchase) -> bool:
        """Whether another try would teach nothing: cuts are tight where they were made."""
        return self._key(purchase) in self._seen

    def _key(self, purchase: Purchase) -> tuple[bytes, float]:
        """What tells purchases apart: counts, and where it is weighed, the cost."""
        return purchase.counts.tobytes(), purchase.cost if self.weights.cost else 0.0

    def within(self, gap: float, value: float) -> float:
        """A share of a value, and no less than what solvers neglect."""
        return max(gap * abs(value), SOLVED_ZERO * self.stages.scale)

    def _tried(self, purchase: Purchase) -> _Tried:
        worth = self.stages.of(purchase.counts)
        return _Tried(purchase, self.stages.aim(purchase, worth), worth)

    def _cut(self, worth: MachineWorth) -> None:
        functions = np.hstack([worth.constants[:, None], worth.slopes])
        means, of_threshold = np.empty((0, functions.shape[1])), np.zeros(self.of_means)
        if self.of_means:
            means = self._sums(functions)
        if self.of_worst:
            # The mean of the worst is the most, over thresholds, of the threshold less the mean of
            # what scenarios are below it, divided by the share of the worst.
            # Of the last of the worst, only a part counts: so the cut is tight.
            worst = self.weights.of_worst(worth.values)
            worst /= worst.max()
            means = np.vstack([means, self._sums(functions * worst[:, None])])
            of_threshold = np.append(of_threshold, self._sums(worst[:, None])[:, 0])
        self.cuts.append(_Cut(means[:, 0], means[:, 1:], of_threshold))

    def _sums(self, functions: FloatArray) -> FloatArray:
        """The sum of each group, a line each, as shares of all scenarios."""
        sums = [np.bincount(self.group, column, self.groups) for column in functions.T]
        return np.stack(sums, axis=1) / len(functions)


def decide(
    plan: Plan,
    scenarios: Scenarios,
    weights: Weights | None = None,
    *,
    gap: float = METHODS_AGREE,
    whole: bool = False,
    should_stop: Callable[[], bool] = never,
    report: Callable[[SearchProgress], None] | None = None,
) -> FullDecision:
    """The best purchase for these scenarios, within `gap` of what is possible; of all that are, the
    cheapest, and of these, the one that buys and sells the fewest machines, unless cost is weighed
    (`Weights.cost`). `whole` machines only, where asked. `report` is told after every try.

    Raises `Infeasible`, and `Cancelled`.
    """
    weights = weights or Weights()
    first, radius = _begun(plan, scenarios, weights, gap, should_stop)
    search = _Search(plan, scenarios, weights, first)

    def go_on(upper: float) -> None:
        if report is not None:
            report(SearchProgress(search.tries, search.best.value, upper))
        if should_stop():
            raise Cancelled

    master = _Master(search)
    # Half of the gap is for the search, and half for the cheapest of what is as good.
    upper = _climb(search, master, gap / 2, radius, go_on)
    found, in_parts = search.best, None
    if whole:
        in_parts = found.value
        master = _Master(search, whole=True)
        if gap > METHODS_AGREE:  # a coarse answer is to be there soon; its bound is proven, too
            master.program.set_options(mip_rel_gap=gap / 4)
        found, upper = _whole(search, master, gap / 2, go_on)
    if not search.weights.cost:
        found = _cheapest(search, master, found, gap / 4, go_on)
    upper = max(upper, found.value)
    return FullDecision(
        found.purchase,
        found.value,
        upper,
        search.tries,
        search.stages,
        found.worth,
        in_parts=in_parts,
    )


def _begun(
    plan: Plan, scenarios: Scenarios, weights: Weights, gap: float, should_stop: Callable[[], bool]
) -> tuple[Purchase, float]:
    """A purchase to begin with, and how far from it the best one is looked for at first."""
    step = len(scenarios) // _SAMPLE
    if step < _WORTH_A_SAMPLE:
        return even_purchase(plan), math.inf
    # A purchase for some scenarios is nearly the best for all.
    sample = scenarios.part(0, len(scenarios), max(step // _WORTH_A_SAMPLE, 2))
    first = decide(plan, sample, weights, gap=_OF_SAMPLE * gap, should_stop=should_stop).purchase
    return first, _NEAR * float(first.counts.max())


def _climb(
    search: _Search, master: _Master, gap: float, radius: float, go_on: Callable[[float], None]
) -> float:
    """Find the best purchase, at first within a radius; returns what no other exceeds."""
    upper = math.inf
    if not 0 < radius < math.inf:
        radius = float(search.best.purchase.counts.max()) or 1.0
    while True:
        go_on(upper)
        master.add(search.cuts[-1])
        best, centre = search.best.value, search.best.purchase.counts
        purchase, promised = master.best(centre, radius)
        if promised - best <= search.within(gap / 2, best) or search.was_tried(purchase):
            purchase, promised = master.best()
            upper = min(upper, promised)
            if upper - best <= search.within(gap, best) or search.was_tried(purchase):
                return upper
            radius = max(radius, float(np.abs(purchase.counts - centre).max()))
        tried = search.look_at(purchase)
        if tried.value - best < _ENOUGH * (promised - best):
            radius /= 2
        elif np.abs(purchase.counts - centre).max() >= radius * _AT_THE_EDGE:
            radius *= 2


def _whole(
    search: _Search, master: _Master, gap: float, go_on: Callable[[float], None]
) -> tuple[_Tried, float]:
    """The best purchase of whole machines, and what no other exceeds. What the search in parts has
    tried may be the best one, too: its cuts promise no more of it than it is worth.
    """
    for cut in search.cuts[:-1]:
        master.add(cut)
    best: _Tried | None = None
    upper = math.inf
    while True:
        master.add(search.cuts[-1])
        purchase, promised = master.best()
        known = search.was_tried(purchase)
        tried = search.look_at(purchase)
        if best is None or tried.value > best.value:
            best = tried
        upper = min(upper, promised)
        go_on(upper)
        if known or upper - best.value <= search.within(gap, best.value):
            return best, max(upper, best.value)


def _cheapest(
    search: _Search, master: _Master, best: _Tried, gap: float, go_on: Callable[[float], None]
) -> _Tried:
    """The cheapest purchase that is as good as the best, within `gap`."""
    least = best.value - search.within(gap, best.value)
    while True:
        master.add(search.cuts[-1])
        try:
            purchase = master.cheapest_of(least)
        except Infeasible:  # by rounding: the best keeps all cuts
            return best
        known = search.was_tried(purchase)
        tried = search.look_at(purchase)
        if tried.value >= least - search.within(gap, least):
            return tried
        if known:
            return best
        go_on(best.value)


def _alike(values: FloatArray) -> IntArray:
    """A group for each scenario, of those with similar values."""
    groups = min(_GROUPS, len(values))
    group = np.empty(len(values), np.int64)
    group[np.argsort(values, kind="stable")] = np.arange(len(values)) * groups // len(values)
    return group
