"""Kernels that find the best option of a job, with as few searches of the plan as possible.

Every option has an upper bound on its measure: the measure if it starts as early as is not yet
excluded. Only the option with the highest bound is searched for its true start. If its bound then
still is the highest, it is the best: the same as if all had been searched.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.engines.compute.compiled import InPlaceKernel
from core.engines.replay.measures import (
    ANY,
    SURPLUS,
    affordable,
    drawn_number,
    measured,
    worth_at,
)
from core.engines.replay.profile import earliest_start, free_until, has_free

BLOCK: Final = 32
"""So many options of a job are ranked anew where the bound of one of them has changed."""
_FILTER_TASK = 2
"""As in `core.engines.replay.policy`."""
_GIVEN_UP = -2
"""In place of the measure of an outlook: its option is not used any more."""


@InPlaceKernel
def _allowed(facts, rules, limits, way):
    """Whether the policy and its filter let a job use an option."""
    if rules.fastest_only and way.state != 0:
        return False
    if rules.filter == 0:
        return True
    joules = way.seconds * way.watts
    if rules.filter == _FILTER_TASK:
        return joules <= limits[0]
    cores = way.units * facts.cores[way.pool]
    return joules <= limits[1] * (way.seconds * cores)


@InPlaceKernel
def begin_job(facts, rules, clock, measure, job, now):
    """Bounds the options of a job at the begin of an event, by what is known from before."""
    first, last = facts.jobs[job].first, facts.jobs[job].last
    # A job that starts only after the end is looked at again where the policy may drop it.
    drawn, shut = -1, measure != ANY and rules.filter == 0 and not rules.drops
    if measure == ANY:
        number = drawn_number(rules.seed, job, clock.counts[0].events)
        drawn = first + int(number * (last - first))
    plain = rules.filter == 0 and not rules.fastest_only
    for option in range(first, last):
        way, outlook = facts.ways[option], clock.outlook[option]
        outlook.stamp = -1
        outlook.bound = -np.inf
        outlook.known = np.inf
        if outlook.floor_measure == _GIVEN_UP or (drawn >= 0 and option != drawn):
            continue
        if not plain and not _allowed(facts, rules, clock.limits, way):
            continue
        pool = clock.pools[way.pool]
        if outlook.floor_age != pool.eased or outlook.floor < now:
            profile = clock.base if rules.holds else clock.plan
            _find_floor(profile, clock.pools, way, facts.further[option], outlook, now)
        outlook.known = outlook.floor
        if outlook.known >= facts.end:
            continue
        shut = False
        if outlook.floor_stamp == pool.based and (pool.changed == 0 or not rules.holds):
            outlook.stamp = pool.changed
            span = (outlook.known, outlook.known + way.seconds)
            if not affordable(clock.left_now, facts.edges, span, way.watts):
                clock.counts[0].out += 1
                continue
        if outlook.floor_measure != measure:
            outlook.floor_measure = measure
            outlook.floor_bound = measured(facts, rules, measure, job, option, outlook.floor)
        outlook.bound = outlook.floor_bound
    if shut:
        clock.runs[job].shut = clock.counts[0].eased + 1


@InPlaceKernel
def give_up(facts, rules, clock, job, now):
    """Gives up the options of a job that are worth no more than their price even if they start now.

    Worth only falls, so this holds until prices are set anew.
    """
    for option in range(facts.jobs[job].first, facts.jobs[job].last):
        outlook = clock.outlook[option]
        if outlook.floor_measure == SURPLUS and outlook.floor_bound == -np.inf:
            end = now + facts.ways[option].seconds
            if worth_at(facts, job, end, facts.ways[option].extra) <= rules.price[option]:
                outlook.floor_measure = _GIVEN_UP


@InPlaceKernel
def _find_floor(profile, pools, way, further, outlook, now):
    """Finds the earliest start of an option beside what runs or has a promise."""
    pool = pools[way.pool]
    since = max(now, outlook.floor) if outlook.floor_age == pool.eased else now
    outlook.floor = earliest_start(profile, way.pool, (way.units, further), way.seconds, since)
    outlook.floor_age = pool.eased
    outlook.floor_stamp = pool.based
    outlook.floor_measure = -1


@InPlaceKernel
def _highest(outlook, first, last):
    """The option with the highest bound, of equal ones the first."""
    best = first
    for option in range(first + 1, last):
        if outlook[option].bound > outlook[best].bound:
            best = option
    return best


@InPlaceKernel
def _highest_front(clock, first, last, changed):
    """The same of many options, which are looked through in blocks."""
    best = first
    for begin in range(first, last, BLOCK):
        end = min(begin + BLOCK, last)
        if changed < 0 or begin <= changed < end:
            clock.fronts[begin] = _highest(clock.outlook, begin, end)
        if clock.outlook[clock.fronts[begin]].bound > clock.outlook[best].bound:
            best = clock.fronts[begin]
    return best


@InPlaceKernel
def rank_job(facts, rules, clock, measure, job, changed):
    """Finds the option of a job with the highest bound, of equal ones the first; whether any.

    `changed` is the only option whose bound has changed since the last time; -1: any may have. So
    a job with many options, as on many hosts, is not looked through after each search.
    """
    first, last = facts.jobs[job].first, facts.jobs[job].last
    if last - first > BLOCK:
        best = _highest_front(clock, first, last, changed)
    else:
        best = _highest(clock.outlook, first, last)
    value = clock.outlook[best].bound
    clock.best[job] = best
    if value == -np.inf:
        return False
    clock.key[job] = value
    if measure == SURPLUS:
        clock.key[job] = value * clock.tilt[job] / rules.least_size[job]
    return True


@InPlaceKernel
def is_exact(facts, clock, job):
    """Whether the start of the best option of a job is known, and the energy for it is left.

    If it is not left, the option is out.
    """
    option = clock.best[job]
    way, outlook = facts.ways[option], clock.outlook[option]
    if outlook.stamp != clock.pools[way.pool].changed:
        return False
    span = (outlook.known, outlook.known + way.seconds)
    if affordable(clock.left_now, facts.edges, span, way.watts):
        return True
    outlook.bound = -np.inf
    clock.counts[0].out += 1
    return False


@InPlaceKernel
def search_option(facts, rules, clock, measure, job):
    """Finds the earliest start of the best option of a job, values it there, and ranks the job
    again; whether it has any option.
    """
    option = clock.best[job]
    way, outlook = facts.ways[option], clock.outlook[option]
    pool = clock.pools[way.pool]
    if outlook.stamp == pool.changed:
        return rank_job(facts, rules, clock, measure, job, option)
    known = outlook.known
    taken = (way.units, facts.further[option])
    start = earliest_start(clock.plan, way.pool, taken, way.seconds, known)
    outlook.known = start
    outlook.stamp = pool.changed
    if not rules.holds or pool.changed == 0:
        outlook.floor_stamp = pool.based
        if start > known:
            outlook.floor = start
            outlook.floor_measure = -1
    if start == known:
        return True
    outlook.bound = -np.inf
    if start < facts.end:
        outlook.bound = measured(facts, rules, measure, job, option, start)
    return rank_job(facts, rules, clock, measure, job, option)


@InPlaceKernel
def find_best(facts, rules, clock, measure, job):
    """Finds the best option of a job that has been begun, in the present plan; whether any."""
    found = rank_job(facts, rules, clock, measure, job, -1)
    while found and not is_exact(facts, clock, job):
        found = search_option(facts, rules, clock, measure, job)
    return found


@InPlaceKernel
def could_start(facts, rules, clock, measure, job, now):
    """Whether an option of a job, which has been begun, can start now."""
    for option in range(facts.jobs[job].first, facts.jobs[job].last):
        way = facts.ways[option]
        if clock.outlook[option].known > now or way.units > clock.plan.free[way.pool, 0]:
            continue
        end = now + way.seconds
        if (
            free_until(clock.plan, way.pool, (way.units, facts.further[option]), end)
            and affordable(clock.left_now, facts.edges, (now, end), way.watts)
            and (measure != SURPLUS or measured(facts, rules, measure, job, option, now) > -np.inf)
        ):
            return True
    return False


@InPlaceKernel
def fits_now(one, ways, further, plan):
    """Whether some option of a job takes no more than is free at this moment."""
    only_units = further.shape[1] == 0
    for option in range(one.first, one.last):
        pool, units = ways[option].pool, ways[option].units
        if units <= plan.free[pool, 0] and (
            only_units or has_free(plan, pool, 0, (units, further[option]))
        ):
            return True
    return False


@InPlaceKernel
def revive_options(facts, rules, clock, measure, job, taken):
    """Bounds anew the options that are out, or whose measure may rise, after the plan changed.

    `taken` is the pool and the span of what was placed. Other options keep their starts.
    """
    pool, start, end = taken
    for option in range(facts.jobs[job].first, facts.jobs[job].last):
        way, outlook = facts.ways[option], clock.outlook[option]
        known = outlook.known
        if way.pool != pool or known >= facts.end:
            continue
        if outlook.bound > -np.inf:
            continue
        if known < end and known + way.seconds > start:
            outlook.bound = measured(facts, rules, measure, job, option, known)
        elif outlook.stamp == clock.pools[pool].changed - 1:
            outlook.stamp += 1
