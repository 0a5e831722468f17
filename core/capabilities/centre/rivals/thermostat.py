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
    return CooledRoom(day, servers, *_by_watts(day)).cooled(band=0.0)


def as_wished(
    day: CentreDay, servers: FloatArray, speed: FloatArray, compressor: BoolArray
) -> tuple[FloatArray, BoolArray]:
    """How a step is wished to be cooled, where that cools not too far and the limit can still be
    held from the next step on; elsewhere what draws the least of all that does both.

    Raises `NoScheduleFound` if it gets too warm.
    """
    ways = [
        np.column_stack((wished, np.tile(usual, (day.steps, 1))))
        for wished, usual in zip((speed, compressor), _by_watts(day), strict=True)
    ]
    return CooledRoom(day, servers, *ways).cooled(band=0.0)


def _by_watts(day: CentreDay) -> tuple[FloatArray, BoolArray]:
    """Nothing, the fan at each speed and the compressor, those that draw less first."""
    cooling = day.centre.cooling
    speeds = np.concatenate(([0.0], SPEEDS, [0.0]))
    runs = np.arange(len(speeds)) == len(speeds) - 1
    watts = cooling.fan_power(speeds) + cooling.compressor_watts * runs
    by_watts = np.argsort(watts, kind="stable")
    return speeds[by_watts], runs[by_watts]


class CooledRoom:
    """A room with so many watts of servers, and the ways to cool it: the speed of the fan and
    whether the compressor runs, in all steps or a line each, those to be preferred first.

    `bearable[t]` is the highest temperature at the begin of step t from which the limit can be
    held until the day ends, if it can at all.
    """

    def __init__(
        self, day: CentreDay, servers: FloatArray, speeds: FloatArray, runs: BoolArray
    ) -> None:
        self.day = day
        every = (day.steps, speeds.shape[-1])
        self.speeds, self.runs = np.broadcast_to(speeds, every), np.broadcast_to(runs, every)
        self.law, self.outside = day.centre.heat(day.step), day.curves.outside
        self.warming = self.law.outside * self.outside + self.law.per_watt * servers
        self.bearable = self._bearable(day.centre.limit)

    def later(self, step: int, temperature: float) -> FloatArray:
        """The next temperature by each way to cool."""
        colder = max(temperature - self.outside[step], 0.0) if self.law.by_difference else 1.0
        kept = self.law.kept * temperature + self.warming[step]
        return np.asarray(
            kept - self.law.fan * colder * self.speeds[step] - self.law.compressor * self.runs[step]
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
        """The first way that is bearable and cools not too far, or else what cools most of those
        that do not. With a `band`, what runs goes on until it is so far below the limit.
        """
        limit, now = self.day.centre.limit, self.day.centre.first
        chosen = np.zeros(self.day.steps, np.int64)
        way = 0
        for step in range(self.day.steps):
            later = self.later(step, now)
            cools = (self.speeds[step] > 0) | self.runs[step]
            allowed = ~cools | (later >= self.day.centre.coolest)
            bearable = allowed & (later <= self.bearable[step + 1])
            if way and band and now >= limit - band and bearable[1:].any():
                bearable[0] = False
            least = np.where(allowed, later, np.inf).argmin()
            way = int(bearable.argmax() if bearable.any() else least)
            chosen[step], now = way, float(later[way])
            if now > limit + SAME and later.min() <= limit:
                raise _too_strong(self.day, step)
            if now > limit + SAME:
                raise _too_warm(self.day, step, now - limit)
        every = np.arange(self.day.steps)
        return self.speeds[every, chosen], self.runs[every, chosen]


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


def _too_strong(day: CentreDay, step: int) -> NoScheduleFound:
    limit, least = (
        amount(each, Sense.TYPED, "°C") for each in (day.centre.limit, day.centre.coolest)
    )
    return NoScheduleFound(
        f"in step {step + 1} of {day.steps}, all that keeps the limit of {limit} cools the room "
        f"below the least of {least}; take shorter steps, or lower what it may be cooled to"
    )
