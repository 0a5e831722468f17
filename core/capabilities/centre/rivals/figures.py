"""What comes of a plan, in compiled code, for methods that ask tens of thousands of times."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from dataclasses import astuple
from typing import NamedTuple

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.words import JOULES_PER_KWH


class DayArrays(NamedTuple):
    """A day without its jobs, as kernels take it.

    `watts` has a row each for servers that execute, are idle, sleep and start, by their kind. `law`
    is that of the room. `price` is money for a watt in a step, `feed_in` for one left over;
    `peak_price` is for a watt of the highest grid power.
    """

    counts: IntArray
    start_steps: IntArray
    watts: FloatArray
    law: tuple[float | bool, ...]
    first: float
    limit: float
    coolest: float
    step: float
    outside: FloatArray
    green: FloatArray
    target: FloatArray
    price: FloatArray
    feed_in: float
    peak_price: float

    @classmethod
    def of(cls, day: CentreDay) -> "DayArrays":
        """All in one form, for which kernels are compiled once."""
        centre, kwh = day.centre, day.step / JOULES_PER_KWH
        outside, green, target, price = (
            np.ascontiguousarray(curve, float)
            for curve in (day.curves.outside, day.curves.green, day.curves.target, day.curves.price)
        )
        law, starts = centre.heat(day.step), centre.start_watts(day.step)
        return cls(
            centre.counts,
            centre.start_steps(day.step),
            np.array((centre.busy, centre.idle, centre.asleep, starts), float),
            (*map(float, astuple(law)[:-1]), law.by_difference),
            float(centre.first),
            float(centre.limit),
            float(centre.coolest),
            float(day.step),
            outside,
            green,
            target,
            price * kwh,
            day.feed_in * kwh,
            day.peak_price / 1000,
        )


@Kernel
def execute(busy, jobs, groups, starts):
    """Count the servers of each kind that execute in each step."""
    busy[:] = 0
    steps = busy.shape[1]
    for place in range(len(groups)):
        group, start = groups[place], starts[place]
        if start < 0:
            continue
        kind, width, end = jobs.kind[group], jobs.width[group], start + jobs.length[group]
        busy[kind, start] += width
        if end < steps:
            busy[kind, end] -= width
    for kind in range(len(busy)):
        for step in range(1, steps):
            busy[kind, step] += busy[kind, step - 1]


@Kernel
def account(day, busy, awake, cooling_watts, speed, runs):
    """The excess in joules, the cost, and by how many kelvins it is too warm or cooled too far,
    summed over steps.
    """
    steps = len(cooling_watts)
    servers = np.zeros(steps)
    for kind in range(len(awake)):
        executing, idle, asleep, starts = day.watts[:, kind]
        for step in range(steps):
            there, at_work = awake[kind, step], busy[kind, step]
            servers[step] += executing * at_work + idle * (there - at_work)
            servers[step] += asleep * (day.counts[kind] - there)
            rise = there - awake[kind, step - 1] if step else 0
            if rise > 0:
                for ahead in range(max(step - day.start_steps[kind], 0), step):
                    servers[ahead] += (starts - asleep) * rise
    kept, outer, per_watt, fan, compressor, by_difference = day.law
    excess = cost = peak = beyond = 0.0
    now = day.first
    for step in range(steps):
        outside = day.outside[step]
        colder = max(now - outside, 0.0) if by_difference else 1.0
        now = kept * now + outer * outside + per_watt * servers[step] - fan * speed[step] * colder
        now -= compressor * runs[step]
        beyond += max(now - day.limit, 0.0)
        if speed[step] > 0 or runs[step] > 0:
            beyond += max(day.coolest - now, 0.0)
        power = servers[step] + cooling_watts[step]
        grid = max(power - day.green[step], 0.0)
        cost += grid * day.price[step] - max(day.green[step] - power, 0.0) * day.feed_in
        peak = max(peak, grid)
        excess += max(power - day.target[step], 0.0)
    return excess * day.step, cost + peak * day.peak_price, beyond
