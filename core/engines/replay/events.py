"""A mapping event from its begin to its end, and many of them.

At an event, jobs that are done leave, reserved jobs begin, new jobs arrive, hopeless ones are
dropped, and the policy decides.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.engines.compute.compiled import InPlaceKernel
from core.engines.replay.deciding import decide_by_measure, decide_in_line
from core.engines.replay.measures import PER_ENERGY, PER_RESOURCE, steady_joules, window_at
from core.engines.replay.profile import copy_profile, forget_before, unused
from core.engines.replay.standing import (
    arrive,
    drop_hopeless,
    leave,
    let_go,
    next_moment,
    pull_forward,
)

_BEST = 2
"""As in `core.engines.replay.policy`."""
NO_MORE: Final = 2**62


@InPlaceKernel
def _set_limits(facts, rules, clock, now):
    """How much energy a job, and a second of a core, may take at this event."""
    window = window_at(facts.edges, now)
    until = min(facts.edges[window + 1], facts.end)
    remaining = 0.0
    for pool in range(len(facts.cores)):
        remaining += facts.cores[pool] * unused(clock.base, pool, now, until)
    if remaining <= 0.0 or np.isinf(clock.left[window]):
        clock.limits[:] = np.inf
        return
    mean = clock.size_sum[0] / max(clock.size_sum[1], 1.0)
    clock.limits[0] = rules.leniency * clock.left[window] * mean / remaining
    clock.limits[1] = rules.leniency * clock.left[window] / remaining


@InPlaceKernel
def begin_event(facts, rules, clock, now):
    """Lets happen what has happened by now, and begins a plan; whether a job waits for it."""
    clock.counts[0].picks = 0
    clock.counts[0].out = 0
    for pool in range(len(facts.cores)):
        forget_before(clock.base, pool, now)
    if leave(facts, clock, now) and rules.promises:
        pull_forward(facts, clock, now)
        leave(facts, clock, now)
    arrive(facts, clock, now)
    drop_hopeless(facts, rules, clock, now)
    if clock.counts[0].waiting == 0 or now >= facts.end:
        return False
    for window in range(len(clock.left)):
        clock.left_now[window] = clock.left[window]
    copy_profile(clock.base, clock.plan)
    for pool in range(len(clock.pools)):
        clock.pools[pool].changed = 0
    return True


@InPlaceKernel
def run_event(facts, rules, clock, looked, now):
    """One mapping event; returns the measure that it ended with."""
    measure = rules.measure
    if begin_event(facts, rules, clock, now):
        if rules.filter != 0:
            _set_limits(facts, rules, clock, now)
        if rules.switch != 0:
            window = window_at(facts.edges, now)
            spent = clock.budget[window] - clock.left[window]
            goal = steady_joules(clock.budget, facts.edges, now)
            over = not np.isinf(clock.budget[window]) and spent > goal
            measure = PER_ENERGY if over else PER_RESOURCE
        if rules.order == _BEST:
            measure = decide_by_measure(facts, rules, clock, looked, measure, now)
        else:
            decide_in_line(facts, rules, clock, looked, now)
        if not rules.holds:
            copy_profile(clock.plan, clock.base)
        let_go(clock)
    clock.counts[0].events += 1
    return measure


@InPlaceKernel
def room_needed(facts, clock, now):
    """An upper bound on the steps of a pool during an event at this time.

    A job that waits may begin and end a step; one that ends early, or whose promise moves, leaves
    its old ones, too.
    """
    arriving = 0
    counts = clock.counts[0]
    known = counts.arrived
    while known + arriving < len(facts.jobs) and facts.jobs[known + arriving].arrival <= now:
        arriving += 1
    steps = 0
    for pool in range(len(clock.base.steps)):
        steps = max(steps, clock.base.steps[pool])
    return steps + 2 * (counts.waiting + arriving) + 4 * counts.underway + 4


@InPlaceKernel
def note_event(facts, clock, row, pace):
    """Writes a row of the tally; the number of the next event (`NO_MORE`: there is none)."""
    (tally, place, measure), (number, every, only_news) = row, pace
    tally.time[place] = number * every
    tally.waiting[place] = clock.counts[0].waiting
    tally.measure[place] = measure
    moment = next_moment(facts, clock)
    waits = clock.counts[0].waiting > 0
    if np.isinf(moment) and (not waits or only_news or np.isinf(facts.end)):
        return NO_MORE
    if only_news or not waits:
        return max(number + 1, np.int64(np.ceil(moment / every)))
    return number + 1


@InPlaceKernel
def run_events(facts, rules, clock, looked, tally, pace):
    """Runs events until the tally is full, the room of the profiles may not suffice, or the end.

    `pace` is the number of the next event, the seconds between events, the time before which to
    stop, and whether events at which nothing has happened may be left out. Returns how many rows of
    the tally are filled, the number of the next event, and whether more room is needed.
    """
    number, every, until, only_news = pace
    rows = 0
    while rows < len(tally.time) and number < NO_MORE:
        now = number * every
        if now >= until:
            break
        if room_needed(facts, clock, now) > clock.base.time.shape[1]:
            return rows, number, True
        measure = run_event(facts, rules, clock, looked, now)
        number = note_event(facts, clock, (tally, rows, measure), (number, every, only_news))
        rows += 1
    return rows, number, False
