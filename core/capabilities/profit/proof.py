"""An upper bound on profit, proven by weak duality from any prices.

Let each machine-second have a price, and each joule above idle power, too. At these prices, the
machines and the power under the cap have a value for each second. No schedule earns more than that
value plus what its tasks earn beyond their prices. Like the certificate of `core.engines.relaxed`,
this proof needs no solver.
"""

from dataclasses import dataclass, replace

import numpy as np

from core.capabilities.profit.terms import Priced, Terms
from core.engines.front.proven import Proven
from core.engines.relaxed import met_bound
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System
from core.vocabulary.tolerances import SUM_ROUNDING


@dataclass(frozen=True, eq=False)
class PartOfBatch:
    """Part of one batch, to be run within `period` seconds; `rewards[i]` is money for each task of
    type i that is run.
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
    """An upper bound on profit in money a second, for batch after batch or for part of one batch.

    Any prices of at least 0, in money a busy machine-second and money a joule above idle power,
    prove a bound; good prices prove a good one.
    """
    # A type of which there are no tasks may run nowhere.
    there = system.task_counts > 0
    counts, runs = system.task_counts[there].astype(float), system.can_run[there]
    priced = np.where(runs, terms.task_costs(system)[there], np.inf)
    priced += np.where(runs, system.etc[there], 0.0) * machine_prices
    priced += np.where(runs, system.dynamic_energy[there], 0.0) * cap_price
    least = priced.min(axis=1)
    machines = float(system.machine_counts @ machine_prices)
    power = cap_price * terms.spare_power(system) if cap_price else 0.0
    standing = terms.standing_costs(system)
    if part is None:
        batches = 1 / met_bound(system)
        beyond = max(terms.revenue - float(counts @ least), 0.0)
        size = abs(terms.revenue) + float(counts @ np.abs(least))
    else:
        rewards = part.rewards[there]
        batches = 1 / part.period
        beyond = terms.revenue + float(counts @ np.maximum(rewards - least, 0.0))
        size = abs(terms.revenue) + float(counts @ (np.abs(rewards) + np.abs(least)))
    margin = SUM_ROUNDING * (machines + power + batches * size + standing)
    return machines + power + batches * beyond - standing + margin


def money_at_cap(system: System, terms: Terms, cap_price: float) -> Priced:
    """The system with money in place of joules, in which power under the cap has a price."""
    dearer = terms.energy_price + cap_price / terms.pue
    return replace(terms, energy_price=dearer).money(system)


def most_with_whole_tasks(
    money: Proven, unit: float, system: System, terms: Terms, cap_price: float
) -> float:
    """An upper bound on profit, in money a second, for batches of whole tasks, by what is proven of
    money and makespan for the system of `money_at_cap` at this price.

    The next batch begins at the earliest after the makespan, and later if it costs more than it
    brings. The joules that the cap allows each second are worth their price.
    """
    most = max(unit * money.most_a_second(terms.revenue / unit), 0.0)
    power = cap_price * terms.spare_power(system) if cap_price else 0.0
    standing = terms.standing_costs(system)
    idle = unit * money.front.system.total_idle_power
    return most + power - standing + SUM_ROUNDING * (most + abs(power) + standing + idle)
