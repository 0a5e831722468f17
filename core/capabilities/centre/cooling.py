"""The cheapest cooling of a day whose servers are known, by dynamic programming.

Temperatures are rounded up to a grid. A room that is warmer stays warmer under the same cooling, so
what keeps the limit on the grid keeps it in truth.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.capabilities.centre.centre import SPEEDS
from core.capabilities.centre.day import CentreDay
from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import BoolArray, FloatArray

OFF: Final = 0
COMPRESSOR: Final = len(SPEEDS) + 1
"""Ways to cool in a step, by number: none, the fan at one of `SPEEDS`, the compressor."""
_SPEED: Final = np.concatenate([[0.0], SPEEDS, [0.0]])
COARSE: Final = 0.01
FINE: Final = 0.00125
"""Kelvins between the temperatures of a grid: quick, and as good as none."""
_BELOW: Final = 8.0
"""A room that is more kelvins below its limit counts as one that is so much below."""


class TooHot(Exception):
    """Nothing that cools keeps the limit: from step `step` on."""

    def __init__(self, step: int) -> None:
        super().__init__(step)
        self.step = step


def cooling_watts(day: CentreDay) -> FloatArray:
    """What each way to cool draws."""
    cooling = day.centre.cooling
    watts = cooling.fan_power(_SPEED)
    watts[COMPRESSOR] = cooling.compressor_watts
    return watts


def cheapest_cooling(
    day: CentreDay, servers: FloatArray, costs: FloatArray, apart: float = COARSE
) -> tuple[FloatArray, BoolArray]:
    """Fan speed and compressor of each step at the least sum of `costs[t, way]`, with so many watts
    of the servers in each step. Raises `TooHot`.
    """
    centre, outside = day.centre, day.curves.outside
    law = centre.heat(day.step)
    warmed = law.outside * outside + law.per_watt * servers
    ways = _SPEED * law.fan, np.where(np.arange(len(_SPEED)) == COMPRESSOR, law.compressor, 0.0)
    states = int(_BELOW / apart) + 1
    chosen, reached = _cheapest(
        centre.limit,
        centre.first,
        law.kept,
        law.by_difference,
        warmed,
        outside,
        *ways,
        costs,
        apart,
        states,
    )
    if reached < day.steps:
        raise TooHot(int(reached))
    return _SPEED[chosen], chosen == COMPRESSOR


@Kernel
def _cheapest(
    limit, first, kept, by_difference, warmed, outside, blown, taken, costs, apart, states
):
    """The way to cool in each step, and how many steps keep the limit. State i is `limit - apart *
    i`; from each, all ways are tried.
    """
    steps, ways = costs.shape
    least = np.full((2, states), np.inf)
    way_to = np.zeros((steps, states), np.int8)
    state_to = np.zeros((steps, states), np.int32)
    now = min(int(np.floor((limit - first) / apart)), states - 1)
    least[0, now] = 0.0
    reached = 0
    for step in range(steps):
        before, after = least[step % 2], least[(step + 1) % 2]
        after[:] = np.inf
        is_kept = False
        for state in range(states):
            if before[state] == np.inf:
                continue
            temperature = limit - apart * state
            colder = max(temperature - outside[step], 0.0) if by_difference else 1.0
            drifts = limit - kept * temperature - warmed[step]
            for way in range(ways):
                cost = before[state] + costs[step, way]
                room = drifts + blown[way] * colder + taken[way]
                if room < 0.0 or cost == np.inf:
                    continue
                is_kept = True
                new = min(int(room / apart), states - 1)
                if cost < after[new]:
                    after[new] = cost
                    way_to[step, new] = way
                    state_to[step, new] = state
        if not is_kept:
            return np.zeros(steps, np.int8), reached
        # A cooler room at no more cost is never worse.
        cheapest = np.inf
        for state in range(states - 1, -1, -1):
            if after[state] >= cheapest:
                after[state] = np.inf
            else:
                cheapest = after[state]
        reached += 1
    state = int(np.argmin(least[steps % 2]))
    chosen = np.zeros(steps, np.int8)
    for step in range(steps - 1, -1, -1):
        chosen[step] = way_to[step, state]
        state = state_to[step, state]
    return chosen, reached
