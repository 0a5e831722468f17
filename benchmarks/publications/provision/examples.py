"""The publication's examples of plans, as far as it prints them.

E1 is printed as a whole. Of E2 and E3 there are only the times: prices, rewards, arrival rates and
powers are missing. `like_e2` and `like_e3` have those times, and ours of what is missing.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from scipy.optimize import linprog
from scipy.stats import t as student

from benchmarks.samples import E1_SECONDS, E3_SECONDS
from core.capabilities.provision.futures.uncertainty import (
    LEAST_FACTOR,
    Points,
    Scenarios,
    Uncertainty,
    Variation,
    draw,
)
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.capabilities.provision.second_stages import Weights
from core.engines.operations.factors import Operations
from core.vocabulary.arrays import FloatArray

E1_BUDGET: Final = 3.5
E1_SPREADS: Final = (1.0, 0.547)
"""Half the width of the uniform law of each rate, whose mean is 1."""

E2_PURCHASE: Final = (10.0, 26.9, 11.5, 0.0, -6.7)
"""What the publication's two-stage program buys and sells (table 5.4)."""
_E2_HELD: Final = 10.0
"""Machines of the last type that there are at the start."""
# In shares of the budget. Those of M1, M2 and M3, and what an M5 brings, follow from table 5.4 if
# all plans spend all; the others are ours, dear enough for the choice of the second rule of thumb.
_E2_PRICES: Final = (0.03145, 0.01486, 0.0301, 0.01, 0.0182)
_E2_RESALE: Final = 0.0091
E2_LOAD: Final = 2.0
"""How many times the load that the published purchase can carry arrives."""

E3_BUDGET: Final = 400_000.0
E3_COV: Final = 0.25
"""The coefficient of variation of rates, and of the times on each machine type."""
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


def like_e2(operations: Operations, load: float = E2_LOAD) -> Plan:
    """Times that two kinds of operations give, nearly those of E2, and its ten M5.

    All task types arrive and earn so that each brings the same share of work and of reward.
    """
    seconds = operations.times
    fastest = seconds.min(axis=1)
    held = np.append(np.zeros(len(_E2_PRICES) - 1), _E2_HELD)
    share = load * _carried(seconds, 1 / fastest, held + E2_PURCHASE)
    plan = _plan(seconds, (share / fastest).tolist(), _E2_PRICES, 1.0)
    last = replace(plan.offers[-1], count=_E2_HELD, resale=_E2_RESALE)
    demands = [replace(d, reward=r) for d, r in zip(plan.demands, fastest.tolist(), strict=True)]
    return replace(plan, demands=tuple(demands), offers=(*plan.offers[:-1], last))


def _carried(seconds: FloatArray, rates: FloatArray, counts: FloatArray) -> float:
    """The largest multiple of these rates that the counts can serve."""
    tasks, types = seconds.shape
    served = np.kron(np.eye(tasks), np.ones(types)) / seconds.ravel()
    rows = np.block(
        [
            [-served, rates[:, None]],
            [np.tile(np.eye(types), tasks), np.zeros((types, 1))],
        ]
    )
    right = np.concatenate([np.zeros(tasks), counts])
    return -float(linprog(np.append(np.zeros(served.shape[1]), -1.0), rows, right).fun)


def e2_scenarios(plan: Plan, operations: Operations, count: int, seed: int) -> Scenarios:
    """Rates, operations a task, and seconds an operation are uniform from 0 to twice the mean."""
    random = np.random.default_rng(seed)
    all_vary = Variation(1.0)

    def drawn(mean: FloatArray) -> FloatArray:
        points = random.random((count, *mean.shape))
        return np.asarray(mean * np.maximum(all_vary.factors(points), LEAST_FACTOR))

    rates = drawn(plan.arrival_rates)
    return Scenarios(rates, drawn(operations.per_task) @ drawn(operations.per_machine))


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


NAMES: Final[Mapping[str, str]] = {
    "h1": "H1",
    "h2": "H2",
    "h3": "H3",
    "mvp": "MVP",
    "rp": "RP",
    "ws": "WS",
}
"""What the publication calls the ways to choose."""


def by_method(said: Mapping[str, str]) -> str:
    """What is said of each."""
    return "; ".join(f"{NAMES[method]}: {text}" for method, text in said.items())


def machines(counts: Sequence[float] | FloatArray, digits: int = 1) -> str:
    """Numbers of machines in the order of their types; none is 0."""
    texts = (f"{round(float(n), digits) + 0.0:.{digits}f}" for n in counts)
    return ", ".join("0" if float(text) == 0 else text for text in texts)


def half_width_share(values: FloatArray) -> float:
    """Half of the one-sided interval of a mean with 95 % confidence, as a share of it."""
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return float(student.ppf(0.95, len(values) - 1)) * error / float(values.mean())
