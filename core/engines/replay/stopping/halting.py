"""Kernels that stop a job, and say what that loses; it goes on later with what is kept."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.engines.compute.compiled import InPlaceKernel
from core.engines.replay.measures import rated, spend, worth_at
from core.engines.replay.profile import give_back, occupy
from core.engines.replay.standing import RUNNING, WAITING, ease
from core.vocabulary.tolerances import NOT_DIVISIBLE

PRICES: Final = 5
_LEAST_MEASURE, _YOUNGEST, _OLDEST, _LEAST_LOST = 0, 1, 2, 3
"""As in `core.engines.replay.stopping.rules`."""
_AGAIN: Final = 2.0
"""How many times its price lost work counts. Found on four drawn days of urgent jobs, which judge
no policy: from 1 to 2, worth hardly changes, and less is lost.
"""


@InPlaceKernel
def kept_of(rules, done):
    """How many of the seconds that a job has done are kept if it is stopped."""
    if rules.checkpoints == 0.0:
        return done
    return np.floor(done / rules.checkpoints) * rules.checkpoints


@InPlaceKernel
def may_halt(rules, clock, job, now):
    """Whether a job may be stopped now, and that would free its units earlier."""
    run = clock.runs[job]
    return (
        run.status == RUNNING
        and clock.stops[job].may_be_stopped == 1
        and run.start < now
        and now - run.start >= rules.least_run
        and clock.stops[job].count < rules.most_stops
        and now + rules.stop_seconds < run.estimated_end
    )


@InPlaceKernel
def lost_seconds(rules, clock, job, now):
    """How many seconds of its work a job loses if it is stopped now."""
    run, stop = clock.runs[job], clock.stops[job]
    done = stop.kept + max(now - run.start - stop.lead, 0.0)
    return done - kept_of(rules, done)


@InPlaceKernel
def standing_measure(facts, rules, clock, measure, job, now):
    """The measure of a job that runs: of its worth at its expected end, for what remains of it. By
    prices, that is its worth above the price of what remains; what it would lose is added, and
    counts for more than its price: it has to be done again when cores may be dearer.
    """
    run, way = clock.runs[job], facts.ways[clock.runs[job].option]
    worth = worth_at(facts, job, run.estimated_end, way.extra)
    remaining = max(run.estimated_end - now, NOT_DIVISIBLE)
    if rules.technique == PRICES:
        rate = rules.price[run.option] / way.seconds
        lost = lost_seconds(rules, clock, job, now) + rules.stop_seconds + rules.resume_seconds
        return max(worth - rate * remaining, 0.0) + _AGAIN * rate * lost
    return rated(facts, measure, run.option, worth, remaining)


@InPlaceKernel
def loss_of(facts, rules, clock, measure, job, now):
    """What says whom to stop first, of jobs that may be: the least of it."""
    run = clock.runs[job]
    if rules.whom == _LEAST_MEASURE:
        return max(standing_measure(facts, rules, clock, measure, job, now), 0.0)
    if rules.whom == _LEAST_LOST:
        way = facts.ways[run.option]
        return lost_seconds(rules, clock, job, now) * way.units * facts.cores[way.pool]
    return run.start if rules.whom == _OLDEST else -run.start


@InPlaceKernel
def by_age(rules):
    """Whether jobs are stopped in an order, and not for the least loss together."""
    return rules.whom == _YOUNGEST or rules.whom == _OLDEST


@InPlaceKernel
def halt(facts, rules, clock, job, other, now):
    """Stops a job for another one: it waits again, with what is kept of it; its units and the
    energy that was set aside for it are given back, and its further resources unless it holds
    them. May be called once for a job at an event.
    """
    run, stop, option = clock.runs[job], clock.stops[job], clock.runs[job].option
    way = facts.ways[option]
    until = now + rules.stop_seconds
    kept = kept_of(rules, stop.kept + max(now - run.start - stop.lead, 0.0))
    gained = kept - stop.kept
    _note_piece(clock, job, other, (now, until), gained)
    _take_out(clock, job)
    planned, real = (run.start, run.estimated_end), (run.start, until)
    drawn = way.watts * facts.jobs[job].power_share
    for left in (clock.left, clock.left_now):
        spend(left, facts.edges, planned, -way.watts)
        spend(left, facts.edges, real, drawn)
    taken = (way.units, facts.further[option])
    give_back(clock.plan, way.pool, taken, until, run.estimated_end)
    if len(clock.held) > 0:
        occupy(clock.plan, way.pool, (0, facts.further[option]), until, np.inf)
        for resource in range(facts.further.shape[1]):
            clock.held[option, resource] = facts.further[option, resource]
            facts.further[option, resource] = 0
    ease(clock, way.pool)
    clock.pools[way.pool].changed += 1
    if kept > 0.0:
        _shorten(facts, rules, clock, job, gained)
    stop.kept = kept
    stop.again = until
    stop.count += 1
    run.status = WAITING
    run.option = -1
    run.start = np.nan
    run.end = np.nan
    run.estimated_end = np.nan
    run.decided = clock.counts[0].events + 1
    run.shut = 0
    clock.halted[clock.counts[0].halted] = job
    clock.counts[0].halted += 1


@InPlaceKernel
def _note_piece(clock, job, other, stopped, gained):
    """Writes down the part of a job that is stopped now; its units are free a little later."""
    run, piece = clock.runs[job], clock.pieces[clock.counts[0].pieces]
    piece.job, piece.option, piece.stopped_for = job, run.option, other
    piece.start, piece.end = run.start, stopped[1]
    piece.lead, piece.kept = min(clock.stops[job].lead, stopped[0] - run.start), gained
    clock.counts[0].pieces += 1


@InPlaceKernel
def _take_out(clock, job):
    """Takes a job out of those that are underway."""
    kept = 0
    for place in range(clock.counts[0].underway):
        clock.underway[kept] = clock.underway[place]
        if clock.underway[place] != job:
            kept += 1
    clock.counts[0].underway = kept


@InPlaceKernel
def _shorten(facts, rules, clock, job, gained):
    """Lets the option that a job was stopped on be the only one, and take what remains."""
    stop, option = clock.stops[job], clock.runs[job].option
    way = facts.ways[option]
    before, real = way.seconds, way.seconds * facts.jobs[job].time_share
    after = before - stop.lead - gained + rules.resume_seconds
    remains = real - stop.lead - gained + rules.resume_seconds
    stop.lead = rules.resume_seconds
    facts.jobs[job].time_share = 1.0 if real == before else remains / after
    if len(rules.price) > 0:
        rules.price[option] *= after / before
    way.seconds = after
    clock.outlook[option].floor_age = -1
    clock.outlook[option].floor_measure = -1
    facts.jobs[job].first, facts.jobs[job].last = option, option + 1
    facts.jobs[job].shortest = after


@InPlaceKernel
def wait_again(clock):
    """Puts the jobs that were stopped at this event, and still wait, back in line by arrival."""
    halted, counts = clock.halted, clock.counts[0]
    count = 0
    for one in range(counts.halted):
        job, place = halted[one], count
        if clock.runs[job].status != WAITING:
            continue
        while place > 0 and halted[place - 1] > job:
            halted[place] = halted[place - 1]
            place -= 1
        halted[place] = job
        count += 1
    take, merged = counts.waiting - 1, counts.waiting + count - 1
    for one in range(count - 1, -1, -1):
        while take >= 0 and clock.waiting[take] > halted[one]:
            clock.waiting[merged] = clock.waiting[take]
            take, merged = take - 1, merged - 1
        clock.waiting[merged] = halted[one]
        merged -= 1
    counts.waiting += count
    counts.halted = 0
