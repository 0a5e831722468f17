"""An upper bound on profit that any prices prove.

Let a machine-second cost a price of each machine type, and a joule above idle power one more. At
these prices all that a second offers of machines and of power below the cap is worth so much, and
no schedule can earn more with it than that, and what its tasks are worth beyond their prices. Like
the certificate of `core.relaxed` this is weak duality; it needs no solver and no trust in one.
"""

from dataclasses import dataclass, replace

import numpy as np

from core.front.proven import Proven
from core.model.arrays import FloatArray
from core.model.system import System
from core.model.tolerances import SUM_ROUNDING
from core.profit.terms import Priced, Terms
from core.relaxed import met_bound


@dataclass(frozen=True, eq=False)
class PartOfBatch:
    """Only part of one batch need be run, within `period` seconds; `rewards[i]` is money for each
    task of type i that is.
    """

    rewards: FloatArray
    period: float


def proven_profit(
    system: System,
    terms: Terms,
    machine_prices: FloatArray,
    cap_price: float,
    part: PartOfBatch | None = None,
) -> float:
    """Money a second that no schedule earns more than, batch after batch, or with part of one
    batch.

    Any prices, 0 or more, money a busy machine-second and money a joule above idle power, prove
    something; only good ones prove a good bound.
    """
    counts = system.task_counts.astype(float)
    priced = np.where(system.can_run, terms.task_costs(system), np.inf)
    priced += np.where(system.can_run, system.etc, 0.0) * machine_prices
    priced += np.where(system.can_run, system.dynamic_energy, 0.0) * cap_price
    least = priced.min(axis=1)
    machines = float(system.machine_counts @ machine_prices)
    power = cap_price * terms.spare_power(system) if cap_price else 0.0
    standing = terms.standing_costs(system)
    if part is None:
        batches = 1 / met_bound(system)
        beyond = max(terms.revenue - float(counts @ least), 0.0)
        size = abs(terms.revenue) + float(counts @ np.abs(least))
    else:
        rewards = part.rewards
        batches = 1 / part.period
        beyond = terms.revenue + float(counts @ np.maximum(rewards - least, 0.0))
        size = abs(terms.revenue) + float(counts @ (np.abs(rewards) + np.abs(least)))
    margin = SUM_ROUNDING * (machines + power + batches * size + standing)
    return machines + power + batches * beyond - standing + margin


def money_at_cap(system: System, terms: Terms, cap_price: float) -> Priced:
    """The system with money in place of joules, what the cap leaves being paid for at a price."""
    dearer = terms.energy_price + cap_price / terms.pue
    return replace(terms, energy_price=dearer).money(system)


def most_with_whole_tasks(
    money: Proven, unit: float, system: System, terms: Terms, cap_price: float
) -> float:
    """Money a second that no schedule of whole tasks earns more than, batch after batch, by what is
    proven of money, in a unit, and makespan, `money_at_cap` being at this price.

    A batch begins no sooner than the makespan after the one before, and where it costs more than it
    brings, waiting is better; the cap leaves so many joules a second, each paid for.
    """
    most = max(unit * money.most_a_second(terms.revenue / unit), 0.0)
    power = cap_price * terms.spare_power(system) if cap_price else 0.0
    standing = terms.standing_costs(system)
    idle = unit * money.front.system.total_idle_power
    return most + power - standing + SUM_ROUNDING * (most + abs(power) + standing + idle)
