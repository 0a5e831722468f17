"""Cooling that looks at the temperature alone, and holds the limit wherever that is possible."""

from typing import Final

import numpy as np

from core.capabilities.centre.centre import SPEEDS
from core.capabilities.centre.day import CentreDay
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.budget import NoScheduleFound
from core.vocabulary.say.words import Sense, amount, power
from core.vocabulary.tolerances import SAME

_BAND: Final = 1.0
"""Kelvin between the limit and where a thermostat switches off: from 27 to 26 °C, as published."""


def by_thermostat(day: CentreDay, servers: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Speed of the fan and whether the compressor runs in each step, for so many watts of servers.

    The compressor starts when the limit could not be held without it, and stops 1 K below the
    limit. In a centre that has none, the fan does that at full speed.

    Raises `NoScheduleFound` if it gets too warm.
    """
    there = day.centre.heat(day.step).compressor > 0
    ways = np.array([0.0, 0.0 if there else 1.0]), np.array([False, there])
    return CooledRoom(day, servers, *ways).cooled(band=_BAND)


def cheapest_safe(day: CentreDay, servers: FloatArray) -> tuple[FloatArray, BoolArray]:
    """In each step what draws the least, nothing, fan or compressor, while the limit can still be
    held from the next step on. What comes later and what energy costs plays no part.

    Raises `NoScheduleFound` if it gets too warm.
    """
    cooling = day.centre.cooling
    speeds = np.concatenate(([0.0], SPEEDS, [0.0]))
    runs = np.arange(len(speeds)) == len(speeds) - 1
    watts = cooling.fan_power(speeds) + cooling.compressor_watts * runs
    by_watts = np.argsort(watts, kind="stable")
    return CooledRoom(day, servers, speeds[by_watts], runs[by_watts]).cooled(band=0.0)


class CooledRoom:
    """A room with so many watts of servers, and the ways to cool it: the speed of the fan and
    whether the compressor runs. The first way is not to cool.

    `bearable[t]` is the highest temperature at the begin of step t from which the limit can be
    held until the day ends, if it can at all.
    """

    def __init__(
        self, day: CentreDay, servers: FloatArray, speeds: FloatArray, runs: BoolArray
    ) -> None:
        self.day, self.speeds, self.runs = day, speeds, runs
        self.law, self.outside = day.centre.heat(day.step), day.curves.outside
        self.warming = self.law.outside * self.outside + self.law.per_watt * servers
        self.bearable = self._bearable(day.centre.limit)

    def later(self, step: int, temperature: float) -> FloatArray:
        """The next temperature by each way to cool, those that draw less first."""
        colder = max(temperature - self.outside[step], 0.0) if self.law.by_difference else 1.0
        kept = self.law.kept * temperature + self.warming[step]
        return np.asarray(
            kept - self.law.fan * colder * self.speeds - self.law.compressor * self.runs
        )

    def _bearable(self, limit: float) -> FloatArray:
        """The law of the room backwards, under whatever cools the most."""
        law = self.law
        runs, blows = law.compressor * self.runs.any(), law.fan * self.speeds.max()
        found = np.full(len(self.outside) + 1, limit - SAME)
        for step in range(len(self.outside) - 1, -1, -1):
            room = found[step + 1] - self.warming[step]
            best = max(_inverse(room + runs, law.kept), _inverse(room, law.kept))
            if not law.by_difference:
                best = max(best, _inverse(room + blows, law.kept))
            elif best >= self.outside[step]:
                blown = _inverse(room - blows * self.outside[step], law.kept - blows)
                best = max(best, blown)
            found[step] = min(found[step], best)
        return found

    def cooled(self, band: float) -> tuple[FloatArray, BoolArray]:
        """Nothing, while that is bearable and nothing ran before, or it is `band` below the limit.
        Else what draws least of all that is bearable, or what cools most.
        """
        limit, now = self.day.centre.limit, self.day.centre.first
        chosen = np.zeros(self.day.steps, np.int64)
        way = 0
        for step in range(self.day.steps):
            later = self.later(step, now)
            bearable = later <= self.bearable[step + 1]
            bearable[1:] &= later[1:] >= self.day.centre.coolest
            if way and band and now >= limit - band and bearable[1:].any():
                bearable[0] = False
            way = int(bearable.argmax() if bearable.any() else later.argmin())
            chosen[step], now = way, float(later[way])
            if now > limit + SAME:
                raise _too_warm(self.day, step, now - limit)
        return self.speeds[chosen], self.runs[chosen]


def _inverse(room: float, kept: float) -> float:
    """The temperature of which `kept` is `room`; any, if nothing is kept."""
    if kept > 0:
        return room / kept
    return np.inf if room >= 0 else -np.inf


def _too_warm(day: CentreDay, step: int, kelvins: float) -> NoScheduleFound:
    law, limit = day.centre.heat(day.step), day.centre.limit
    more = amount(kelvins, Sense.LOWER_BOUND, "K")
    if law.per_watt:
        more = power(kelvins / law.per_watt, Sense.LOWER_BOUND)
    inside, limit_said = (
        amount(limit + kelvins, Sense.PLAIN, "°C"),
        amount(limit, Sense.TYPED, "°C"),
    )
    return NoScheduleFound(
        f"in step {step + 1} of {day.steps} it gets {inside} inside, above the "
        f"limit of {limit_said}, however much is cooled before: {more} of cooling are missing; "
        "give the centre more cooling or fewer servers, or raise the limit"
    )
