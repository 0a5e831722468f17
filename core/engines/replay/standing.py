"""Kernels that move jobs on: they arrive, are dropped, start, keep promises, and end."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.engines.compute.compiled import InPlaceKernel
from core.engines.replay.heap import pop, stack
from core.engines.replay.measures import affordable, spend, worth_at
from core.engines.replay.profile import earliest_start, give_back, occupy

WAITING: Final = 1
RESERVED: Final = 2
RUNNING: Final = 3
DONE: Final = 4
DROPPED: Final = 5
"""Where a job stands; 0: it has not arrived."""


@InPlaceKernel
def _begin(facts, clock, job, start):
    seconds = facts.ways[clock.runs[job].option].seconds
    clock.runs[job].start = start
    clock.runs[job].estimated_end = start + seconds
    share = facts.jobs[job].time_share
    clock.runs[job].end = start + (seconds if share == 1.0 else seconds * share)


@InPlaceKernel
def hold_place(facts, clock, job):
    """Takes the best option of a job out of the plan of this event."""
    option = clock.best[job]
    start, way = clock.outlook[option].known, facts.ways[option]
    pool, end = way.pool, start + way.seconds
    occupy(clock.plan, pool, (way.units, facts.further[option]), start, end)
    spend(clock.left_now, facts.edges, (start, end), way.watts)
    clock.pools[pool].changed += 1


@InPlaceKernel
def _free_held(clock, profile, pool, option, span):
    """Gives back, for a span, what the job of an option holds; it is free earlier than was
    expected.
    """
    if len(clock.held) > 0 and clock.held[option].any():
        give_back(profile, pool, (0, clock.held[option]), span[0], span[1])
        ease(clock, pool)


@InPlaceKernel
def _take_held(facts, clock, job):
    """Lets a job that goes on take what it held."""
    option = clock.runs[job].option
    if len(clock.held) > 0:
        for resource in range(facts.further.shape[1]):
            facts.further[option, resource] += clock.held[option, resource]
            clock.held[option, resource] = 0


@InPlaceKernel
def place_job(facts, rules, clock, job, now):
    """Commits a job to its best option: it starts, gets a promise, or holds a place."""
    hold_place(facts, clock, job)
    option = clock.best[job]
    start, way = clock.outlook[option].known, facts.ways[option]
    end = start + way.seconds
    if rules.holds:
        if start > now:
            return
        occupy(clock.base, way.pool, (way.units, facts.further[option]), start, end)
    clock.pools[way.pool].based += 1
    spend(clock.left, facts.edges, (start, end), way.watts)
    clock.runs[job].option = option
    clock.runs[job].status = RUNNING
    _free_held(clock, clock.plan, way.pool, option, (end, np.inf))
    if start > now:
        clock.runs[job].status = RESERVED
        clock.counts[0].promised += 1
    else:
        _take_held(facts, clock, job)
    _begin(facts, clock, job, start)
    clock.underway[clock.counts[0].underway] = job
    clock.counts[0].underway += 1


@InPlaceKernel
def ease(clock, pool):
    """Notes that units of a pool are free earlier than was expected."""
    clock.pools[pool].eased += 1
    clock.counts[0].eased += 1


@InPlaceKernel
def leave(facts, clock, now):
    """Begins what has a promise for now, ends what is done by now; whether a unit came back before
    it was expected to.
    """
    kept = 0
    eased = False
    for place in range(clock.counts[0].underway):
        job = clock.underway[place]
        if clock.runs[job].status == RESERVED and clock.runs[job].start <= now:
            clock.runs[job].status = RUNNING
            clock.counts[0].promised -= 1
            _take_held(facts, clock, job)
        if clock.runs[job].status == RUNNING and clock.runs[job].end <= now:
            clock.runs[job].status = DONE
            option = clock.runs[job].option
            watts, end = facts.ways[option].watts, clock.runs[job].end
            if clock.runs[job].estimated_end > now:
                pool, until = facts.ways[option].pool, clock.runs[job].estimated_end
                taken = (facts.ways[option].units, facts.further[option])
                give_back(clock.base, pool, taken, now, until)
                ease(clock, pool)
                eased = True
            if clock.runs[job].estimated_end > end or facts.jobs[job].power_share != 1.0:
                span = (clock.runs[job].start, clock.runs[job].estimated_end)
                spend(clock.left, facts.edges, span, -watts)
                spend(clock.left, facts.edges, (span[0], end), watts * facts.jobs[job].power_share)
        else:
            clock.underway[kept] = job
            kept += 1
    clock.counts[0].underway = kept
    return eased


@InPlaceKernel
def pull_forward(facts, clock, now):
    """Moves promises to earlier starts where jobs have ended early, the earliest first."""
    size = 0
    for place in range(clock.counts[0].underway):
        job = clock.underway[place]
        if clock.runs[job].status == RESERVED:
            clock.heap[size] = job
            clock.key[job] = -clock.runs[job].start
            size += 1
    stack(clock.heap, clock.key, size)
    while size > 0:
        job = clock.heap[0]
        size = pop(clock.heap, clock.key, size)
        option = clock.runs[job].option
        pool, seconds = facts.ways[option].pool, facts.ways[option].seconds
        taken = (facts.ways[option].units, facts.further[option])
        span = (clock.runs[job].start, clock.runs[job].estimated_end)
        give_back(clock.base, pool, taken, span[0], span[1])
        start = earliest_start(clock.base, pool, taken, seconds, now)
        spend(clock.left, facts.edges, span, -facts.ways[option].watts)
        if start >= span[0] or not affordable(
            clock.left, facts.edges, (start, start + seconds), facts.ways[option].watts
        ):
            start = span[0]
        end = start + seconds if start != span[0] else span[1]
        occupy(clock.base, pool, taken, start, end)
        spend(clock.left, facts.edges, (start, end), facts.ways[option].watts)
        if start != span[0]:
            ease(clock, pool)
            _free_held(clock, clock.base, pool, option, (end, span[1]))
            _begin(facts, clock, job, start)
            if start <= now:
                clock.runs[job].status = RUNNING
                clock.counts[0].promised -= 1
                _take_held(facts, clock, job)


@InPlaceKernel
def mean_size(facts, job):
    """Core-seconds of a job, averaged over the pools where it may run at full speed."""
    total, count = 0.0, 0
    for option in range(facts.jobs[job].first, facts.jobs[job].last):
        if facts.ways[option].state == 0:
            cores = facts.ways[option].units * facts.cores[facts.ways[option].pool]
            total += facts.ways[option].seconds * cores
            count += 1
    return total / max(count, 1)


@InPlaceKernel
def arrive(facts, clock, now):
    """Takes in the jobs that have arrived by now."""
    counts = clock.counts
    job = counts[0].arrived
    while job < len(facts.jobs) and facts.jobs[job].arrival <= now:
        clock.runs[job].status = WAITING
        clock.waiting[counts[0].waiting] = job
        counts[0].waiting += 1
        size = mean_size(facts, job)
        clock.size_sum[0] += size
        clock.size_sum[1] += 1.0
        clock.size_sum[2] = max(clock.size_sum[2], size)
        job += 1
    counts[0].arrived = job


@InPlaceKernel
def drop_hopeless(facts, rules, clock, now):
    """Drops the jobs that can no longer be worth enough."""
    if rules.drop_below < 0.0:
        return
    kept = 0
    for place in range(clock.counts[0].waiting):
        job = clock.waiting[place]
        reach = worth_at(facts, job, now + facts.jobs[job].shortest, facts.jobs[job].most_extra)
        if reach < rules.drop_below or reach <= 0.0:
            clock.runs[job].status = DROPPED
            clock.runs[job].end = now
            option = facts.jobs[job].first  # the only one, if the job was suspended
            _free_held(clock, clock.base, facts.ways[option].pool, option, (now, np.inf))
        else:
            clock.waiting[kept] = job
            kept += 1
    clock.counts[0].waiting = kept


@InPlaceKernel
def let_go(clock):
    """Takes those that start or have a promise out of the waiting jobs."""
    kept = 0
    for place in range(clock.counts[0].waiting):
        job = clock.waiting[place]
        if clock.runs[job].status == WAITING:
            clock.waiting[kept] = job
            kept += 1
    clock.counts[0].waiting = kept


@InPlaceKernel
def next_moment(facts, clock):
    """When something happens next: an arrival, an end, or a promised start; or infinity."""
    moment = np.inf
    if clock.counts[0].arrived < len(facts.jobs):
        moment = facts.jobs[clock.counts[0].arrived].arrival
    for place in range(clock.counts[0].underway):
        job = clock.underway[place]
        begins = clock.runs[job].status == RESERVED
        moment = min(moment, clock.runs[job].start if begins else clock.runs[job].end)
    return moment
