"""Kernels that rank what may start now: a heap for each pool, of equal jobs only the first.

An item stands for an option: twice its place for that of a job that was stopped, and one more for
that of the first of equal jobs that wait. Its key is its measure when it was last looked at.
Measures never rise while a job waits, so the item on top is the best once its key is of this event.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import NamedTuple

import numpy as np

from core.engines.compute.compiled import InPlaceKernel
from core.engines.replay.heap import pop, push, sink
from core.engines.replay.measures import (
    ANY,
    EARLIEST,
    drawn_number,
    rated,
    worth_at,
)
from core.engines.replay.standing import WAITING
from core.engines.replay.workload import Workload
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray


class Ranks(NamedTuple):
    """Jobs `group[g]` to `group[g + 1] - 1` are equal, and those from `ahead[g]` on have not begun;
    `group_of` is the group of each job. Pool p has its items in `heap` from `first[p]` on, so many
    as `size[p]` says, and likewise `aside` those that are put there until the next event.
    """

    group: IntArray
    group_of: IntArray
    ahead: IntArray
    job_of: IntArray
    """The job of each option."""
    first_option: IntArray
    first: IntArray
    heap: IntArray
    size: IntArray
    aside: IntArray
    put: IntArray
    """How many items of each pool are put aside."""
    key: FloatArray
    age: IntArray
    """The event of each key."""
    there: BoolArray
    """Whether each item is in a heap or put aside."""
    victims: IntArray
    """The jobs of each pool that may be stopped at this event, the one with the least measure on
    top; those of pool p from `victim_first[p]` on, so many as `victim_size[p]` says."""
    victim_first: IntArray
    victim_size: IntArray
    chosen: IntArray
    """The jobs that would be stopped for the offer of each pool, from `victim_first[p]` on."""
    in_line: IntArray
    """As `victims` at the begin of the event, but in line: the highest measure first."""
    seen: IntArray
    """How many jobs had arrived when groups were last put into heaps."""


def ranks_of(workload: Workload, equal: BoolArray) -> Ranks:
    """Nothing waits yet. `equal[j]`: job j is equal to the one before it."""
    jobs, options, pools = len(workload.jobs), workload.options, len(workload.pools)
    count = len(options.pool)
    group = np.append(np.flatnonzero(~equal), jobs)
    sizes = 2 * np.bincount(options.pool, minlength=pools)

    def none(size: int) -> IntArray:
        return np.zeros(size, np.int64)

    return Ranks(
        group,
        np.cumsum(~equal) - 1,
        group[:-1].copy(),
        options.job,
        options.first,
        np.concatenate([[0], np.cumsum(sizes)]),
        none(2 * count),
        none(pools),
        none(2 * count),
        none(pools),
        np.zeros(2 * count),
        none(2 * count),
        np.zeros(2 * count, bool),
        none(jobs),
        none(pools + 1),
        none(pools),
        none(jobs),
        none(jobs),
        none(1),
    )


@InPlaceKernel
def starting_measure(facts, rules, measure, job, option, start):
    """The measure of an option that starts at a time; minus infinity if that is worth nothing."""
    seconds = facts.ways[option].seconds
    worth = worth_at(facts, job, start + seconds, facts.ways[option].extra)
    if worth <= 0.0:
        return -np.inf
    if measure == EARLIEST:
        return -float(job)
    if measure == ANY:  # an order of the jobs, and of the options of each
        return drawn_number(rules.seed, job, 0) + drawn_number(rules.seed, option, 1) / 2**30
    return rated(facts, measure, option, worth, seconds)


@InPlaceKernel
def drop_top(ranks, pool):
    """Takes the top of a pool out for good."""
    heap = ranks.heap[ranks.first[pool] : ranks.first[pool + 1]]
    ranks.there[heap[0]] = False
    ranks.size[pool] = pop(heap, ranks.key, ranks.size[pool])


@InPlaceKernel
def put_aside(ranks, pool):
    """Puts the top of a pool aside until the next event."""
    heap = ranks.heap[ranks.first[pool] : ranks.first[pool + 1]]
    ranks.aside[ranks.first[pool] + ranks.put[pool]] = heap[0]
    ranks.put[pool] += 1
    ranks.size[pool] = pop(heap, ranks.key, ranks.size[pool])


@InPlaceKernel
def bring_back(ranks, pool):
    """Brings back what was put aside in a pool."""
    heap = ranks.heap[ranks.first[pool] : ranks.first[pool + 1]]
    for one in range(ranks.put[pool]):
        item = ranks.aside[ranks.first[pool] + one]
        ranks.size[pool] = push(heap, ranks.key, ranks.size[pool], item)
    ranks.put[pool] = 0


@InPlaceKernel
def next_of(ranks, clock, group):
    """The first job of a group that waits and has not begun; -1 if none is left."""
    job, end = ranks.ahead[group], ranks.group[group + 1]
    while job < end and (clock.runs[job].status != WAITING or clock.stops[job].count > 0):
        job += 1
    ranks.ahead[group] = job
    return job if job < end else -1


@InPlaceKernel
def job_of(facts, ranks, clock, item):
    """The job that an item stands for now; -1 if none is left."""
    option = item // 2
    job = ranks.job_of[option]
    if item % 2 == 1:
        return next_of(ranks, clock, ranks.group_of[job])
    waits = clock.runs[job].status == WAITING and clock.stops[job].count > 0
    # Of a job that goes on with what was kept, other options may be there from an earlier stop.
    return job if waits and facts.jobs[job].first <= option < facts.jobs[job].last else -1


@InPlaceKernel
def option_of(ranks, job, item):
    """The option of a job that an item stands for."""
    option = item // 2
    return option + ranks.first_option[job] - ranks.first_option[ranks.job_of[option]]


@InPlaceKernel
def take_in(facts, rules, clock, ranks, measure, now):
    """Puts the options of jobs that have arrived since the last event into the heaps."""
    job = ranks.seen[0]
    while job < clock.counts[0].arrived:
        group = ranks.group_of[job]
        for option in range(facts.jobs[job].first, facts.jobs[job].last):
            _enter(facts, rules, clock, ranks, measure, (job, option, 2 * option + 1), now)
        job = ranks.group[group + 1]
    ranks.seen[0] = job


@InPlaceKernel
def take_back(facts, rules, clock, ranks, measure, job, now):
    """Puts the options of a job that was stopped into the heaps."""
    for option in range(facts.jobs[job].first, facts.jobs[job].last):
        _enter(facts, rules, clock, ranks, measure, (job, option, 2 * option), now)


@InPlaceKernel
def _enter(facts, rules, clock, ranks, measure, entry, now):
    job, option, item = entry
    if ranks.there[item] or (rules.fastest_only and facts.ways[option].state != 0):
        return
    ranks.key[item] = starting_measure(facts, rules, measure, job, option, now)
    ranks.age[item] = clock.counts[0].events
    if ranks.key[item] > -np.inf:
        pool = facts.ways[option].pool
        ranks.there[item] = True
        heap = ranks.heap[ranks.first[pool] : ranks.first[pool + 1]]
        ranks.size[pool] = push(heap, ranks.key, ranks.size[pool], item)


@InPlaceKernel
def look_again(facts, rules, clock, ranks, measure, pool, now):
    """Lets the item on top of a pool be the best of this event; -1 if none is left."""
    heap = ranks.heap[ranks.first[pool] : ranks.first[pool + 1]]
    while ranks.size[pool] > 0:
        item = heap[0]
        job = job_of(facts, ranks, clock, item)
        if job < 0:
            drop_top(ranks, pool)
            continue
        if ranks.age[item] == clock.counts[0].events:
            return item
        option = option_of(ranks, job, item)
        ranks.key[item] = starting_measure(facts, rules, measure, job, option, now)
        ranks.age[item] = clock.counts[0].events
        if ranks.key[item] == -np.inf:
            drop_top(ranks, pool)
        else:
            sink(heap, ranks.key, 0, ranks.size[pool])
    return -1
