"""Kernels of the published policies that order a waiting job and a running one as a pair.

Whichever of the two orders on the units of the running job has more of the measure counts; if both
have as much, the running job stays. Of running jobs of a pool with which as much comes of it, the
one with the highest measure counts, and of these the first to arrive. A job that is stopped at an
event is not looked at again at it: otherwise some events would not end.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import NamedTuple

import numpy as np

from core.engines.compute.compiled import InPlaceKernel, Kernel
from core.engines.replay.heap import pop, stack
from core.engines.replay.measures import rated, worth_at
from core.engines.replay.standing import WAITING, place_job
from core.engines.replay.stopping.deciding import (
    find_victims,
    free_now,
    further_suffices,
    halt_all,
    payable,
)
from core.engines.replay.stopping.ranks import next_of
from core.vocabulary.arrays import FloatArray, IntArray

_NOTHING, _IDLE, _FIRST, _AFTER = 0, 1, 2, 3
"""What to do with a job: nothing, start it on free units, before another job, or after it."""


@InPlaceKernel
def _ended(facts, measure, job, option, seconds, end):
    """The measure of a job for so many seconds on an option, if it ends then."""
    return rated(
        facts, measure, option, worth_at(facts, job, end, facts.ways[option].extra), seconds
    )


@InPlaceKernel
def _could_be_worth(facts, job, now):
    """Whether a job is worth something if it starts now, wherever that is."""
    for option in range(facts.jobs[job].first, facts.jobs[job].last):
        way = facts.ways[option]
        if worth_at(facts, job, now + way.seconds, way.extra) > 0.0:
            return True
    return False


class VictimLine(NamedTuple):
    """Jobs that may be stopped, in line: those of pool p are the classes from `first[p]` on, the
    highest measure first. The jobs of class c are equal, run alike, and stand in `Ranks.in_line`
    from `head[c]` to before `tail[c]`; they have the measure `key[c]`.
    """

    first: IntArray
    head: IntArray
    tail: IntArray
    key: FloatArray


@Kernel
def _line_up_victims(clock, ranks):
    """Puts the jobs of each pool that may be stopped in line."""
    pools, many = len(ranks.victim_size), ranks.victim_first[-1]
    first, head = np.zeros(pools + 1, np.int64), np.empty(many, np.int64)
    tail, key, count = np.empty(many, np.int64), np.empty(many), 0
    for pool in range(pools):
        begin, end = ranks.victim_first[pool], ranks.victim_first[pool + 1]
        jobs = np.sort(ranks.victims[begin:end])
        ranks.in_line[begin:end] = jobs[np.argsort(clock.key[jobs], kind="mergesort")]
        for place in range(begin, end):
            job = ranks.in_line[place]
            if place == begin or not _runs_like(clock, ranks, ranks.in_line[place - 1], job):
                head[count], key[count] = place, -clock.key[job]
                count += 1
            tail[count - 1] = place + 1
        first[pool + 1] = count
    return VictimLine(first, head, tail, key)


@InPlaceKernel
def _runs_like(clock, ranks, one, other):
    """Whether two jobs are equal, and began together in the same way."""
    run, beside = clock.runs[one], clock.runs[other]
    return (
        ranks.group_of[one] == ranks.group_of[other]
        and run.start == beside.start
        and run.estimated_end == beside.estimated_end
        and run.option - ranks.first_option[one] == beside.option - ranks.first_option[other]
    )


@InPlaceKernel
def _victim_of(clock, ranks, line, one):
    """The first job of a class that still runs; -1 if none does."""
    while line.head[one] < line.tail[one]:
        job = ranks.in_line[line.head[one]]
        if clock.runs[job].status != WAITING:
            return job
        line.head[one] += 1
    return -1


@InPlaceKernel
def _consider(facts, rules, clock, ranks, seen, job, now):
    """What to do with a job: that, its option, the job to stop, and its own measure. `seen` has the
    free units of each pool, and the jobs that may be stopped.
    """
    free, line = seen
    measure = rules.measure
    net, order, pair, victim, own = -np.inf, _NOTHING, -1, -1, 0.0
    alone, idle, only_units = 0.0, -1, facts.further.shape[1] == 0
    if not _could_be_worth(facts, job, now):
        return order, pair, victim, own
    for option in range(facts.jobs[job].first, facts.jobs[job].last):
        way = facts.ways[option]
        units = free[way.pool]
        if way.units > units and clock.stops[job].may_stop_others == 0:
            continue
        first = _ended(facts, measure, job, option, way.seconds, now + way.seconds)
        if (
            way.units <= units
            and first > alone
            and (only_units or further_suffices(facts, rules, clock, option, ranks.in_line[:0]))
        ):
            alone, idle = first, option
        if clock.stops[job].may_stop_others == 0:
            continue
        for one in range(line.first[way.pool], line.first[way.pool + 1]):
            stays = line.key[one]
            if first + stays <= net:
                break  # neither order has more, nor with those that follow
            other = _victim_of(clock, ranks, line, one)
            if other < 0:
                continue
            run, place = clock.runs[other], line.head[one]
            if units + facts.ways[run.option].units < way.units:
                continue
            if not only_units and not further_suffices(
                facts, rules, clock, option, ranks.in_line[place : place + 1]
            ):
                continue
            remains, end = run.estimated_end - now, run.estimated_end + way.seconds
            waits = _ended(facts, measure, other, run.option, remains, end)
            second = _ended(facts, measure, job, option, way.seconds, end)
            either = max(first + waits, stays + second)
            if either > net:
                pair, victim = option, other
                if first + waits > stays + second:
                    net, order, own = first + waits, _FIRST, first
                else:
                    net, order, own = stays + second, _AFTER, second
    if idle >= 0:
        beside = 0.0
        if victim >= 0:
            run = clock.runs[victim]
            remains = run.estimated_end - now
            beside = _ended(facts, measure, victim, run.option, remains, run.estimated_end)
        if net <= alone + beside:
            return _IDLE, idle, -1, alone
    if order == _FIRST and own <= 0.0:
        order = _NOTHING
    return order, pair, victim, own


@Kernel
def decide_pairs(facts, rules, clock, ranks, now):
    """Starts the job with the highest measure of those that should, again and again."""
    find_victims(facts, rules, clock, ranks, rules.measure, now)
    line = _line_up_victims(clock, ranks)
    free = np.array([free_now(rules, clock, pool) for pool in range(len(ranks.victim_size))])
    seen = free, line
    many = clock.counts[0].waiting
    todo, pool_of = np.empty(many, np.int64), np.full(many, -1)
    what, option, victim = np.empty(many, np.int64), np.empty(many, np.int64), np.full(many, -1)
    own, count, heap, size, changed = np.empty(many), 0, np.empty(many, np.int64), 0, True
    for place in range(many):
        job = clock.waiting[place]
        if clock.stops[job].again > now:
            continue
        if clock.stops[job].count > 0 or job == next_of(ranks, clock, ranks.group_of[job]):
            todo[count] = job
            count += 1
    while True:
        if changed:
            size, changed = 0, False
            for one in range(count):
                if todo[one] < 0:
                    continue
                if pool_of[one] < 0:
                    found = _consider(facts, rules, clock, ranks, seen, todo[one], now)
                    what[one], option[one], victim[one], own[one] = found
                    pool_of[one] = 0 if found[1] < 0 else facts.ways[found[1]].pool
                if what[one] != _NOTHING:
                    heap[size] = one
                    size += 1
            stack(heap, own, size)
        if size == 0:
            return
        best = heap[0]
        size = pop(heap, own, size)
        job, pool = todo[best], pool_of[best]
        todo[best] = -1
        if what[best] == _AFTER or (what[best] == _FIRST and now + rules.stop_seconds >= facts.end):
            continue
        start, jobs = now, np.full(what[best] - _IDLE, victim[best])
        if what[best] == _FIRST:
            start += rules.stop_seconds
        if not payable(facts, rules, clock, facts.ways[option[best]], start, jobs, now):
            continue
        if what[best] == _FIRST:
            halt_all(facts, rules, clock, ranks, jobs, job, now)
        clock.best[job] = option[best]
        clock.outlook[option[best]].known = start
        place_job(facts, rules, clock, job, now)
        group = ranks.group_of[job]
        if job == ranks.ahead[group]:
            todo[best] = next_of(ranks, clock, group)
        free[pool] = free_now(rules, clock, pool)
        for one in range(count):
            if pool_of[one] != pool or todo[one] < 0:
                continue
            needs, gone = facts.ways[option[one]].units - free[pool], False
            if victim[one] >= 0:
                run = clock.runs[victim[one]]
                gone = run.status == WAITING or needs > facts.ways[run.option].units
            elif what[one] == _IDLE:
                gone = needs > 0
            if not gone and what[one] != _NOTHING:
                stopped = victim[one : one + (1 if victim[one] >= 0 else 0)]
                gone = not further_suffices(facts, rules, clock, option[one], stopped)
            if gone or one == best:
                pool_of[one] = -1
                changed = True
