"""How much energy may be spent, and when: windows of time with a budget each."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.replay.workload import Horizon
from core.vocabulary.arrays import FloatArray

DAY_SECONDS: Final = 86_400.0


@dataclass(frozen=True)
class EnergyWindows:
    """`joules[w]` may be spent from `edges[w]` to `edges[w + 1]` (s). Energy of a job that runs
    over an edge is divided by time between the two windows. What is spent elsewhere is free.
    """

    edges: FloatArray
    joules: FloatArray

    def __post_init__(self) -> None:
        if len(self.edges) != len(self.joules) + 1 or not (np.diff(self.edges) > 0).all():
            raise ValueError("windows need rising edges, one more than budgets")
        if not (self.joules >= 0).all():
            raise ValueError("a budget of energy is at least 0 J")

    @classmethod
    def without_limit(cls, horizon: Horizon) -> "EnergyWindows":
        return cls.daily(horizon, math.inf)

    @classmethod
    def daily(cls, horizon: Horizon, joules: float) -> "EnergyWindows":
        """So many joules for each day of 24 h from the begin of the horizon on; before it and on
        an unfinished last day, the share of the budget that these hours are of a day. If the
        horizon has no end, the budget of one day is the budget of all.
        """
        edges = [0.0] if horizon.begin > 0 else []
        if math.isinf(horizon.end):
            edges += [horizon.begin, math.inf]
        else:
            edges += [*np.arange(horizon.begin, horizon.end, DAY_SECONDS), horizon.end]
        lengths = np.minimum(np.diff(edges), DAY_SECONDS)
        shares = np.where(np.isinf(joules), np.inf, joules * lengths / DAY_SECONDS)
        return cls(np.array(edges), shares)
