"""A mapping event of policies that look at what can start now, or stop what runs; and many."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from core.engines.compute.compiled import Kernel
from core.engines.compute.records import RecordRows, record, zeros
from core.engines.replay.events import NO_MORE, begin_event, note_event, room_needed
from core.engines.replay.profile import copy_profile
from core.engines.replay.standing import (
    let_go,
)
from core.engines.replay.stopping.deciding import decide_now
from core.engines.replay.stopping.halting import wait_again
from core.engines.replay.stopping.pairing import decide_pairs
from core.engines.replay.stopping.tiers import decide_by_tiers

_PAIR, _TIERS = 3, 4
"""As in `core.engines.replay.stopping.rules`."""
_OFFER = record("pool:i8 entry:i8 job:i8 option:i8 start:f8 score:f8 stops:i8 against:f8")


def offers_of(pools: int) -> RecordRows:
    """What should start next in each pool; the jobs that it stops, so many as `stops`, have the
    measure `against`.
    """
    return zeros(_OFFER, pools)


@Kernel
def _run_event(facts, rules, clock, ranks, offers, now):
    if begin_event(facts, rules, clock, now):
        if rules.technique == _TIERS:
            decide_by_tiers(facts, rules, clock, ranks, now)
        elif rules.technique == _PAIR:
            decide_pairs(facts, rules, clock, ranks, now)
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
    while rows < len(tally.time) and number < NO_MORE:
        now = number * every
        if now >= until:
            break
        counts = clock.counts[0]
        cramped = room_needed(facts, clock, now) > clock.base.time.shape[1]
        if cramped or counts.pieces + counts.underway > len(clock.pieces):
            return rows, number, True
        _run_event(facts, rules, clock, ranks, offers, now)
        number = note_event(facts, clock, (tally, rows, rules.measure), (number, every, only_news))
        rows += 1
    return rows, number, False
