"""A policy by due dates: the next task is of the bag that is due first, and goes to a machine that
is done with it in time, and in time for bags that are to come.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.capabilities.fair_shares.tasks.moves import done_in, fits, send
from core.engines.compute.compiled import InPlaceKernel

IN_TIME: Final = 6


@InPlaceKernel
def send_in_time(facts, plan, clock):
    """Sends one task if there is one to send now; returns whether there was.

    Of the bags in the order of the plan, it is the first with a machine that can be sent a task,
    and that would be done with it before the due date, or as soon as any. Nothing is sent while
    busy links could carry what the master may use, or to a machine that would not be done when it
    is kept for a bag to come.
    """
    now, busy, carried = clock.moment[0].now, 0, 0.0
    for m in range(len(facts.links)):
        if clock.machines[m].sending >= 0:
            busy += 1
            carried += facts.links[m]
    if busy > 0 and carried >= facts.bandwidth * plan.crowding:
        return False
    for m in range(len(facts.links)):
        clock.machines[m].kept = np.inf
    for k in range(len(facts.release)):
        if facts.release[k] > now:
            for m in range(len(facts.links)):
                clock.machines[m].kept = min(clock.machines[m].kept, plan.kept[k, m])
    for place in range(len(plan.order)):
        k = plan.order[place]
        if clock.bags[k].unsent == 0 or facts.release[k] > now:
            continue
        best, least, soonest = -1, np.inf, np.inf
        for m in range(len(facts.links)):
            if plan.barred[k, m] or np.isinf(facts.seconds[k, m]):
                continue
            done = now + done_in(facts, clock, k, m, busy)
            soonest = min(soonest, done)
            machine = clock.machines[m]
            ready = machine.sending < 0 and machine.waiting_seconds <= plan.backlog
            ready &= done <= machine.kept
            if ready and done < least and fits(facts, clock, k, m):
                best, least = m, done
        if best >= 0 and least <= max(plan.due[k], soonest):
            send(facts, clock, k, best)
            return True
    return False
