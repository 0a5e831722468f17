"""The first stage of a plan: what is bought and sold, whatever comes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.capabilities.provision.plan import Plan
from core.engines.lp.program import Infeasible, Program, ProgramSolution, SolverFailed
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import SAME_OPTIMUM, SOLVED_ZERO, WHOLE

_PRESOLVE: Final = {False: ("off", "on"), True: ("on", "off")}
"""In parts, first from the last basis, which presolve would forget; whole ones cannot use it."""


@dataclass(frozen=True, slots=True, eq=False)
class Purchase:
    """Machines to buy and to sell, and the counts that this leads to, by machine type. Of one type
    some are bought and others sold only where rules ask for it.
    """

    buy: FloatArray
    sell: FloatArray
    counts: FloatArray
    cost: float


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
        self.plan, self.whole = plan, whole
        self.program = program or Program(
            threads=1,
            mip_rel_gap=SAME_OPTIMUM,
            mip_abs_gap=SOLVED_ZERO,
            mip_feasibility_tolerance=WHOLE,
        )
        types, limits = len(plan.offers), plan.limits
        every = np.arange(types)
        change = self.program.add_rows(plan.counts, plan.counts)
        self.total = self.program.add_rows(limits.least_machines, limits.most_machines)
        self.budget = self.program.add_rows(-np.inf, limits.budget)
        self.power = self.program.add_rows(-np.inf, limits.power)

        def in_row(row: IntArray, values: FloatArray) -> tuple[IntArray, FloatArray]:
            return np.full(types, row[0]), values

        ones = np.ones(types)
        self.counts = self.program.add_columns(
            [
                (change[every], ones),
                in_row(self.total, ones),
                in_row(self.power, plan.idle_powers),
                *of_counts,
            ],
            lower=plan.least,
            upper=plan.most,
            whole=whole & (plan.counts % 1 == 0),
        )
        self.buy = self.program.add_columns(
            [(change[every], -ones), in_row(self.budget, plan.prices)], whole=whole
        )
        self.sell = self.program.add_columns(
            [(change[every], ones), in_row(self.budget, -plan.resales)],
            upper=plan.counts,
            whole=whole,
        )
        self.rules = self._add_rules()

    def _add_rules(self) -> IntArray:
        rules = self.plan.rules
        if not rules:
            return np.empty(0, np.int64)
        rows = [np.hstack([rule.of_buy, rule.of_sell, rule.of_counts]) for rule in rules]
        own = np.hstack([self.buy, self.sell, self.counts])
        most = np.array([rule.most for rule in rules])
        columns = np.broadcast_to(own, (len(rows), len(own)))
        return self.program.add_cuts(columns, np.array(rows), most)

    def minimum(self) -> ProgramSolution:
        """The optimum of the program. Raises `Infeasible`."""
        return self.program.minimise(_PRESOLVE[self.whole], feasible=False)

    def purchase(self, values: FloatArray) -> Purchase:
        """What the columns say, in whole numbers where machines are whole."""
        buy, sell = values[self.buy], values[self.sell]
        if self.whole:  # those of a solver are not quite whole
            buy, sell = buy.round(), sell.round()
        return _netted(self.plan, buy, sell, whole=self.whole)

    def cheapest(self) -> Purchase:
        """The purchase of least cost, and of these, the one that buys and sells the fewest
        machines. Raises `Infeasible`.

        What else the program minimised is forgotten; all of its rows hold.
        """
        plan, program, types = self.plan, self.program, len(self.plan.offers)
        own = np.hstack([self.buy, self.sell])
        unit = float(np.abs(plan.prices).max()) or 1.0
        program.set_costs(self.counts, np.zeros(types))
        program.set_costs(own, np.hstack([plan.prices, -plan.resales]) / unit)
        found = self.purchase(self.minimum().values)
        near = WHOLE * (abs(found.cost) + unit) if self.whole else 0.0
        most = min(found.cost + near, plan.limits.budget)
        program.set_row_bounds(self.budget, -np.inf, most)
        program.set_costs(own, np.full(2 * types, 1 / (float(found.counts.max()) or 1.0)))
        try:
            return self.purchase(self.minimum().values)
        except (Infeasible, SolverFailed):  # by rounding; it is as cheap as any
            return found
        finally:
            program.set_row_bounds(self.budget, -np.inf, plan.limits.budget)


def keeps_limits(plan: Plan, purchase: Purchase) -> bool:
    """Whether a purchase keeps all that it must keep whatever comes."""
    stage = FirstStage(plan)
    stage.program.set_column_bounds(stage.buy, purchase.buy, purchase.buy)
    stage.program.set_column_bounds(stage.sell, purchase.sell, purchase.sell)
    try:
        stage.minimum()
    except Infeasible:
        return False
    return True


def nothing_bought(plan: Plan) -> Purchase:
    """The machines that there are."""
    none = np.zeros(len(plan.offers))
    return Purchase(none, none, plan.counts, 0.0)


def mixture(plan: Plan, purchases: Sequence[Purchase], shares: FloatArray) -> Purchase:
    """A purchase between others. It keeps all limits that they all keep, and its means of
    objectives are at least as good as the same mix of theirs.
    """
    buy = shares @ np.array([one.buy for one in purchases])
    sell = shares @ np.array([one.sell for one in purchases])
    return _netted(plan, buy, sell)


def even_purchase(plan: Plan) -> Purchase:
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


def _netted(plan: Plan, buy: FloatArray, sell: FloatArray, *, whole: bool = False) -> Purchase:
    """A purchase that leads to the same counts. Machines of one type are bought and sold at once
    only as far as rules ask for it.
    """
    buy, sell = np.maximum(buy, 0.0), np.maximum(sell, 0.0)
    for j in np.flatnonzero(np.minimum(buy, sell)):
        both = float(min(buy[j], sell[j]))
        for rule in plan.rules:
            each = rule.of_buy[j] + rule.of_sell[j]
            if each < 0:
                counts = plan.counts + buy - sell
                said = rule.of_buy @ buy + rule.of_sell @ sell + rule.of_counts @ counts
                both = min(both, max(float((said - rule.most) / each), 0.0))
        both = math.floor(both + WHOLE) if whole else both
        buy[j], sell[j] = buy[j] - both, sell[j] - both
    cost = float(buy @ plan.prices - sell @ plan.resales)
    return Purchase(buy, sell, np.maximum(plan.counts + buy - sell, 0.0), cost)
