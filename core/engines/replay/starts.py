"""When a job may start to be worth the most at any prices: finitely many starts of each option.

Prices are constant over slots of time, so what an option costs is piecewise linear in its start.
Its worth falls, and is convex over each piece of its curve. Between two neighbours of these starts
the worth less the cost is therefore convex, and no start between them beats both of them.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.engines.compute.compiled import InPlaceKernel, Kernel
from core.engines.replay.worth import CurveTable, curve_at
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import SUM_ROUNDING

SingleArray = npt.NDArray[np.float32]


class Demand(NamedTuple):
    """Jobs and their options with true times and powers, as somebody who knows them sees them.

    Option o takes `needs[o, 0]` units of its pool, and then so much of each further resource; it
    adds `extra[o]` while the curve of its job is above 0. What is within `begin` and `end` counts.
    Slots of time begin at `edges`; the last has no end.
    """

    arrival: FloatArray
    priority: FloatArray
    urgency: FloatArray
    curve: IntArray
    curves: CurveTable
    first: IntArray
    pool: IntArray
    needs: FloatArray
    extra: FloatArray
    seconds: FloatArray
    watts: FloatArray
    begin: float
    end: float
    edges: FloatArray


class CandidateStarts(NamedTuple):
    """Option o may start at the starts `first[o]` to `first[o + 1] - 1`, which earn `worth` if
    nothing costs anything. The begin is after `begin_part` of slot `begin_slot`, the end likewise.
    """

    first: IntArray
    worth: SingleArray
    begin_slot: npt.NDArray[np.int32]
    begin_part: SingleArray
    end_slot: npt.NDArray[np.int32]
    end_part: SingleArray


_RAMP_PARTS = 32
"""Parts of the time in which a run that counts in part may start, since worth is not convex there.
What is added for that falls with the square of their number, where the worth falls evenly.
"""


@InPlaceKernel
def worth_after(demand, job, option, delay):
    """What a job is worth that finishes on an option, so long after its arrival."""
    share = curve_at(demand.curves, demand.curve[job], demand.urgency[job], delay)
    return demand.priority[job] * share + demand.extra[option] if share > 0.0 else 0.0


@Kernel
def _worthless_from(demand, job, option):
    """The delay from which on a job is worth nothing; or infinity."""
    curves, curve = demand.curves, demand.curve[job]
    if demand.priority[job] <= 0.0 and demand.extra[option] <= 0.0:
        return 0.0
    found = np.inf
    for piece in range(curves.first[curve + 1] - 1, curves.first[curve] - 1, -1):
        if curves.high[piece] > 0.0:
            break
        found = curves.begin[piece]
    return found


@Kernel
def starts_of(demand, job, option, found):
    """Writes the starts of an option that may be best, sorted; returns how many."""
    seconds, arrival = demand.seconds[option], demand.arrival[job]
    since = max(demand.arrival[job], demand.begin - seconds)
    until = arrival + _worthless_from(demand, job, option) - seconds
    if until <= since or since >= demand.end:
        return 0
    found[0] = since
    count = 1
    last = min(until, demand.end)
    for place in range(len(demand.edges)):
        edge = demand.edges[place]
        if since < edge < last:
            found[count] = edge
            count += 1
        if since < edge - seconds < last:
            found[count] = edge - seconds
            count += 1
    for part in range(1, _RAMP_PARTS if since < demand.begin else 1):
        moment = since + (demand.begin - since) * part / _RAMP_PARTS
        if since < moment < last:
            found[count] = moment
            count += 1
    curves, curve = demand.curves, demand.curve[job]
    for piece in range(curves.first[curve] + 1, curves.first[curve + 1]):
        moment = arrival + curves.begin[piece] - seconds
        if since < moment <= until and moment < demand.end:
            found[count] = moment
            count += 1
    found[:count].sort()
    return count


@Kernel
def most_starts(demand):
    """More starts than any option has."""
    return 2 * len(demand.edges) + len(demand.curves.begin) + _RAMP_PARTS


@Kernel
def _share(demand, start, seconds):
    """The share of a run that lies within the horizon."""
    within = min(start + seconds, demand.end) - max(start, demand.begin)
    return min(max(within / seconds, 0.0), 1.0)


@Kernel
def worth_of_starts(demand, job, option, starts, worth):
    """Writes what each of these sorted starts earns at most, just before it or at it.

    While the share within the horizon rises, worth is the product of a convex curve that falls and
    a line that rises. It is above the line between two starts by at most a quarter of the product
    of what one falls and the other rises; both starts are raised by that. Where the curve jumps
    down at the first of them, what counts is how much it falls from there on.
    """
    seconds, arrival = demand.seconds[option], demand.arrival[job]
    before, share_before, raised = 0.0, 0.0, 0.0
    for place in range(len(starts)):
        start = starts[place]
        moment = start + seconds
        early = moment
        if place > 0:  # where the worth jumps down, what it is before
            early -= SUM_ROUNDING * moment
        full = worth_after(demand, job, option, max(early - arrival, 0.0))
        share = _share(demand, start, seconds)
        worth[place] = full * share
        if place > 0 and share > share_before:
            raise_by = 0.25 * max(before - full, 0.0) * (share - share_before)
            worth[place - 1] += max(raise_by - raised, 0.0)
            worth[place] += raise_by
            raised = raise_by
        else:
            raised = 0.0
        before = worth_after(demand, job, option, max(moment - arrival, 0.0))
        share_before = share


@Kernel
def count_starts(demand, counts):
    """How many starts each option has."""
    most = most_starts(demand)
    found = np.empty(most)
    for job in range(len(demand.arrival)):
        for option in range(demand.first[job], demand.first[job + 1]):
            counts[option] = starts_of(demand, job, option, found)


@Kernel
def place_in(edges, moment):
    """The slot of a moment, and how much of the slot has passed; the last slot counts as 1 s."""
    low, high = 0, len(edges) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if edges[middle] <= moment:
            low = middle
        else:
            high = middle - 1
    if low == len(edges) - 1:
        return low, moment - edges[low]
    return low, (moment - edges[low]) / (edges[low + 1] - edges[low])


@Kernel
def fill_starts(demand, starts):
    """Writes all starts of all options."""
    most = most_starts(demand)
    found, worth = np.empty(most), np.empty(most)
    for job in range(len(demand.arrival)):
        for option in range(demand.first[job], demand.first[job + 1]):
            count = starts_of(demand, job, option, found)
            worth_of_starts(demand, job, option, found[:count], worth)
            for place in range(count):
                at = starts.first[option] + place
                starts.worth[at] = worth[place]
                slot, part = place_in(demand.edges, found[place])
                starts.begin_slot[at], starts.begin_part[at] = slot, part
                slot, part = place_in(demand.edges, found[place] + demand.seconds[option])
                starts.end_slot[at], starts.end_part[at] = slot, part


def all_starts(demand: Demand) -> CandidateStarts:
    """The starts of all options."""
    counts = np.zeros(len(demand.pool), np.int64)
    count_starts(demand, counts)
    first = np.concatenate([[0], np.cumsum(counts)])
    many = int(first[-1])

    def single() -> SingleArray:
        return np.empty(many, np.float32)

    def slots() -> npt.NDArray[np.int32]:
        return np.empty(many, np.int32)

    starts = CandidateStarts(first, single(), slots(), single(), slots(), single())
    fill_starts(demand, starts)
    return starts
