"""A mapping event of policies that look at what can start now, or stop what runs; and many."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engines.compute.compiled import Kernel
from core.engines.compute.records import RecordRows, record, zeros
from core.engines.replay.deciding_now import decide_now
from core.engines.replay.events import NO_MORE, room_needed
from core.engines.replay.halting import wait_again
from core.engines.replay.pairing import decide_pairs
from core.engines.replay.profile import copy_profile, forget_before
from core.engines.replay.standing import (
    arrive,
    drop_hopeless,
    leave,
    let_go,
    next_moment,
    pull_forward,
)
from core.engines.replay.tiers import decide_by_tiers

_PAIR, _TIERS = 3, 4
"""As in `core.engines.replay.stopping`."""
_OFFER = record("pool:i8 entry:i8 job:i8 option:i8 start:f8 score:f8 against:f8")


def offers_of(pools: int) -> RecordRows:
    """What should start next in each pool; what it stops has the measure `against`."""
    return zeros(_OFFER, pools)


@Kernel
def _run_event(facts, rules, clock, ranks, offers, now):
    clock.counts[0].picks = 0
    clock.counts[0].out = 0
    for pool in range(len(facts.cores)):
        forget_before(clock.base, pool, now)
    if leave(facts, clock, now) and rules.promises:
        pull_forward(facts, clock, now)
        leave(facts, clock, now)
    arrive(facts, clock, now)
    drop_hopeless(facts, rules, clock, now)
    if clock.counts[0].waiting > 0 and now < facts.end:
        clock.left_now[:] = clock.left
        copy_profile(clock.base, clock.plan)
        for pool in range(len(clock.pools)):
            clock.pools[pool].changed = 0
        if rules.technique == _TIERS:
            decide_by_tiers(facts, rules, clock, now)
        elif rules.technique == _PAIR:
            decide_pairs(facts, rules, clock, ranks, rules.measure, now)
        else:
            decide_now(facts, rules, clock, ranks, offers, rules.measure, now)
        copy_profile(clock.plan, clock.base)
        let_go(clock)
        wait_again(clock)
    clock.counts[0].events += 1


@Kernel
def run_stopping_events(facts, rules, clock, ranks, offers, tally, pace):
    """`run_events` of policies that look at what can start now. It also ends when the pieces that
    the next event may write down might not have room.
    """
    number, every, until, only_news = pace
    rows = 0
    while rows < len(tally.time):
        now = number * every
        if now >= until:
            break
        counts = clock.counts[0]
        cramped = room_needed(facts, clock, now) > clock.base.time.shape[1]
        if cramped or counts.pieces + counts.underway > len(clock.pieces):
            return rows, number, True
        _run_event(facts, rules, clock, ranks, offers, now)
        tally.time[rows] = now
        tally.waiting[rows] = clock.counts[0].waiting
        tally.measure[rows] = rules.measure
        rows += 1
        number += 1
        moment = next_moment(facts, clock)
        waits = clock.counts[0].waiting > 0
        if np.isinf(moment) and (not waits or only_news or np.isinf(facts.end)):
            number = NO_MORE
            break
        if only_news or not waits:
            number = max(number, np.int64(np.ceil(moment / every)))
    return rows, number, False
