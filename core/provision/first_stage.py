"""The first stage of a plan: what is bought and sold, whatever comes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.lp.program import Infeasible, Program
from core.model.arrays import FloatArray, IntArray
from core.model.tolerances import SAME_OPTIMUM, WHOLE
from core.provision.plan import Plan

PRESOLVE: Final = ("off", "on")
"""First from the basis of the last solve, which presolve would forget."""


@dataclass(frozen=True, slots=True, eq=False)
class Purchase:
    """Machines to buy and to sell, and the counts that this leads to, by machine type."""

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
        self.program = program or Program(threads=1, mip_rel_gap=SAME_OPTIMUM)
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
        )
        self.buy = self.program.add_columns(
            [(change[every], -ones), in_row(self.budget, plan.prices)], whole=whole
        )
        self.sell = self.program.add_columns(
            [(change[every], ones), in_row(self.budget, -plan.resales)],
            upper=plan.counts,
            whole=whole,
        )

        self.rules = np.empty(0, np.int64)
        if plan.rules:
            rows = [np.hstack([rule.of_buy, rule.of_sell, rule.of_counts]) for rule in plan.rules]
            own = np.hstack([self.buy, self.sell, self.counts])
            most = np.array([rule.most for rule in plan.rules])
            columns = np.broadcast_to(own, (len(rows), len(own)))
            self.rules = self.program.add_cuts(columns, np.array(rows), most)

    def purchase(self, values: FloatArray) -> Purchase:
        """What the columns say; machines of one type are not bought and sold at once."""
        change = values[self.buy] - values[self.sell]
        buy, sell = np.maximum(change, 0.0), np.maximum(-change, 0.0)
        cost = float(buy @ self.plan.prices - sell @ self.plan.resales)
        return Purchase(buy, sell, np.maximum(self.plan.counts + change, 0.0), cost)

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
        found = self.purchase(program.minimise(PRESOLVE, feasible=False).values)
        # Whole numbers of a solver are not quite whole.
        near = WHOLE * (abs(found.cost) + unit) if self.whole else 0.0
        most = min(found.cost + near, plan.limits.budget)
        program.set_row_bounds(self.budget, -np.inf, most)
        program.set_costs(own, np.full(2 * types, 1 / (float(found.counts.max()) or 1.0)))
        try:
            return self.purchase(program.minimise(PRESOLVE, feasible=False).values)
        except Infeasible:  # by rounding
            return found
        finally:
            program.set_row_bounds(self.budget, -np.inf, plan.limits.budget)


def mixture(plan: Plan, purchases: Sequence[Purchase], shares: FloatArray) -> Purchase:
    """A purchase between others. It keeps all limits that they all keep, and its means of
    objectives are at least as good as the same mix of theirs.
    """
    change = shares @ np.array([one.buy - one.sell for one in purchases])
    buy, sell = np.maximum(change, 0.0), np.maximum(-change, 0.0)
    cost = float(buy @ plan.prices - sell @ plan.resales)
    return Purchase(buy, sell, np.maximum(plan.counts + change, 0.0), cost)


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
