"""The exact prices at which the best schedule changes, and the profit at every price of a batch.

Without a power cap, the most profitable divisible schedule is a vertex of the front of money and
makespan for any price of a batch. So the vertices give the answer for all prices.
"""

import math
from dataclasses import dataclass

import numpy as np

from core.capabilities.profit.program import placed_total
from core.capabilities.profit.settings import USUAL_RATIOS
from core.capabilities.profit.sweep import most_at_prices, most_swept
from core.capabilities.profit.terms import Terms
from core.engines.relaxed import Front, trace_front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME


@dataclass(frozen=True, eq=False)
class PriceSteps:
    """The most profitable divisible schedules by the revenue of a batch.

    From `revenue[k]` on, up to the next step, the schedule with task costs `costs[k]` (money) and
    makespan `makespan[k]` (seconds) earns most. Below `revenue[0]` running nothing is best.
    `joules[k]` is the energy of that schedule without waiting. `standing_costs` are money a second,
    whatever runs. `exact`: no divisible schedule earns more at any revenue.
    """

    revenue: FloatArray
    costs: FloatArray
    makespan: FloatArray
    joules: FloatArray
    standing_costs: float
    exact: bool

    def most_profit(self, revenue: FloatArray) -> FloatArray:
        """Money a second at each of these revenues of a batch."""
        step = np.searchsorted(self.revenue, revenue, side="right") - 1
        running = (revenue - self.costs[step]) / self.makespan[step]
        return np.where(step >= 0, running, 0.0) - self.standing_costs

    @property
    def thriftiest_from(self) -> float:
        """The revenue of a batch from which the thriftiest of these schedules earns most."""
        return float(self.revenue[self.joules.argmin()])

    @property
    def fastest_from(self) -> float:
        """The revenue of a batch from which the fastest schedule earns most."""
        return float(self.revenue[-1])

    @property
    def break_even(self) -> float:
        """The revenue of a batch above which the best schedule makes a profit."""
        return float((self.costs + self.standing_costs * self.makespan).min())


def price_steps(system: System, terms: Terms) -> PriceSteps:
    """All steps on these terms, without price and cap. Raises `NoPowerData` without APC."""
    money = terms.money(system)
    front = trace_front(money.system)
    points = np.concatenate([front.slower, front.points])
    makespan = points[:, 1]
    costs = money.unit * (points[:, 0] - money.system.total_idle_power * makespan)
    across = np.diff(makespan)
    changes = (makespan[:-1] * costs[1:] - makespan[1:] * costs[:-1]) / -across
    placements = (front.slower_placements, front.placements)
    each = money.system.dynamic_energy[:, system.machine_counts > 0].min(axis=1)
    least = money.unit * placed_total(system.task_counts, each)
    joules = np.concatenate([each.points(system)[:, 0] for each in placements if len(each)])
    return PriceSteps(
        np.maximum.accumulate(np.append(costs[:1], changes)),
        costs,
        makespan,
        joules,
        terms.standing_costs(system),
        front.exact and costs[0] <= least + SAME * np.abs(costs).max(),
    )


_EXACT = 271
_CAPPED = 28


@dataclass(frozen=True, eq=False)
class ProfitCurve:
    """Money a second at each price of a batch: the upper bound for any schedule, and the best
    divisible schedule on the front, but at most the upper bound; NaN where no schedule keeps the
    cap. `steps` ignores the cap.
    """

    prices: FloatArray
    at_most: FloatArray
    on_front: FloatArray
    steps: PriceSteps


def price_range(unit_price: float, price: float) -> tuple[float, float]:
    """The range of prices of a batch that covers the usual ratios and this price."""
    return min(USUAL_RATIOS.low * unit_price, price), max(USUAL_RATIOS.high * unit_price, price)


def curve(system: System, terms: Terms, front: Front, ends: tuple[float, float]) -> ProfitCurve:
    """The curve between two prices of a batch, not that in `terms`; exact without a cap."""
    steps = price_steps(system, terms)
    costs, makespan = _within_cap(system, terms, front)
    if math.isinf(terms.power_cap) and steps.exact:
        changes = steps.revenue + terms.overhead
        inside = changes[(changes > ends[0]) & (changes < ends[1])]
        prices = np.union1d(np.linspace(*ends, _EXACT), inside)
        divisible = steps.most_profit(prices - terms.overhead)
        at_most = most_at_prices(divisible, prices, system, terms)
    else:
        prices = np.linspace(*ends, _CAPPED)
        at_most = most_swept(system, terms, "price", prices.tolist())
    on_front = np.full(len(prices), math.nan)
    if len(makespan):
        earned = (prices[:, None] - terms.overhead - costs) / makespan
        best = earned.max(axis=1) - steps.standing_costs
        on_front = np.where(best > at_most, at_most, best)
    return ProfitCurve(prices, at_most, on_front, steps)


def _within_cap(system: System, terms: Terms, front: Front) -> tuple[FloatArray, FloatArray]:
    """Task costs and makespans of the vertices of the front that keep the cap, the slowest first,
    and of the point where the cap cuts the front.
    """
    money = terms.money(system)
    points = front.placements.points(money.system)
    costs = money.unit * (points[:, 0] - money.system.total_idle_power * points[:, 1])
    spare = terms.cap * front.makespan - front.energy
    keeps = int(np.argmax(spare < 0)) if (spare < 0).any() else len(front)
    rows = np.column_stack([costs, front.makespan])
    if 0 < keeps < len(front):
        way = spare[keeps - 1] / (spare[keeps - 1] - spare[keeps])
        cut = (1 - way) * rows[keeps - 1] + way * rows[keeps]
        return np.append(rows[:keeps, 0], cut[0]), np.append(rows[:keeps, 1], cut[1])
    return rows[:keeps, 0], rows[:keeps, 1]
