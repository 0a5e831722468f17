"""Policies that keep lists: the next task is of the first bag in an order, and goes to the machine
that a rule chooses.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.capabilities.fair_shares.tasks.moves import done_in, fits, send
from core.engines.compute.compiled import InPlaceKernel

FIFO: Final = 0
SPT: Final = 1
SRPT: Final = 2
SWRPT: Final = 3
IN_TURN: Final = 0
SOONEST: Final = 1
ON_DEMAND: Final = 2


@InPlaceKernel
def send_from_list(facts, rules, clock):
    """Sends one task if the rules allow it now; returns whether one was sent."""
    k = _first_bag(facts, rules, clock)
    if k < 0:
        return False
    if rules.choice == IN_TURN:
        m = _whose_turn_it_is(facts, clock, k)
    elif rules.choice == SOONEST:
        m = _soonest_done(facts, clock, k)
    else:
        m = _asks_first(facts, rules, clock, k)
    if not _can_receive(facts, rules, clock, k, m):
        return False
    if rules.choice == IN_TURN:
        clock.moment[0].pointer = (m + 1) % len(facts.links)
    send(facts, clock, k, m)
    return True


@InPlaceKernel
def _first_bag(facts, rules, clock):
    """The first, in the order, of the released bags with unsent tasks; if machines ask for tasks,
    of those that one of them can get. -1 if there is none.
    """
    best, least = -1, np.inf
    for k in range(len(facts.release)):
        if clock.bags[k].unsent == 0 or facts.release[k] > clock.moment[0].now:
            continue
        if rules.choice == ON_DEMAND and _asks_first(facts, rules, clock, k) < 0:
            continue
        key = _key(facts, rules, clock, k)
        earlier = best < 0 or key < least
        if not earlier and key == least:
            earlier = facts.release[k] < facts.release[best]
        if earlier:
            best, least = k, key
    return best


@InPlaceKernel
def _key(facts, rules, clock, k):
    """By what the order sorts bags; the least is first."""
    if rules.order == FIFO:
        return facts.release[k]
    if rules.order == SPT:
        return facts.ideal[k]
    remaining = clock.bags[k].unfinished / facts.throughput[k]
    return remaining if rules.order == SRPT else remaining * facts.ideal[k]


@InPlaceKernel
def _can_receive(facts, rules, clock, k, m):
    """Whether machine m can be sent a task of bag k now."""
    machine = clock.machines[m]
    ready = rules.ahead or machine.running < 0
    return machine.sending < 0 and machine.waiting == 0 and ready and fits(facts, clock, k, m)


@InPlaceKernel
def _whose_turn_it_is(facts, clock, k):
    """The next machine in turn that can run a task of the bag."""
    machines, m = len(facts.links), clock.moment[0].pointer
    while np.isinf(facts.seconds[k, m]):
        m = (m + 1) % machines
    return m


@InPlaceKernel
def _soonest_done(facts, clock, k):
    """The machine on which another task of the bag would be done first, if links that send now did
    so all the time.
    """
    busy = 0
    for m in range(len(facts.links)):
        if clock.machines[m].sending >= 0:
            busy += 1
    best, least = -1, np.inf
    for m in range(len(facts.links)):
        if np.isinf(facts.seconds[k, m]):
            continue
        done = done_in(facts, clock, k, m, busy)
        if best < 0 or done < least:
            best, least = m, done
    return best


@InPlaceKernel
def _asks_first(facts, rules, clock, k):
    """An idle machine that can be sent a task of the bag, or else the one that is idle first; -1 if
    there is none.
    """
    best, least = -1, np.inf
    for m in range(len(facts.links)):
        if np.isinf(facts.seconds[k, m]) or not _can_receive(facts, rules, clock, k, m):
            continue
        machine = clock.machines[m]
        busy_until = machine.ends if machine.running >= 0 else -np.inf
        if best < 0 or busy_until < least:
            best, least = m, busy_until
    return best
