"""Kernels that stop jobs of lower tiers, as Slurm does: by rank alone, whatever they are worth."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engines.compute.compiled import Kernel
from core.engines.replay.deciding import line_up, now_or_never
from core.engines.replay.measures import PER_TIME
from core.engines.replay.options import begin_job, could_start, find_best, fits_now
from core.engines.replay.profile import earliest_start, give_back, occupy
from core.engines.replay.standing import place_job
from core.engines.replay.stopping.covering import cover, cover_in_order
from core.engines.replay.stopping.deciding import payable
from core.engines.replay.stopping.halting import by_age, halt, loss_of, may_halt

_FEW_TIERS = 64
"""For so few, jobs are counted by tier: a sort took half the time of a day with many that wait."""


@Kernel
def _lower(facts, rules, clock, pool, tier, now):
    """The jobs of lower tiers in a pool that may be stopped."""
    found, count = np.empty(clock.counts[0].underway, np.int64), 0
    for place in range(len(found)):
        job = clock.underway[place]
        if (
            may_halt(rules, clock, job, now)
            and facts.ways[clock.runs[job].option].pool == pool
            and clock.stops[job].tier < tier
        ):
            found[count] = job
            count += 1
    return found[:count]


@Kernel
def _whom(facts, rules, clock, jobs, missing, now):
    """Which of these jobs to stop for so many units: of the lowest tiers that have enough of them,
    and of those by the rule; none if they are too few.
    """
    count = len(jobs)
    units, tier, loss = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count)
    for one in range(count):
        units[one] = facts.ways[clock.runs[jobs[one]].option].units
        tier[one] = clock.stops[jobs[one]].tier
        loss[one] = loss_of(facts, rules, clock, PER_TIME, jobs[one], now)
    taken = np.zeros(count, np.bool_)
    by_loss = np.argsort(loss, kind="mergesort")
    order = by_loss[np.argsort(tier[by_loss], kind="mergesort")]
    there, most = 0, 0
    while most < count and there < missing:
        there += units[order[most]]
        most += 1
    if there < missing:
        return jobs[:0]
    highest = tier[order[most - 1]]
    if by_age(rules):
        cover_in_order(units, order, missing, taken)
        return jobs[taken]
    # All of the tiers below are needed, but for what a job of the highest tier has too much.
    for one in range(count):
        if tier[one] < highest:
            missing -= units[one]
            taken[one] = True
    last = np.flatnonzero(tier == highest)
    among = np.zeros(len(last), np.bool_)
    cover(units[last], loss[last], missing, among)
    for one in range(len(last)):
        taken[last[one]] = among[one]
        missing -= units[last[one]] if among[one] else 0
    for one in order[::-1]:
        if taken[one] and missing + units[one] <= 0:
            taken[one] = False
            missing += units[one]
    return jobs[taken]


@Kernel
def _fits_without(facts, clock, option, start, jobs):
    """Whether an option could start at a time if these jobs stopped then, and all promises were
    kept.
    """
    way = facts.ways[option]
    plan, holding, fits = clock.plan, len(clock.held) > 0, True
    # Jobs that run hold nothing yet: they give back units alone.
    back = clock.held if holding else facts.further
    for job in jobs:
        mine, end = clock.runs[job].option, clock.runs[job].estimated_end
        give_back(plan, way.pool, (facts.ways[mine].units, back[mine]), start, end)
        if holding:
            held = (0, facts.further[mine])
            fits = fits and earliest_start(plan, way.pool, held, np.inf, end) == end
            occupy(plan, way.pool, held, end, np.inf)
    taken = (way.units, facts.further[option])
    fits = fits and earliest_start(plan, way.pool, taken, way.seconds, start) == start
    for job in jobs:
        mine, end = clock.runs[job].option, clock.runs[job].estimated_end
        occupy(plan, way.pool, (facts.ways[mine].units, back[mine]), start, end)
        if holding:
            give_back(plan, way.pool, (0, facts.further[mine]), end, np.inf)
    return fits


@Kernel
def _start_instead(facts, rules, clock, job, now):
    """Starts a job in place of others of lower tiers, on the first option where that can be done;
    whether there is one.
    """
    start = now + rules.stop_seconds
    for option in range(facts.jobs[job].first, facts.jobs[job].last):
        way = facts.ways[option]
        missing = way.units - clock.plan.free[way.pool, 0]
        if missing <= 0 or start >= facts.end or (rules.fastest_only and way.state != 0):
            continue
        lower = _lower(facts, rules, clock, way.pool, clock.stops[job].tier, now)
        jobs = _whom(facts, rules, clock, lower, missing, now)
        if (
            len(jobs) > 0
            and payable(facts, rules, clock, way, start, jobs, now)
            and _fits_without(facts, clock, option, start, jobs)
        ):
            for one in jobs:
                halt(facts, rules, clock, one, job, now)
            clock.best[job] = option
            clock.outlook[option].known = start
            place_job(facts, rules, clock, job, now)
            return True
    return False


@Kernel
def _lowest(rules, clock, now):
    """The lowest tier of a job that may be stopped."""
    found = np.int64(2**62)
    for place in range(clock.counts[0].underway):
        job = clock.underway[place]
        if may_halt(rules, clock, job, now):
            found = min(found, clock.stops[job].tier)
    return found


@Kernel
def _by_tier(clock):
    """The jobs in line, those of the highest tier first, and each tier in the order of arrival."""
    line = clock.line[: clock.counts[0].lined]
    lowest, highest = np.int64(2**62), -np.int64(2**62)
    for job in line:
        lowest = min(lowest, clock.stops[job].tier)
        highest = max(highest, clock.stops[job].tier)
    if highest - lowest >= _FEW_TIERS:
        tier = np.empty(len(line), np.int64)
        for place in range(len(line)):
            tier[place] = -clock.stops[line[place]].tier
        return line[np.argsort(tier, kind="mergesort")]
    found, first = np.empty(len(line), np.int64), np.zeros(_FEW_TIERS + 1, np.int64)
    for job in line:
        first[highest - clock.stops[job].tier + 1] += 1
    for behind in range(_FEW_TIERS):
        first[behind + 1] += first[behind]
    for job in line:
        behind = highest - clock.stops[job].tier
        found[first[behind]] = job
        first[behind] += 1
    return found


@Kernel
def decide_by_tiers(facts, rules, clock, ranks, now):
    """The jobs of the highest tier first, by arrival; those of lower tiers give way. Where a job
    that cannot start now just waits, so do the next ones that are equal.
    """
    line_up(clock)
    lowest, failed = _lowest(rules, clock, now), -1
    for job in _by_tier(clock):
        group = ranks.group_of[job] if clock.stops[job].count == 0 else -1
        if clock.stops[job].again > now or (group >= 0 and group == failed):
            continue
        never = now_or_never(rules, clock)
        failed = group if never else -1
        may_stop = clock.stops[job].may_stop_others == 1 and clock.stops[job].tier > lowest
        fits = fits_now(facts.jobs[job], facts.ways, facts.further, clock.plan)
        if never and not fits and not may_stop:
            continue
        begin_job(facts, rules, clock, rules.measure, job, now)
        starts = fits and could_start(facts, rules, clock, rules.measure, job, now)
        if not starts and may_stop and _start_instead(facts, rules, clock, job, now):
            failed = -1
            continue
        if (never and not starts) or not find_best(facts, rules, clock, rules.measure, job):
            continue
        if clock.outlook[clock.best[job]].known <= now or not never:
            place_job(facts, rules, clock, job, now)
            failed = -1
