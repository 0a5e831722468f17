"""Replays whole tasks from event to event: releases, ends of transfers and tasks, dates of a plan.

At one moment, transfers and tasks end, then bags are released and the policy plans, then links
begin to send and machines to run, until nothing more can begin.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.capabilities.fair_shares.tasks.in_time import IN_TIME, send_in_time
from core.capabilities.fair_shares.tasks.listing import ON_DEMAND, send_from_list
from core.capabilities.fair_shares.tasks.moves import arrive, end, share_bandwidth, start
from core.capabilities.fair_shares.tasks.planned import (
    IN_STEADY_STATE,
    give_out,
    send_as_planned,
    send_from_queues,
)
from core.engines.compute.compiled import InPlaceKernel
from core.vocabulary.tolerances import SAME

DONE: Final = 0
MOMENT_REACHED: Final = 1
PLAN_AGAIN: Final = 2
STUCK: Final = 3


@InPlaceKernel
def run_tasks(facts, rules, plan, clock, until):
    """Runs all events before `until`, and what ends then; returns why it stops."""
    moment = clock.moment[0]
    while True:
        _begin(facts, rules, plan, clock)
        share_bandwidth(facts, clock)
        if moment.unfinished == 0:
            return DONE
        if moment.plan_again != 0:
            return PLAN_AGAIN
        soonest = _next_event(facts, rules, plan, clock)
        if np.isinf(soonest):
            return STUCK
        _go_on_to(facts, plan, clock, soonest)
        if moment.now >= until:
            return MOMENT_REACHED


@InPlaceKernel
def _begin(facts, rules, plan, clock):
    """Begins all that can begin now."""
    while True:
        any_begins = False
        if rules.choice <= ON_DEMAND:
            while send_from_list(facts, rules, clock):
                any_begins = True
        elif rules.choice == IN_TIME:
            while send_in_time(facts, plan, clock):
                any_begins = True
        elif rules.choice == IN_STEADY_STATE:
            give_out(facts, plan, clock)
            any_begins = send_from_queues(facts, clock)
        else:
            any_begins = send_as_planned(facts, rules, plan, clock)
        for m in range(len(facts.links)):
            machine = clock.machines[m]
            if machine.running < 0 and machine.waiting > 0:
                start(facts, rules, plan, clock, m)
                any_begins = True
        if not any_begins:
            return


@InPlaceKernel
def _next_event(facts, rules, plan, clock):
    """When something happens next; infinite if nothing does."""
    moment = clock.moment[0]
    soonest = np.inf
    for m in range(len(facts.links)):
        soonest = min(soonest, clock.machines[m].arrives, clock.machines[m].ends)
    for k in range(len(facts.release)):
        if facts.release[k] > moment.now:
            soonest = min(soonest, facts.release[k])
    if rules.choice == IN_STEADY_STATE:
        for k in range(len(facts.release)):
            soonest = min(soonest, clock.bags[k].next)
    elif moment.interval < len(plan.dates) - 1:
        soonest = min(soonest, plan.dates[moment.interval])
    return soonest


@InPlaceKernel
def _go_on_to(facts, plan, clock, soonest):
    """Goes to the last event that is at `soonest` but for rounding, and lets end what ends."""
    moment = clock.moment[0]
    near = soonest * (1 + SAME)
    now = soonest
    for m in range(len(facts.links)):
        machine = clock.machines[m]
        if machine.arrives <= near:
            now = max(now, machine.arrives)
        if machine.ends <= near:
            now = max(now, machine.ends)
    for k in range(len(facts.release)):
        if facts.release[k] <= near:
            now = max(now, facts.release[k])
    moment.now = now
    moment.events += 1
    while moment.interval < len(plan.dates) - 1 and plan.dates[moment.interval] <= near:
        moment.interval += 1
    for m in range(len(facts.links)):
        if clock.machines[m].arrives <= now:
            arrive(facts, clock, m)
    for m in range(len(facts.links)):
        if clock.machines[m].ends <= now:
            end(facts, clock, m)
