"""The future of pools: how many units are free from when on, a step function for each pool.

Which unit it is does not matter, so the cost does not depend on how many units there are.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import NamedTuple

import numpy as np

from core.engines.compute.compiled import InPlaceKernel
from core.vocabulary.arrays import FloatArray, IntArray


class Profile(NamedTuple):
    """Pool p has `free[p, k]` free units from `time[p, k]` until `time[p, k + 1]`, for k below
    `steps[p]`; the last step has no end.
    """

    time: FloatArray
    free: IntArray
    steps: IntArray


def all_free(units: IntArray, room: int) -> Profile:
    """A profile with `room` steps for each pool, all units free from time 0 on."""
    free = np.zeros((len(units), room), np.int64)
    free[:, 0] = units
    return Profile(np.zeros((len(units), room)), free, np.ones(len(units), np.int64))


def with_room(profile: Profile, room: int) -> Profile:
    """The same profile with more room for steps."""
    more = room - profile.time.shape[1]
    return Profile(
        np.pad(profile.time, ((0, 0), (0, more))),
        np.pad(profile.free, ((0, 0), (0, more))),
        profile.steps,
    )


@InPlaceKernel
def _step_at(profile, pool, moment):
    """The step that holds at a moment, which is not before the first one."""
    time = profile.time[pool]
    low, high = 0, profile.steps[pool] - 1
    while low < high:
        middle = (low + high + 1) // 2
        if time[middle] <= moment:
            low = middle
        else:
            high = middle - 1
    return low


@InPlaceKernel
def earliest_start(profile, pool, units, seconds, since):
    """The first time from `since` on at which so many units are free for so long."""
    time, free = profile.time[pool], profile.free[pool]
    last = profile.steps[pool] - 1
    start = since
    for step in range(_step_at(profile, pool, since), last):
        if free[step] < units:
            start = time[step + 1]
        elif time[step + 1] >= start + seconds:
            return start
    return start


@InPlaceKernel
def free_until(profile, pool, units, until):
    """Whether so many units are free from the first step until a time."""
    time, free = profile.time[pool], profile.free[pool]
    for step in range(profile.steps[pool]):
        if step > 0 and time[step] >= until:
            return True
        if free[step] < units:
            return False
    return True


@InPlaceKernel
def _cut(profile, pool, moment):
    """Makes a step begin at a moment; returns which. The moment is not before the first step."""
    time, free = profile.time[pool], profile.free[pool]
    steps, low = profile.steps[pool], _step_at(profile, pool, moment)
    if time[low] == moment:
        return low
    for step in range(steps, low + 1, -1):
        time[step] = time[step - 1]
        free[step] = free[step - 1]
    time[low + 1] = moment
    free[low + 1] = free[low]
    profile.steps[pool] = steps + 1
    return low + 1


@InPlaceKernel
def occupy(profile, pool, units, start, end):
    """Takes units from `start` to `end`; a negative number of units gives them back."""
    if end <= start:
        return
    first = _cut(profile, pool, start)
    last = _cut(profile, pool, end)
    for step in range(first, last):
        profile.free[pool, step] -= units


@InPlaceKernel
def occupy_until(profile, pools, units, start, ends):
    """Takes units of some pools from `start` on, each until its end."""
    for one in range(len(pools)):
        occupy(profile, pools[one], units[one], start, ends[one])


@InPlaceKernel
def forget_before(profile, pool, now):
    """Lets the first step begin now, and joins neighbours that have the same free units."""
    time, free = profile.time[pool], profile.free[pool]
    steps = profile.steps[pool]
    first = 0
    while first + 1 < steps and time[first + 1] <= now:
        first += 1
    kept = 0
    for step in range(first, steps):
        if kept > 0 and free[step] == free[kept - 1]:
            continue
        time[kept] = time[step]
        free[kept] = free[step]
        kept += 1
    profile.steps[pool] = kept
    time[0] = max(time[0], now)


@InPlaceKernel
def copy_profile(source, target):
    """Makes `target` equal; it has as much room."""
    for pool in range(len(source.steps)):
        steps = source.steps[pool]
        target.steps[pool] = steps
        for step in range(steps):
            target.time[pool, step] = source.time[pool, step]
            target.free[pool, step] = source.free[pool, step]


@InPlaceKernel
def unused(profile, pool, since, until):
    """How many unit-seconds are free between two times."""
    total = 0.0
    steps = profile.steps[pool]
    for step in range(steps):
        begin = max(profile.time[pool, step], since)
        end = until if step + 1 == steps else min(profile.time[pool, step + 1], until)
        if end > begin:
            total += profile.free[pool, step] * (end - begin)
    return total
