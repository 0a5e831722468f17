"""The cheapest cooling of a day whose servers are known, by dynamic programming.

Of all ways to come to about the same temperature, the cheapest is followed, from the temperature
that it has in truth: so what is found keeps the limit, however coarse the grid is.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple

import numpy as np

from core.capabilities.centre.centre import SPEEDS
from core.capabilities.centre.day import CentreDay
from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.budget import NoScheduleFound

OFF: Final = 0
COMPRESSOR: Final = len(SPEEDS) + 1
"""Ways to cool in a step, by number: none, the fan at one of `SPEEDS`, the compressor."""
_SPEED: Final = np.concatenate([[0.0], SPEEDS, [0.0]])
COARSE: Final = 0.01
FINE: Final = 0.00125
"""Kelvins that are about the same temperature: quick, and as good as none."""
_MOST_STATES: Final = 20_000


class TooHot(NoScheduleFound):
    """Nothing that cools keeps the limit."""

    def __init__(self, step: int) -> None:
        super().__init__(
            f"nothing that cools keeps the limit of the room after step {step + 1:,}; give more "
            "cooling, a higher limit or a longer day"
        )


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
    cools = np.where(np.arange(len(_SPEED)) == COMPRESSOR, law.compressor, 0.0)
    room = _RoomLaw(centre.limit, centre.coolest, centre.first, law.kept, law.by_difference)
    ways = _Ways(_SPEED * law.fan, cools, costs)
    below = centre.limit - float(day.coolest.min())
    states = min(int(below / apart) + 2, _MOST_STATES)
    chosen, reached = _cheapest(room, warmed, outside, ways, apart, states)
    if reached < day.steps:
        raise TooHot(int(reached))
    return _SPEED[chosen], chosen == COMPRESSOR


class _RoomLaw(NamedTuple):
    """What the temperature of a room keeps, and follows."""

    limit: float
    coolest: float
    first: float
    kept: float
    by_difference: bool


class _Ways(NamedTuple):
    """What each way to cool takes out, by the difference to the outside and in any case, and what
    it costs in each step.
    """

    blown: FloatArray
    taken: FloatArray
    costs: FloatArray


@Kernel
def _cheapest(room, warmed, outside, ways, apart, states):
    """The way to cool in each step, and how many steps keep the limit. State i holds temperatures
    from `apart * i` kelvins below it on.
    """
    limit, coolest, first, kept, by_difference = room
    blown, taken, costs = ways
    steps, number = costs.shape
    least, inside = np.full((2, states), np.inf), np.zeros((2, states))
    way_to = np.zeros((steps, states), np.int8)
    state_to = np.zeros((steps, states), np.int32)
    state = min(max(int((limit - first) / apart), 0), states - 1)
    least[0, state], inside[0, state] = 0.0, first
    for step in range(steps):
        now, then = step % 2, (step + 1) % 2
        least[then] = np.inf
        is_kept = False
        for state in range(states):
            so_far = least[now, state]
            if so_far == np.inf:
                continue
            temperature = inside[now, state]
            colder = max(temperature - outside[step], 0.0) if by_difference else 1.0
            drifts = kept * temperature + warmed[step]
            for way in range(number):
                new = drifts - blown[way] * colder - taken[way]
                if new > limit or (way > 0 and new < coolest) or costs[step, way] == np.inf:
                    continue
                is_kept = True
                place = min(int((limit - new) / apart), states - 1)
                cost = so_far + costs[step, way]
                if cost < least[then, place]:
                    least[then, place], inside[then, place] = cost, new
                    way_to[step, place] = way
                    state_to[step, place] = state
        if not is_kept:
            return np.zeros(steps, np.int8), step
    state = int(np.argmin(least[steps % 2]))
    chosen = np.zeros(steps, np.int8)
    for step in range(steps - 1, -1, -1):
        chosen[step] = way_to[step, state]
        state = state_to[step, state]
    return chosen, steps
