"""The best purchase for a goal: one objective, with limits on the means of others.

All that is possible is convex, since purchases can be mixed, and so can ways to run the tasks. So
the best is a mix of a few purchases that are each the best for some weights of the objectives
(Dantzig and Wolfe 1960). The program of all mixes has prices for the limits; the best purchase at
these prices bounds what is possible (Lagrange), and is the next one to mix.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.capabilities.provision.confidence import REPETITIONS, Sampling
from core.capabilities.provision.first_stage import Purchase, mixture
from core.capabilities.provision.futures.uncertainty import Scenarios
from core.capabilities.provision.goals.goal import Goal, ImpossibleGoal, signed
from core.capabilities.provision.objectives import (
    OBJECTIVES,
    PlanObjective,
    WeighedOptimum,
    best_for,
    run_thriftily,
    weights_of,
)
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.second_stages import SecondStages
from core.engines.lp.program import Program
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import never
from core.vocabulary.intervals import Interval
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.tolerances import METHODS_AGREE, SAME, SOLVED_ZERO, SOLVER

_FINER: Final = 10
"""The best purchase for weights is so much finer than the gap."""
_TIES: Final = 1e-3
"""How near to the cheapest of mixes that are as good the answer is."""
_STEP: Final = 0.01
"""Mix and bound that come nearer by a smaller share of the gap stand still, but for rounding."""
_IDLE: Final = 3
"""So often they may, before the search ends with the gap that there is."""


@dataclass(frozen=True, slots=True, eq=False)
class GoalDecision:
    """A purchase for a goal, as a mix: `parts` with their `shares`. `each` has the four objectives
    of each scenario, a line each. No purchase that keeps the limits has a better mean of the
    objective than `bound`.

    `prices`: by how much the mean of the objective gets better for one unit more of each limit.
    """

    goal: Goal
    purchase: Purchase
    parts: tuple[WeighedOptimum, ...]
    shares: FloatArray
    each: FloatArray
    bound: float
    prices: dict[PlanObjective, float]
    tries: int

    @property
    def means(self) -> dict[PlanObjective, float]:
        """The means of the objectives; power is NaN if the plan has no powers."""
        return dict(zip(OBJECTIVES, self.each.mean(axis=0).tolist(), strict=True))

    @property
    def value(self) -> float:
        """The mean of the objective."""
        return self.means[self.goal.objective]

    @property
    def gap(self) -> float:
        """What is unsettled, as a share of the bound."""
        objective = self.goal.objective
        off = signed(objective, self.value) - signed(objective, self.bound)
        return max(off, 0.0) / (abs(self.bound) or 1.0)


@dataclass(frozen=True, slots=True)
class GoalProgress:
    """How many purchases are known to mix, and the gap of the mix; None without any."""

    tries: int
    gap: float | None


def decide_goal(
    plan: Plan,
    scenarios: Scenarios,
    goal: Goal,
    *,
    gap: float = METHODS_AGREE,
    should_stop: Callable[[], bool] = never,
    report: Callable[[GoalProgress], None] | None = None,
) -> GoalDecision:
    """The best purchase for a goal, within `gap` of what is possible; of all that are, the
    cheapest, to a thousandth. `report` is told after every purchase that is found.

    Raises `Infeasible`, `ImpossibleGoal`, `Cancelled`, and `InvalidInput` if powers are needed and
    not known.
    """
    if "power" in (goal.objective, *goal.limits) and scenarios.powers is None:
        raise InvalidInput([Problem("apc", "", "", "is missing; power needs the watts of tasks")])
    mixes = _Mixes(plan, scenarios, gap, should_stop, report)
    kept: dict[PlanObjective, float] = {}
    for name, limit in goal.limits.items():
        most = signed(name, limit)
        best = mixes.best(name, kept, enough=most)
        if best.value > most + mixes.within(name, best.value):
            least = signed(name, best.bound)
            raise ImpossibleGoal(name, limit, least, tuple(kept))
        kept[name] = max(most, best.value)
    found = mixes.best(goal.objective, kept)
    bound, shares = mixes.settled(goal.objective, found), found.shares
    if goal.objective != "cost":
        as_good = found.value + mixes.within(goal.objective, found.value) / 4
        shares = mixes.best("cost", kept | {goal.objective: as_good}, gap=_TIES).shares
    used = np.flatnonzero(shares > SOLVED_ZERO)
    parts = tuple(mixes.parts[k] for k in used.tolist())
    mixed = shares[used] / shares[used].sum()
    purchase = mixture(plan, [part.purchase for part in parts], mixed)
    return GoalDecision(
        goal,
        purchase,
        parts,
        mixed,
        _mixed_objectives(purchase, mixed, [part.each for part in parts]),
        signed(goal.objective, bound),
        found.prices,
        len(mixes.parts),
    )


def on_fresh(plan: Plan, found: GoalDecision, sampling: Sampling) -> dict[PlanObjective, Interval]:
    """What the purchase leads to on `REPETITIONS` of fresh scenarios that it was not chosen
    for, where tasks are run by the same mix of prices: the means of the objectives.
    """
    means = np.array([on(plan, found, sampling.fresh(plan, k)) for k in range(REPETITIONS)])
    means = means.mean(axis=1)
    return {name: Interval.of(means[:, d]) for d, name in enumerate(OBJECTIVES)}


def on(plan: Plan, found: GoalDecision, scenarios: Scenarios) -> FloatArray:
    """The objectives of the purchase in other scenarios, a line each, where tasks are run by the
    same mix of prices.
    """
    each = [
        run_thriftily(SecondStages(plan, scenarios, weights_of(part.weights)), part.purchase)
        for part in found.parts
    ]
    return _mixed_objectives(found.purchase, found.shares, each)


def _mixed_objectives(purchase: Purchase, shares: FloatArray, each: list[FloatArray]) -> FloatArray:
    """The objectives of a mix, a line a scenario. What it costs is less than the mix of costs if
    one part buys what another sells.
    """
    mixed = np.einsum("p,pkd->kd", shares, np.array(each))
    mixed[:, OBJECTIVES.index("cost")] = purchase.cost
    return np.asarray(mixed)


@dataclass(frozen=True, slots=True, eq=False)
class _Mix:
    """The best mix for an objective: its value, a bound that is proven (both signed), the shares of
    all parts, and the prices of limits.
    """

    value: float
    bound: float
    shares: FloatArray
    prices: dict[PlanObjective, float]

    @property
    def gap(self) -> float | None:
        """What is unsettled, as a share of the bound; None if there is no bound yet."""
        if self.bound == -np.inf:
            return None
        return (self.value - self.bound) / (abs(self.bound) or 1.0)


class _Mixes:
    """Purchases that are the best for some weights, and the best mixes of them."""

    def __init__(
        self,
        plan: Plan,
        scenarios: Scenarios,
        gap: float,
        should_stop: Callable[[], bool],
        report: Callable[[GoalProgress], None] | None,
    ) -> None:
        self.plan, self.scenarios, self.gap = plan, scenarios, gap
        self.should_stop, self.report = should_stop, report
        self.parts: list[WeighedOptimum] = []

    def within(self, name: PlanObjective, value: float) -> float:
        """The gap as an amount of an objective, and no less than what solvers neglect."""
        return max(self.gap * abs(value), SOLVED_ZERO * self._scale(name))

    def settled(self, name: PlanObjective, mix: "_Mix") -> float:
        """The bound of a mix; its value where only what solvers neglect is between them."""
        nothing = SOLVED_ZERO * self._scale(name)
        return mix.value if mix.value - mix.bound <= nothing else mix.bound

    def best(
        self,
        name: PlanObjective,
        limits: Mapping[PlanObjective, float],
        *,
        enough: float = -np.inf,
        gap: float = 0.0,
    ) -> _Mix:
        """The best mix for an objective that keeps signed limits, which some mix must keep; or the
        first that is good `enough`. A `gap` above that of the search is enough, too.
        """
        bound = -np.inf if self.parts else self._add(name, {}, None).least
        before, idle = np.inf, 0
        while True:
            value, shares, prices = self._mixed(name, limits)
            mix = _Mix(value, min(bound, value), shares, prices)
            near = max(self.within(name, value), gap * abs(value))
            if value <= enough or value - bound <= near or idle == _IDLE:
                return mix
            part = self._add(name, prices, mix.gap)
            at_most = part.least - sum(price * limits[of] for of, price in prices.items())
            if at_most <= bound and self._is_known(part):
                return mix
            moved = max(before - value, at_most - bound)
            idle = 0 if moved > _STEP * near else idle + 1
            before, bound = value, max(bound, at_most)

    def _add(
        self, name: PlanObjective, prices: Mapping[PlanObjective, float], gap: float | None
    ) -> WeighedOptimum:
        """The best purchase at prices of limits; `gap` is that of the mix before it."""
        if self.report is not None:
            self.report(GoalProgress(len(self.parts), gap))
        weights = np.zeros(len(OBJECTIVES))
        for of, weight in {**prices, name: 1.0}.items():
            weights[OBJECTIVES.index(of)] = weight
        part = best_for(
            self.plan, self.scenarios, weights, gap=self.gap / _FINER, should_stop=self.should_stop
        )
        self.parts.append(part)
        return part

    def _mixed(
        self, name: PlanObjective, limits: Mapping[PlanObjective, float]
    ) -> tuple[float, FloatArray, dict[PlanObjective, float]]:
        """The best mix of the parts that are known: its value, its shares, and by how much a unit
        more of each limit would lower the value.
        """
        program = Program(
            threads=1, primal_feasibility_tolerance=SOLVER, dual_feasibility_tolerance=SOLVER
        )
        whole = program.add_rows(1.0, 1.0)
        scales = {of: self._scale(of) for of in (name, *limits)}
        count = len(self.parts)
        entries = [(np.full(count, whole[0]), np.ones(count))]
        rows: dict[PlanObjective, int] = {}
        for of, limit in limits.items():
            row = program.add_rows(-np.inf, limit / scales[of])
            rows[of] = int(row[0])
            entries.append((np.full(count, row[0]), self._means(of) / scales[of]))
        program.add_columns(entries, self._means(name) / scales[name])
        found = program.minimise(("off", "on"))
        prices = {
            of: max(-float(found.duals[row]), 0.0) * scales[name] / scales[of]
            for of, row in rows.items()
        }
        shares = np.maximum(found.values, 0.0)
        return float(self._means(name) @ shares), shares, prices

    def _means(self, name: PlanObjective) -> FloatArray:
        """The signed means of an objective, one for each part."""
        at = OBJECTIVES.index(name)
        return np.array([part.means[at] for part in self.parts])

    def _scale(self, name: PlanObjective) -> float:
        """The largest mean of an objective."""
        return float(np.abs(self._means(name)).max()) or 1.0

    def _is_known(self, part: WeighedOptimum) -> bool:
        """Whether the mixes have nothing to gain from the last part."""
        known = [np.nan_to_num(one.means) for one in self.parts[:-1]]
        scale = np.abs(known).max(axis=0)
        off = np.abs(np.array(known) - np.nan_to_num(part.means))
        return bool((off <= SAME * np.maximum(scale, SAME)).all(axis=1).any())
