"""The future of pools: how many units are free from when on, a step function for each pool, and how
much of each further resource (memory, for example).

Which unit it is does not matter, so the cost does not depend on how many units there are. What is
taken is `(units, further)`: so many units, and so much of each further resource of the pool.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Any, NamedTuple

import numpy as np

from core.engines.compute.compiled import InPlaceKernel
from core.vocabulary.arrays import FloatArray, IntArray


class Profile(NamedTuple):
    """Pool p has `free[p, k]` free units from `time[p, k]` until `time[p, k + 1]`, for k below
    `steps[p]`, and `spare[p, k, r]` of its further resource r; the last step has no end.
    """

    time: FloatArray
    free: IntArray
    spare: IntArray
    steps: IntArray


def all_free(units: IntArray, further: IntArray, room: int) -> Profile:
    """A profile with `room` steps for each pool, everything free from time 0 on."""
    free = np.zeros((len(units), room), np.int64)
    spare = np.zeros((len(units), room, further.shape[1]), np.int64)
    free[:, 0] = units
    spare[:, 0] = further
    return Profile(np.zeros((len(units), room)), free, spare, np.ones(len(units), np.int64))


def with_room(profile: Profile, room: int) -> Profile:
    """The same profile with more room for steps."""

    def roomy(values: Any) -> Any:
        more = np.zeros((len(values), room, *values.shape[2:]), values.dtype)
        more[:, : values.shape[1]] = values
        return more

    return Profile(roomy(profile.time), roomy(profile.free), roomy(profile.spare), profile.steps)


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
def has_free(profile, pool, step, taken):
    """Whether so much is free in a step."""
    units, further = taken
    if profile.free[pool, step] < units:
        return False
    for resource in range(len(further)):
        if profile.spare[pool, step, resource] < further[resource]:
            return False
    return True


@InPlaceKernel
def earliest_start(profile, pool, taken, seconds, since):
    """The first time from `since` on at which so much is free for so long."""
    time, free = profile.time[pool], profile.free[pool]
    units, further = taken
    last = profile.steps[pool] - 1
    start = since
    for step in range(_step_at(profile, pool, since), last):
        if free[step] < units or (len(further) and not has_free(profile, pool, step, taken)):
            start = time[step + 1]
        elif time[step + 1] >= start + seconds:
            return start
    return start


@InPlaceKernel
def free_until(profile, pool, taken, until):
    """Whether so much is free from the first step until a time."""
    time, free = profile.time[pool], profile.free[pool]
    units, further = taken
    for step in range(profile.steps[pool]):
        if step > 0 and time[step] >= until:
            return True
        if free[step] < units or (len(further) and not has_free(profile, pool, step, taken)):
            return False
    return True


@InPlaceKernel
def _copy_spare(source, target, pool, step, place):
    """Lets a step of `target` have as much of the further resources as one of `source`."""
    for resource in range(source.spare.shape[2]):
        target.spare[pool, place, resource] = source.spare[pool, step, resource]


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
    if profile.spare.shape[2]:
        for step in range(steps, low, -1):
            _copy_spare(profile, profile, pool, step - 1, step)
    profile.steps[pool] = steps + 1
    return low + 1


@InPlaceKernel
def _change(profile, pool, taken, sign, span):
    """Takes so much in a span (sign 1), or gives it back (sign -1)."""
    units, further = taken
    if span[1] <= span[0]:
        return
    first = _cut(profile, pool, span[0])
    last = _cut(profile, pool, span[1])
    more = sign * units
    for step in range(first, last):
        profile.free[pool, step] -= more
    for resource in range(len(further)):
        more = sign * further[resource]
        for step in range(first, last):
            profile.spare[pool, step, resource] -= more


@InPlaceKernel
def occupy(profile, pool, taken, start, end):
    """Takes so much from `start` to `end`."""
    _change(profile, pool, taken, 1, (start, end))


@InPlaceKernel
def give_back(profile, pool, taken, start, end):
    """Gives back what was taken from `start` to `end`."""
    _change(profile, pool, taken, -1, (start, end))


@InPlaceKernel
def occupy_until(profile, pools, units, further, start, ends):
    """Takes so much of some pools from `start` on, each until its end."""
    for one in range(len(pools)):
        occupy(profile, pools[one], (units[one], further[one]), start, ends[one])


@InPlaceKernel
def _are_alike(profile, pool, one, other):
    """Whether as much of the further resources is free in two steps."""
    for resource in range(profile.spare.shape[2]):
        if profile.spare[pool, one, resource] != profile.spare[pool, other, resource]:
            return False
    return True


@InPlaceKernel
def forget_before(profile, pool, now):
    """Lets the first step begin now, and joins neighbours that have as much free."""
    time, free = profile.time[pool], profile.free[pool]
    steps, furthers = profile.steps[pool], profile.spare.shape[2]
    first = 0
    while first + 1 < steps and time[first + 1] <= now:
        first += 1
    kept = 0
    for step in range(first, steps):
        same = kept > 0 and free[step] == free[kept - 1]
        if same and (furthers == 0 or _are_alike(profile, pool, step, kept - 1)):
            continue
        time[kept] = time[step]
        free[kept] = free[step]
        if furthers:
            _copy_spare(profile, profile, pool, step, kept)
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
        for step in range(steps if source.spare.shape[2] else 0):
            _copy_spare(source, target, pool, step, step)


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
