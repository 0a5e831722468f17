"""What a job buys that may be stopped and go on later: the cheapest seconds until it ends.

Seconds have prices that are constant over slots of time. A job whose end lies in some interval buys
seconds from its arrival on. Its worth falls over the interval, and is convex there, so it is below
the line between both ends: each second that the job takes of the interval costs that slope, too.
Seconds outside the horizon are free and earn nothing.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import NamedTuple

import numpy as np

from core.engines.compute.compiled import InPlaceKernel, Kernel
from core.engines.replay.starts import place_in, worth_after
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import SUM_ROUNDING


class Lots(NamedTuple):
    """Equal jobs: `number[lot]` of them are as `job[lot]`."""

    job: IntArray
    number: FloatArray


class Rates(NamedTuple):
    """What a second costs of each resource of each pool in each slot, `pools[p, r, s]`, units
    first, and a joule; slots `first` to `last - 1` are within the horizon.
    """

    pools: FloatArray
    joule: FloatArray
    first: int
    last: int


class Bought(NamedTuple):
    """What the jobs of each lot earn together above what they pay, the option that they take, and
    for how many seconds each of them runs in each slot of the horizon.
    """

    surplus: FloatArray
    option: IntArray
    seconds: FloatArray


_PARTS_AFTER = 16
"""After the horizon, ends of a job whose worth falls are told apart by so many parts of its time.
One that ends as long after it as it takes may have run there as a whole.
"""


@InPlaceKernel
def _cheapest(demand, way, span, rate, order, bought):
    """The surplus of a job and its option (`way`) that ends in a span: from when, until when, its
    worth at the begin, and the slope. It is no less than in exact arithmetic. Writes how many
    seconds it takes of each slot.

    A slope is only given of a span within one slot of the horizon.
    """
    job, option = way
    since, until, full, slope = span
    arrival, seconds, edges = demand.arrival[job], demand.seconds[option], demand.edges
    slack = SUM_ROUNDING * (arrival + seconds + min(until, edges[-1]))
    free = slack + max(min(demand.begin, until) - arrival, 0.0)
    if until > demand.end:
        free += until - demand.end
    needed = max(seconds - free, 0.0)
    gain, steep = full / seconds, slope * needed / seconds
    last = until - max(since, arrival) if slope > 0.0 else 0.0
    here, _ = place_in(edges, since)
    limit = since if slope > 0.0 else until
    bought[:] = 0.0
    taken, cost, place = 0.0, 0.0, 0
    while taken < seconds:
        if last > 0.0 and (place == len(order) or rate[here] + steep <= rate[order[place]]):
            slot, price, amount = here, rate[here] + steep, last
            last = 0.0
        elif place < len(order):
            slot = order[place]
            place += 1
            ends = limit if slot + 1 == len(edges) else min(edges[slot + 1], limit)
            price, amount = rate[slot], ends - max(edges[slot], arrival)
        else:
            break
        amount = min(amount, (needed if price >= gain else seconds) - taken)
        if amount > 0.0:
            bought[slot] += amount
            taken += amount
            cost += amount * price
    if taken < needed:
        return -1.0
    earned = full * min((taken + slack) / seconds, 1.0)
    return earned - cost + SUM_ROUNDING * (earned + 2.0 * cost)


@Kernel
def buy_best(demand, lots, rates, bought):
    """Writes what jobs buy at their best."""
    curves, edges = demand.curves, demand.edges
    seconds = np.zeros(len(edges))
    for lot in range(len(lots.job)):
        job = lots.job[lot]
        if demand.arrival[job] >= demand.end:
            continue
        arrival, curve = demand.arrival[job], demand.curve[job]
        best = 0.0
        for option in range(demand.first[job], demand.first[job + 1]):
            rate = demand.watts[option] * rates.joule
            for resource in range(demand.needs.shape[1]):
                rate += demand.needs[option, resource] * rates.pools[demand.pool[option], resource]
            order = rates.first + np.argsort(rate[rates.first : rates.last])
            piece, until = curves.first[curve], arrival
            while until < np.inf:
                since = until
                while (
                    piece + 1 < curves.first[curve + 1]
                    and arrival + curves.begin[piece + 1] <= since
                ):
                    piece += 1
                delay = max(since - arrival, curves.begin[piece])
                full = worth_after(demand, job, option, delay)
                if full <= best or since >= demand.end + demand.seconds[option]:
                    break
                ends = piece + 1 == curves.first[curve + 1]
                until = np.inf if ends else arrival + curves.begin[piece + 1]
                flat = curves.high[piece] == curves.low[piece] or (
                    ends and curves.decay[piece] == 0.0
                )
                slope = 0.0
                slot, _ = place_in(edges, since)
                if not flat and since >= demand.end:
                    short = since + demand.seconds[option] / _PARTS_AFTER
                    until = min(until, short) if short > since else until
                elif not flat and slot + 1 < len(edges):
                    until = min(until, edges[slot + 1])
                    if slot >= rates.first:
                        early = max(until - SUM_ROUNDING * until - arrival, delay)
                        low = worth_after(demand, job, option, early)
                        slope = max(full - low, 0.0) / (until - since)
                span = since, until, full, slope
                surplus = _cheapest(demand, (job, option), span, rate, order, seconds)
                if surplus > best:
                    best = surplus
                    bought.option[lot] = option
                    bought.seconds[lot] = seconds
        bought.surplus[lot] = lots.number[lot] * best
