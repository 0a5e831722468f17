"""Policies that plan: each link sends as many tasks of each bag as it has been given until now."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.capabilities.fair_shares.tasks.moves import fits, is_due_before, send
from core.engines.compute.compiled import InPlaceKernel

BY_DEADLINE: Final = 3
IN_PROPORTION: Final = 4
IN_STEADY_STATE: Final = 5


@InPlaceKernel
def send_as_planned(facts, rules, plan, clock):
    """Each idle link sends one task of its quotas of the present interval; returns whether any
    did.
    """
    any_sent = False
    for m in range(len(facts.links)):
        if clock.machines[m].sending >= 0:
            continue
        best, least = -1, np.inf
        for k in range(len(facts.release)):
            if clock.sent[k, m] >= quota(plan, clock, k, m) or not _is_there(facts, clock, k, m):
                continue
            if rules.choice == BY_DEADLINE:
                if best < 0 or is_due_before(facts, plan, k, best):
                    best = k
            else:
                share = _share_sent(plan, clock, k, m)
                if best < 0 or share < least:
                    best, least = k, share
        if best >= 0:
            send(facts, clock, best, m)
            any_sent = True
    return any_sent


@InPlaceKernel
def _is_there(facts, clock, k, m):
    """Whether bag k has a task that can be sent to machine m now."""
    if clock.bags[k].unsent == 0 or facts.release[k] > clock.moment[0].now:
        return False
    return fits(facts, clock, k, m)


@InPlaceKernel
def quota(plan, clock, k, m):
    """How many tasks of bag k may have been sent to machine m by the end of this interval."""
    interval = clock.moment[0].interval
    if interval >= plan.last[k]:
        return plan.most[k, m]
    rounded = np.floor(plan.until[k, plan.worker[m], interval] + plan.shift[k, m] + 0.5)
    return min(np.int64(rounded), plan.most[k, m])


@InPlaceKernel
def _share_sent(plan, clock, k, m):
    """With one more task, which share of what bag k sends to machine m in this interval would be
    sent; below 0 if tasks of intervals before are late.
    """
    interval, u = clock.moment[0].interval, plan.worker[m]
    before = plan.until[k, u, interval - 1] if interval > 0 else 0.0
    amount = plan.until[k, u, interval] - before
    if amount <= 0.0:
        return -np.inf
    return (clock.sent[k, m] + 1 - before) / amount


@InPlaceKernel
def send_from_queues(facts, clock):
    """Each idle link sends the task that is in front of it; returns whether any did."""
    any_sent = False
    for m in range(len(facts.links)):
        machine = clock.machines[m]
        if machine.sending >= 0 or machine.queue_first < 0:
            continue
        place = machine.queue_first
        k = clock.place_bag[place]
        if not fits(facts, clock, k, m):
            continue
        machine.queue_first = clock.place_next[place]
        if machine.queue_first < 0:
            machine.queue_last = -1
        clock.bags[k].queued -= 1
        send(facts, clock, k, m)
        any_sent = True
        if clock.bags[k].unsent == 0:
            clock.moment[0].plan_again = 1
    return any_sent


@InPlaceKernel
def give_out(facts, plan, clock):
    """Bags whose time it is give a task to the link where the fewest were given, as a share of what
    it is to get.
    """
    now = clock.moment[0].now
    for k in range(len(facts.release)):
        bag = clock.bags[k]
        while bag.next <= now and bag.queued < bag.unsent:
            best, least = -1, np.inf
            for m in range(len(facts.links)):
                if plan.shares[k, m] > 0.0:
                    filled = (clock.given[k, m] + 1) / plan.shares[k, m]
                    if best < 0 or filled < least:
                        best, least = m, filled
            if best < 0:
                bag.next = np.inf
                break
            _queue(clock, k, best)
            bag.next += 1.0 / plan.rates[k]
        if bag.queued == bag.unsent:
            bag.next = np.inf


@InPlaceKernel
def _queue(clock, k, m):
    """Puts a task of bag k last in front of the link of machine m."""
    place, machine = clock.moment[0].places, clock.machines[m]
    clock.moment[0].places += 1
    clock.place_bag[place] = k
    clock.place_next[place] = -1
    if machine.queue_last >= 0:
        clock.place_next[machine.queue_last] = place
    else:
        machine.queue_first = place
    machine.queue_last = place
    clock.given[k, m] += 1
    clock.bags[k].queued += 1
