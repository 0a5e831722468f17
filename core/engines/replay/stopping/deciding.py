"""Kernels of policies that only look at what can start now, if need be in place of what runs.

The job with the highest score starts, again and again, until none can. Where units are free, its
score is its measure. For other jobs to be stopped, their measures together have to be below its
own; and it competes with its own measure (greedy) or with the difference (by difference, and by
prices). So what runs has more of the measure after each start: an event ends. A job that has just
begun is not stopped at the same event: nothing that is left has more of the measure than it.

By prices, jobs are in line by the measure of the policy, but those that run, and what it gains to
start one, are measured by what they are worth above the price of the cores. A job that began at an
event is not stopped at it, and each stop ends one that ran before: so that event ends, too.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engines.compute.compiled import InPlaceKernel, Kernel
from core.engines.replay.heap import pop, stack
from core.engines.replay.measures import PER_TIME, affordable, spend, worth_at
from core.engines.replay.standing import place_job
from core.engines.replay.stopping.covering import cover, cover_in_order
from core.engines.replay.stopping.halting import (
    PRICES,
    by_age,
    halt,
    loss_of,
    may_halt,
    standing_measure,
)
from core.engines.replay.stopping.ranks import (
    bring_back,
    job_of,
    look_again,
    option_of,
    put_aside,
    starting_measure,
    take_back,
    take_in,
)

_NONE, _GREEDY = 0, 1
_LEAST_MEASURE = 0
"""As in `core.engines.replay.stopping.rules`."""


@InPlaceKernel
def find_victims(facts, rules, clock, ranks, measure, now):
    """Heaps the jobs of each pool that may be stopped, the one with the least measure on top."""
    pools = len(ranks.victim_size)
    ranks.victim_size[:] = 0
    ranks.victim_first[:] = 0
    if rules.technique == _NONE:
        return
    for place in range(clock.counts[0].underway):
        job = clock.underway[place]
        if may_halt(rules, clock, job, now):
            ranks.victim_first[facts.ways[clock.runs[job].option].pool + 1] += 1
    for pool in range(pools):
        ranks.victim_first[pool + 1] += ranks.victim_first[pool]
    for place in range(clock.counts[0].underway):
        job = clock.underway[place]
        if may_halt(rules, clock, job, now):
            pool = facts.ways[clock.runs[job].option].pool
            ranks.victims[ranks.victim_first[pool] + ranks.victim_size[pool]] = job
            ranks.victim_size[pool] += 1
            clock.key[job] = -standing_measure(facts, rules, clock, measure, job, now)
    for pool in range(pools):
        stack(ranks.victims[ranks.victim_first[pool] :], clock.key, ranks.victim_size[pool])


@InPlaceKernel
def free_now(rules, clock, pool):
    """How many units of a pool are free and stay so: some may be for a job that waits until those
    that were stopped for it are gone.
    """
    free = clock.plan.free[pool, 0]
    if rules.stop_seconds > 0.0:
        for step in range(1, clock.plan.steps[pool]):
            free = min(free, clock.plan.free[pool, step])
    return free


@InPlaceKernel
def further_suffices(facts, rules, clock, option, jobs):
    """Whether there is enough of each further resource for an option from now on, if these jobs
    stop, which may hold theirs. Whom to stop is chosen by units alone.
    """
    pool = facts.ways[option].pool
    for resource in range(facts.further.shape[1]):
        free = clock.plan.spare[pool, 0, resource]
        for step in range(1, clock.plan.steps[pool] if rules.stop_seconds > 0.0 else 1):
            free = min(free, clock.plan.spare[pool, step, resource])
        for job in jobs if len(clock.held) == 0 else jobs[:0]:
            free += facts.further[clock.runs[job].option, resource]
        if free < facts.further[option, resource]:
            return False
    return True


@Kernel
def _victims_for(facts, rules, clock, ranks, measure, want, now):
    """Which jobs of a pool to stop for so many units; none if they are too few."""
    pool, missing = want
    begin, count = ranks.victim_first[pool], ranks.victim_size[pool]
    jobs = ranks.victims[begin : begin + count]
    units, loss = np.empty(count, np.int64), np.empty(count)
    for one in range(count):
        units[one] = facts.ways[clock.runs[jobs[one]].option].units
        if rules.whom == _LEAST_MEASURE:  # found at the begin of the event
            loss[one] = max(-clock.key[jobs[one]], 0.0)
        else:
            loss[one] = loss_of(facts, rules, clock, measure, jobs[one], now)
    taken = np.zeros(count, np.bool_)
    if by_age(rules):
        enough = cover_in_order(units, np.argsort(loss), missing, taken)
    else:
        enough = cover(units, loss, missing, taken)
    return jobs[taken] if enough else jobs[:0]


@Kernel
def _chosen(facts, rules, clock, ranks, measure, want, now):
    """The jobs to stop for one; for one unit, that with the least measure if that says whom."""
    begin = ranks.victim_first[want[0]]
    if want[1] == 1 and rules.whom == _LEAST_MEASURE:
        return ranks.victims[begin : begin + 1].copy()
    return _victims_for(facts, rules, clock, ranks, measure, want, now)


@Kernel
def _measure_of(clock, jobs):
    total = 0.0
    for job in jobs:
        total -= clock.key[job]
    return total


@Kernel
def payable(facts, rules, clock, way, start, jobs, now):
    """Whether there is energy for an option if these jobs are stopped and give back theirs."""
    until = now + rules.stop_seconds
    for job in jobs:
        span = (until, clock.runs[job].estimated_end)
        spend(clock.left_now, facts.edges, span, -facts.ways[clock.runs[job].option].watts)
    found = affordable(clock.left_now, facts.edges, (start, start + way.seconds), way.watts)
    for job in jobs:
        span = (until, clock.runs[job].estimated_end)
        spend(clock.left_now, facts.edges, span, facts.ways[clock.runs[job].option].watts)
    return found


@InPlaceKernel
def _gain(facts, rules, measure, job, option, start):
    """What it gains to start a job then, in what the jobs that it stops are measured by."""
    if rules.technique != PRICES:
        return starting_measure(facts, rules, measure, job, option, start)
    way = facts.ways[option]
    return worth_at(facts, job, start + way.seconds, way.extra) - rules.price[option]


@Kernel
def _propose(facts, rules, clock, ranks, measure, offer, now):
    """Finds what should start next in a pool, and whom it stops: of what can, the job with the
    highest measure.
    """
    pool = offer.pool
    offer.entry = -1
    free, begin = free_now(rules, clock, pool), ranks.victim_first[pool]
    by_price = rules.technique == PRICES
    while True:
        item = look_again(facts, rules, clock, ranks, measure, pool, now)
        if item < 0:
            return
        key, job = ranks.key[item], job_of(facts, ranks, clock, item)
        option = option_of(ranks, job, item)
        way = facts.ways[option]
        if free == 0 and by_price and measure == PER_TIME and key <= rules.least_rate[pool]:
            return  # what follows is worth no more a second: nobody stops for it
        offer.job, offer.option, offer.start = job, option, now
        if clock.stops[job].again > now:
            put_aside(ranks, pool)
            continue
        if way.units <= free:
            if further_suffices(facts, rules, clock, option, ranks.victims[:0]) and affordable(
                clock.left_now, facts.edges, (now, now + way.seconds), way.watts
            ):
                offer.entry, offer.stops, offer.against = item, 0, -np.inf
                offer.score = _gain(facts, rules, measure, job, option, now) if by_price else key
                return
        elif ranks.victim_size[pool] == 0 or (
            not by_price and key <= -clock.key[ranks.victims[begin]]
        ):
            if free == 0:
                return
        elif clock.stops[job].may_stop_others == 1:
            start = now + rules.stop_seconds
            gain = key
            if start > now or by_price:
                gain = _gain(facts, rules, measure, job, option, start)
            if gain <= -clock.key[ranks.victims[begin]]:
                put_aside(ranks, pool)
                continue
            want = pool, way.units - free
            jobs = _chosen(facts, rules, clock, ranks, measure, want, now)
            against = _measure_of(clock, jobs)
            if (
                len(jobs) > 0
                and gain > against
                and start < facts.end
                and further_suffices(facts, rules, clock, option, jobs)
                and payable(facts, rules, clock, way, start, jobs, now)
            ):
                offer.entry, offer.start, offer.against = item, start, against
                offer.stops = len(jobs)
                ranks.chosen[begin : begin + len(jobs)] = jobs
                offer.score = gain if rules.technique == _GREEDY else gain - against
                return
        put_aside(ranks, pool)


@InPlaceKernel
def _better(one, other):
    """Whether an offer comes before another: by its score, then the first job, then the one that
    stops nothing or the least, then the first pool.
    """
    if one.score != other.score:
        return one.score > other.score
    if one.job != other.job:
        return one.job < other.job
    return one.against < other.against


@Kernel
def halt_all(facts, rules, clock, ranks, jobs, other, now):
    """Stops jobs of one pool for another job; they then wait for their turn like others."""
    pool = facts.ways[clock.runs[jobs[0]].option].pool
    for job in jobs:
        halt(facts, rules, clock, job, other, now)
        take_back(facts, rules, clock, ranks, rules.measure, job, now)
    begin, kept = ranks.victim_first[pool], 0
    heap = ranks.victims[begin : begin + ranks.victim_size[pool]]
    if len(jobs) == 1 and heap[0] == jobs[0]:
        ranks.victim_size[pool] = pop(heap, clock.key, len(heap))
        return
    for place in range(len(heap)):
        if clock.runs[heap[place]].option >= 0:
            heap[kept] = heap[place]
            kept += 1
    ranks.victim_size[pool] = kept
    stack(heap, clock.key, kept)


@Kernel
def decide_now(facts, rules, clock, ranks, offers, measure, now):
    """Starts jobs until none that waits can start."""
    take_in(facts, rules, clock, ranks, measure, now)
    find_victims(facts, rules, clock, ranks, measure, now)
    for pool in range(len(offers)):
        bring_back(ranks, pool)
        offers[pool].pool = pool
        offers[pool].entry = -1
        _propose(facts, rules, clock, ranks, measure, offers[pool], now)
    while True:
        best = -1
        for pool in range(len(offers)):
            offer = offers[pool]
            if offer.entry >= 0 and job_of(facts, ranks, clock, offer.entry) != offer.job:
                _propose(facts, rules, clock, ranks, measure, offer, now)
            if offer.entry >= 0 and (best < 0 or _better(offer, offers[best])):
                best = pool
        if best < 0:
            return
        offer = offers[best]
        job, option, start = offer.job, offer.option, offer.start
        way, begin = facts.ways[option], ranks.victim_first[best]
        jobs = ranks.chosen[begin : begin + offer.stops]
        if not payable(facts, rules, clock, way, start, jobs, now):
            _propose(facts, rules, clock, ranks, measure, offer, now)
            continue
        if len(jobs) > 0:
            halt_all(facts, rules, clock, ranks, jobs, job, now)
            bring_back(ranks, best)
        clock.best[job] = option
        clock.outlook[option].known = start
        place_job(facts, rules, clock, job, now)
        # A job that was stopped may have another pool.
        for pool in range(len(offers)) if len(jobs) > 0 else range(best, best + 1):
            _propose(facts, rules, clock, ranks, measure, offers[pool], now)
