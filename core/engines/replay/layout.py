"""Which units of a pool each job had: found when somebody looks, since units are alike.

Jobs are not moved, so whatever never takes more units than there are can be laid out. Units are
kept as ranges, so the cost depends on the number of jobs, not of units.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import NamedTuple

import numpy as np

from core.engines.compute.compiled import Kernel
from core.engines.replay.outcome import ReplayOutcome
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import SUM_ROUNDING


class UnitSpans(NamedTuple):
    """Row r: `job[r]` has the units `first[r]` to `last[r]` of a pool, from `start[r]` to `end[r]`
    (s). Units are numbered from 0. The rows of a job are next to each other.
    """

    job: IntArray
    first: IntArray
    last: IntArray
    start: FloatArray
    end: FloatArray


class _Spans(NamedTuple):
    """Ranges of units while they are found: those of each row of jobs, and those that are free."""

    owner: IntArray
    first: IntArray
    last: IntArray
    of_row: IntArray
    """Row r has the ranges `of_row[r]` to `of_row[r] + ranges[r] - 1`."""
    ranges: IntArray
    free_first: IntArray
    free_last: IntArray


def laid_out(outcome: ReplayOutcome, pool: int) -> UnitSpans:
    """The units that the jobs of a pool had, without overlap.

    A job gets the lowest range that is wide enough; without one, the lowest free units. Where more
    units work at once than there are, but only since an end and a start that are one moment were
    rounded in two ways, runs overlap by that. Otherwise raises `ValueError`.
    """
    options, pieces = outcome.workload.options, outcome.pieces
    mine = (options.pool[pieces.option] == pool) & (pieces.end > pieces.start)
    job, option, start, end = (column[mine] for column in pieces[:4])
    units = options.units[option]
    there = int(outcome.workload.pools.units[pool])
    spans = _found_in_order(start, end, units, there)
    if spans is None:
        # No run gives its units back before it has them.
        earlier = np.maximum(end - SUM_ROUNDING * np.abs(end), np.nextafter(start, np.inf))
        spans = _found_in_order(start, earlier, units, there)
    if spans is None:
        raise ValueError("more units work at once than there are")
    order = np.argsort(spans.owner, kind="stable")
    owner = spans.owner[order]
    return UnitSpans(job[owner], spans.first[order], spans.last[order], start[owner], end[owner])


def _found_in_order(
    start: FloatArray, end: FloatArray, units: IntArray, there: int
) -> _Spans | None:
    """The ranges of runs; None if more units work at once than there are."""
    rows = np.arange(len(start))
    # An event is twice its row, plus 1 for a start. Of one moment, ends come first.
    event = np.concatenate([2 * rows, 2 * rows + 1])
    event = event[np.argsort(np.concatenate([end, start]), kind="stable")]
    room = 2 * len(start) + 16
    while True:
        spans = _Spans(*(np.zeros(size, np.int64) for size in _sizes(len(start), room)))
        found = _lay_out(event, units, there, spans)
        if found >= 0:
            return spans._replace(
                owner=spans.owner[:found], first=spans.first[:found], last=spans.last[:found]
            )
        if found == _TOO_MANY:
            return None
        room *= 2


_TOO_MANY = -1
_NO_ROOM = -2


def _sizes(jobs: int, room: int) -> tuple[int, ...]:
    return room, room, room, jobs, jobs, room, room


@Kernel
def _place_of(free_first, free, unit):
    """How many of the free ranges begin below a unit."""
    low, high = 0, free
    while low < high:
        middle = (low + high) // 2
        if free_first[middle] < unit:
            low = middle + 1
        else:
            high = middle
    return low


@Kernel
def _give_back(spans, free, first, last):
    """Adds a range to the free ones, joined with its neighbours; how many there are then."""
    free_first, free_last = spans.free_first, spans.free_last
    place = _place_of(free_first, free, first)
    before = place > 0 and free_last[place - 1] == first - 1
    after = place < free and free_first[place] == last + 1
    if before and after:
        free_last[place - 1] = free_last[place]
        for k in range(place, free - 1):
            free_first[k] = free_first[k + 1]
            free_last[k] = free_last[k + 1]
        return free - 1
    if before:
        free_last[place - 1] = last
        return free
    if after:
        free_first[place] = first
        return free
    for k in range(free, place, -1):
        free_first[k] = free_first[k - 1]
        free_last[k] = free_last[k - 1]
    free_first[place] = first
    free_last[place] = last
    return free + 1


@Kernel
def _take(spans, free, place, units, owner, found):
    """Takes units from the begin of a free range; how many ranges are free then."""
    first = spans.free_first[place]
    spans.owner[found] = owner
    spans.first[found] = first
    spans.last[found] = first + units - 1
    spans.ranges[owner] += 1
    if spans.free_last[place] >= first + units:
        spans.free_first[place] = first + units
        return free
    for k in range(place, free - 1):
        spans.free_first[k] = spans.free_first[k + 1]
        spans.free_last[k] = spans.free_last[k + 1]
    return free - 1


@Kernel
def _lay_out(event, units, there, spans):
    """Goes through ends and starts in their order; the number of ranges, or why there is none."""
    spans.free_first[0] = 0
    spans.free_last[0] = there - 1
    free, found = 1, 0
    for place in range(len(event)):
        row = event[place] // 2
        if event[place] % 2 == 0:
            for k in range(spans.of_row[row], spans.of_row[row] + spans.ranges[row]):
                if free + 1 >= len(spans.free_first):
                    return _NO_ROOM
                free = _give_back(spans, free, spans.first[k], spans.last[k])
            continue
        spans.of_row[row] = found
        left = units[row]
        for k in range(free):
            if spans.free_last[k] - spans.free_first[k] + 1 >= left:
                if found >= len(spans.owner):
                    return _NO_ROOM
                free = _take(spans, free, k, left, row, found)
                found += 1
                left = 0
                break
        while left > 0:
            if free == 0:
                return _TOO_MANY
            if found >= len(spans.owner):
                return _NO_ROOM
            size = min(left, spans.free_last[0] - spans.free_first[0] + 1)
            free = _take(spans, free, 0, size, row, found)
            found += 1
            left -= size
    return found
