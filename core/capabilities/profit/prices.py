"""The exact prices at which the best schedule changes.

Without a power cap, the most profitable divisible schedule is a vertex of the front of money and
makespan for any price of a batch. So the vertices give the answer for all prices.
"""

from dataclasses import dataclass

import numpy as np

from core.capabilities.profit.terms import Terms
from core.engines.relaxed import trace_front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System


@dataclass(frozen=True, eq=False)
class PriceSteps:
    """The most profitable divisible schedules by the revenue of a batch.

    From `revenue[k]` on, up to the next step, the schedule with task costs `costs[k]` (money) and
    makespan `makespan[k]` (seconds) earns most. Below `revenue[0]` running nothing is best.
    `joules[k]` is the energy of that schedule without waiting. `standing_costs` are money a second,
    whatever runs.
    """

    revenue: FloatArray
    costs: FloatArray
    makespan: FloatArray
    joules: FloatArray
    standing_costs: float

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
    joules = np.concatenate([each.points(system)[:, 0] for each in placements if len(each)])
    return PriceSteps(
        np.append(costs[:1], changes),
        costs,
        makespan,
        joules,
        terms.standing_costs(system),
    )
