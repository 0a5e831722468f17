"""The publication's examples of plans, as far as it prints them.

E1 is printed as a whole. Of E2 and E3 there are only the times: prices, rewards, arrival rates and
powers are missing. `like_e3` has those times, and prices and rates of ours.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.model.arrays import FloatArray
from core.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.provision.scenarios import Scenarios
from core.provision.second_stages import Weights
from core.provision.uncertainty import Points, Uncertainty, Variation, draw
from core.samples.named import E1_SECONDS, E3_SECONDS

E1_BUDGET: Final = 3.5
E1_SPREADS: Final = (1.0, 0.547)
"""Half the width of the uniform law of each rate, whose mean is 1."""

E3_BUDGET: Final = 400_000.0
E3_COV: Final = 0.25
"""Of rates, and of the times on each machine type."""
E3_WEIGHTS: Final = Weights(cost=1e-7)
"""Our reading of "a small positive constant" for the cost of machines."""

# Drawn once, in shares of each other; scaled so that 100 M8 carry the mean load.
_DEMAND: Final = np.array(
    [
        [1.273956, 0.938878, 1.358598, 1.197368, 0.594177],
        [1.475622, 1.261140, 1.286064, 0.628114, 0.950386],
    ]
).ravel()
_PRICES: Final = (1596, 2976, 1382, 2089, 2199, 3566, 2969, 2747, 3350)


def e1(budget: float = E1_BUDGET) -> Plan:
    """Two task types on three machine types of price 1; rates and rewards are 1."""
    return _plan(E1_SECONDS, (1.0, 1.0), (1.0, 1.0, 1.0), budget)


def e1_scenarios(count: int, seed: int) -> Scenarios:
    """Independent draws, all of the first rate before those of the second."""
    points = np.random.default_rng(seed).random((2, count)).T
    return Scenarios(1 + np.array(E1_SPREADS) * (2 * points - 1), E1_SECONDS[None])


def like_e3() -> Plan:
    """The times of E3, with rewards of 1; prices near those that the published purchases imply."""
    rates = _DEMAND * 100 / float(_DEMAND @ E3_SECONDS[:, 7])
    return _plan(E3_SECONDS, rates.tolist(), _PRICES, E3_BUDGET)


def e3_scenarios(
    plan: Plan, count: int, seed: int = 0, points: Points = "independent"
) -> Scenarios:
    """Rates, and the times of each machine type, vary by a quarter."""
    spread = Variation(E3_COV)
    return draw(plan, Uncertainty(arrivals=spread, times=spread), count, seed, points)


def _plan(
    seconds: FloatArray, rates: Sequence[float], prices: Sequence[float], budget: float
) -> Plan:
    return Plan(
        tuple(TaskDemand(f"T{i + 1}", 1.0, rate) for i, rate in enumerate(rates)),
        tuple(MachineOffer(f"M{j + 1}", float(price)) for j, price in enumerate(prices)),
        seconds,
        PlanLimits(budget),
    )
