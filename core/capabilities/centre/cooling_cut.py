"""What cooling costs at least, at prices of heat and power: a cut of the program of a day.

At a price for each watt of heat that servers may bring in a step, and for each watt that cooling
draws, the best cooling is found over all temperatures, by dynamic programming. No plan does better;
so for its cooling watts C and its heat q, the sum of `power x C - heat x q` is at least that.

The program lets the fan cool a mixture of a warm room and a cold one, and the compressor run for a
part of a step; the cut knows of whole days only.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import math
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import SAME

_STATES: Final = 400
"""So many temperatures at most, from the coolest that can be to the limit."""


def least_cooling(day: CentreDay, most_heat: float, heat: FloatArray, power: FloatArray) -> float:
    """The least sum of `power[t]` for each watt that cooling draws less `heat[t]` for each watt of
    heat, over all plans with at most `most_heat` watts of heat; -infinity if it cannot be said.

    Temperatures are those of a grid, to which those of any plan are rounded up: what a step takes
    from the next by that telescopes, and is subtracted.
    """
    centre, law = day.centre, day.centre.heat(day.step)
    if law.per_watt == 0:
        return -math.inf
    coolest = float(day.coolest.min())
    apart = max((centre.limit - coolest) / _STATES, SAME)
    states = math.ceil((centre.limit - coolest) / apart) + 1
    room = _RoomOfCut(
        (centre.limit, apart, states, centre.first),
        (law.kept, law.per_watt, law.fan, law.compressor),
        law.by_difference,
        centre.cooling.fan_law == "cubic",
        (centre.cooling.fan_watts, centre.cooling.compressor_watts),
        most_heat,
    )
    value = _least(room, law.outside * day.curves.outside, day.curves.outside, heat, power)
    # A temperature rounded up by e adds e to the heat of the step before, and takes `kept` x e, or
    # less where the fan blows, from that of its own step.
    lost = np.maximum(law.kept * heat[1:] - heat[:-1], 0.0).sum() * apart / law.per_watt
    return float(value - lost - SAME * (np.abs(heat).sum() * most_heat))


class _RoomOfCut(NamedTuple):
    """The grid of temperatures and the first of the day, the law of the room, what fan and
    compressor draw, and the most heat that servers bring.
    """

    grid: tuple[float, float, int, float]
    law: tuple[float, float, float, float]
    by_difference: bool
    cubic: bool
    watts: tuple[float, float]
    most_heat: float


@Kernel
def _least(room, drift, outside, heat, power):
    """The least sum. State i is `limit - apart * i`."""
    limit, apart, states, first = room.grid
    kept, per_watt, blown, taken = room.law
    fan_watts, compressor_watts = room.watts
    most_heat, cubic, by_difference = room.most_heat, room.cubic, room.by_difference
    steps = len(heat)
    least, after = np.full(states, np.inf), np.full(states, np.inf)
    slack = apart / per_watt
    for step in range(steps):
        after[:] = np.inf
        price, worth = power[step] * fan_watts, heat[step]
        running = power[step] * compressor_watts
        for state in range(states if step else 1):
            so_far = least[state] if step else 0.0
            if so_far == np.inf:
                continue
            now = limit - apart * state if step else first
            colder = max(now - outside[step], 0.0) if by_difference else 1.0
            k = blown * colder / per_watt
            base = kept * now + drift[step]
            # The speed at which the fan is worth most.
            if price <= 0.0:
                best = 1.0
            elif cubic:
                best = min(np.sqrt(max(worth, 0.0) * k / (3 * price)), 1.0)
            else:
                best = 1.0 if worth * k > price else 0.0
            for new in range(states):
                then = limit - apart * new
                alone = (then - base) / per_watt
                # With the compressor.
                q = min(alone + taken / per_watt, most_heat + slack)
                if q >= -slack:
                    cost = so_far + running - worth * min(q, alone + taken / per_watt)
                    if alone + taken / per_watt <= most_heat + slack and cost < after[new]:
                        after[new] = cost
                # With the fan, or nothing.
                if alone > most_heat + slack:
                    continue
                low = 0.0
                if alone < -slack:
                    if k <= 0.0:
                        continue
                    low = (-slack - alone) / k
                    if low > 1.0:
                        continue
                speed = max(best, low)
                if k > 0.0:
                    speed = max(low, min(speed, (most_heat + slack - alone) / k))
                fan = speed * speed * speed if cubic else speed
                cost = so_far + price * fan - worth * (alone + k * speed)
                if price < 0.0:
                    cost = so_far + price - worth * (alone + k * speed)
                if cost < after[new]:
                    after[new] = cost
        least[:] = after
    return least.min()
