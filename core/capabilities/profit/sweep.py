"""The upper bound on profit for whole tasks; over a range of one quantity; and at every price of a
batch, with the exact prices at which the best schedule changes.

Without a power cap, the most profitable divisible schedule is a vertex of the front of money and
makespan for any price of a batch. So the vertices give the answer for all prices.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from core.capabilities.profit.program import CapTooLow, ProfitBound, most_profit, placed_total
from core.capabilities.profit.proof import money_at_cap, most_with_whole_tasks
from core.capabilities.profit.settings import USUAL_RATIOS
from core.capabilities.profit.terms import Terms
from core.engines.front.proven import Proven
from core.engines.recover.settling import Settled
from core.engines.relaxed import Front, trace_front
from core.engines.relaxed.whole import are_few
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME


def most_of(bound: ProfitBound, system: System, by_money: Settled | None = None) -> float:
    """An upper bound on profit in money a second. `by_money` settles the system with money in place
    of joules and power under the cap at its price.
    """
    most = bound.value
    if by_money is not None or are_few(system):
        most = min(most, _most_at_cap_price(bound, system, bound.cap_price, by_money))
    if bound.cap_price and are_few(system):
        # Any price of the cap proves a bound. That of the divisible optimum may be too high for
        # whole tasks, which may not reach the cap.
        most = min(most, _most_at_cap_price(bound, system, 0.0))
    return most


def _most_at_cap_price(
    bound: ProfitBound, system: System, cap_price: float, by_money: Settled | None = None
) -> float:
    money = money_at_cap(system, bound.terms, cap_price)
    proven = Proven.of(trace_front(money.system), settled=by_money)
    return most_with_whole_tasks(proven, money.unit, system, bound.terms, cap_price)


def most_at_prices(
    divisible: FloatArray, prices: FloatArray, system: System, terms: Terms
) -> FloatArray:
    """The same without a cap, at each price of a batch; `divisible` is the bound there."""
    if not are_few(system):
        return divisible
    money = terms.money(system)
    proven = Proven.of(trace_front(money.system))
    whole = [
        most_with_whole_tasks(proven, money.unit, system, replace(terms, price=price), 0.0)
        for price in prices.tolist()
    ]
    return np.minimum(divisible, whole)


SweptQuantity = Literal["price", "energy price", "power cap", "idle power"]

_VARIED: Final[dict[SweptQuantity, Callable[[System, Terms, float], tuple[System, Terms]]]] = {
    "price": lambda system, terms, value: (system, replace(terms, price=value)),
    "energy price": lambda system, terms, value: (system, replace(terms, energy_price=value)),
    "power cap": lambda system, terms, value: (system, replace(terms, power_cap=value)),
    "idle power": lambda system, terms, value: (system.with_idle_fraction(value), terms),
}


def sweep(
    system: System, terms: Terms, quantity: SweptQuantity, values: Sequence[float]
) -> list[ProfitBound | None]:
    """The bound on profit at each value; None where the cap cannot be kept.

    Prices are money for a batch and for a joule, the cap is in watts, idle power is a fraction of
    the mean.
    """
    return [_bound(*_VARIED[quantity](system, terms, value)) for value in values]


def most_swept(
    system: System, terms: Terms, quantity: SweptQuantity, values: Sequence[float]
) -> FloatArray:
    """The bound for whole tasks at each value (money a second); NaN if the cap cannot be kept."""
    varied = [_VARIED[quantity](system, terms, value) for value in values]
    bounds = [_bound(*each) for each in varied]
    return np.array(
        [
            math.nan if bound is None else most_of(bound, changed)
            for bound, (changed, _) in zip(bounds, varied, strict=True)
        ]
    )


def _bound(system: System, terms: Terms) -> ProfitBound | None:
    try:
        return most_profit(system, terms)
    except CapTooLow:
        return None


@dataclass(frozen=True, eq=False)
class PriceSteps:
    """The most profitable divisible schedules by the revenue of a batch.

    From `revenue[k]` on, up to the next step, the schedule with task costs `costs[k]` (money) and
    makespan `makespan[k]` (seconds) earns most. Below `revenue[0]` running nothing is best.
    `joules[k]` is the energy of that schedule without waiting. `standing_costs` are money a second,
    whatever runs. `exact`: no divisible schedule earns more at any revenue. `capped_break_even` is
    `break_even` under the power cap, and the same as that without a cap.
    """

    revenue: FloatArray
    costs: FloatArray
    makespan: FloatArray
    joules: FloatArray
    standing_costs: float
    exact: bool
    capped_break_even: float

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
        """The revenue of a batch above which the best schedule makes a profit, without a cap."""
        return _break_even(self.costs, self.makespan, self.standing_costs)


def _break_even(costs: FloatArray, makespan: FloatArray, standing_costs: float) -> float:
    return float((costs + standing_costs * makespan).min())


_MOST_SOLVES: Final = 60
_RAISED: Final = 8.0
"""Where nothing runs yet, the price is raised by this factor."""


def _capped_break_even(system: System, terms: Terms, revenue: float) -> float:
    """The least revenue of a batch with which some divisible schedule loses nothing under the cap,
    which is at least `revenue`, that without it; infinity if no schedule keeps the cap.
    """
    if math.isinf(terms.power_cap):
        return revenue
    at, even = max(abs(revenue), SAME), math.inf
    # From above: what earns most at a price breaks even at a lower one, until nothing earns more.
    for _ in range(_MOST_SOLVES):
        bound = _bound(system, replace(terms, price=max(at, 0.0), overhead=max(-at, 0.0)))
        if bound is None or (even < math.inf and not bound.runs):
            break
        if not bound.runs:
            at *= _RAISED
            continue
        found = at - bound.value / bound.rate
        if even - found <= SAME * abs(found):
            break
        at = even = found
    return max(even, revenue)


def price_steps(system: System, terms: Terms) -> PriceSteps:
    """All steps on these terms, without the price, and but for `capped_break_even` without the cap.
    Raises `NoPowerData` without APC.
    """
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
    standing = terms.standing_costs(system)
    return PriceSteps(
        np.maximum.accumulate(np.append(costs[:1], changes)),
        costs,
        makespan,
        joules,
        standing,
        front.exact and costs[0] <= least + SAME * np.abs(costs).max(),
        _capped_break_even(system, terms, _break_even(costs, makespan, standing)),
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
