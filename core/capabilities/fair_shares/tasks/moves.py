"""What can happen to a task: its data begin to be sent, arrive, it starts, and it ends."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engines.compute.compiled import InPlaceKernel
from core.vocabulary.tolerances import SUM_ROUNDING


@InPlaceKernel
def fits(facts, clock, k, m):
    """Whether the data of another task of bag k fit into the memory of machine m."""
    return clock.machines[m].held + facts.data[k] <= facts.memory[m] * (1 + SUM_ROUNDING)


@InPlaceKernel
def done_in(facts, clock, k, m, busy):
    """Seconds until machine m would be done with another task of bag k, if the `busy` links that
    send now did so all the time.
    """
    machine, now = clock.machines[m], clock.moment[0].now
    sending = machine.sending
    rate = min(facts.links[m], facts.bandwidth / (busy if sending >= 0 else busy + 1))
    arrives = 0.0
    ready = machine.waiting_seconds
    if machine.running >= 0:
        ready += machine.ends - now
    if sending >= 0:
        arrives = max(machine.left - machine.rate * (now - machine.since), 0.0) / rate
        ready = max(ready, arrives) + facts.seconds[clock.tasks[sending].bag, m]
    return max(arrives + facts.data[k] / rate, ready) + facts.seconds[k, m]


@InPlaceKernel
def send(facts, clock, k, m):
    """Begins to send a task of bag k to machine m, whose link is idle."""
    moment, machine = clock.moment[0], clock.machines[m]
    number = moment.tasks
    moment.tasks += 1
    task = clock.tasks[number]
    task.bag = k
    task.machine = m
    task.sent = moment.now
    task.next = -1
    clock.bags[k].unsent -= 1
    clock.sent[k, m] += 1
    machine.held += facts.data[k]
    machine.sending = number
    machine.left = facts.data[k]
    machine.since = moment.now
    machine.rate = 0.0
    at_once = facts.data[k] == 0.0 or (np.isinf(facts.links[m]) and np.isinf(facts.bandwidth))
    machine.arrives = moment.now if at_once else np.inf


@InPlaceKernel
def arrive(facts, clock, m):
    """The data that are sent to machine m have arrived."""
    machine = clock.machines[m]
    number = machine.sending
    clock.tasks[number].arrived = clock.moment[0].now
    machine.sending = -1
    machine.arrives = np.inf
    if machine.last >= 0:
        clock.tasks[machine.last].next = number
    else:
        machine.first = number
    machine.last = number
    machine.waiting += 1
    machine.waiting_seconds += facts.seconds[clock.tasks[number].bag, m]


@InPlaceKernel
def start(facts, rules, plan, clock, m):
    """Machine m starts the task whose turn it is; it is idle, and a task waits."""
    machine = clock.machines[m]
    before, number = -1, machine.first
    if rules.by_deadline:
        behind, other = number, clock.tasks[number].next
        while other >= 0:
            if is_due_before(facts, plan, clock.tasks[other].bag, clock.tasks[number].bag):
                before, number = behind, other
            behind, other = other, clock.tasks[other].next
    task = clock.tasks[number]
    if before >= 0:
        clock.tasks[before].next = task.next
    else:
        machine.first = task.next
    if machine.last == number:
        machine.last = before
    seconds = facts.seconds[task.bag, m]
    machine.waiting -= 1
    machine.waiting_seconds = machine.waiting_seconds - seconds if machine.waiting > 0 else 0.0
    task.start = clock.moment[0].now
    machine.running = number
    machine.ends = task.start + seconds


@InPlaceKernel
def is_due_before(facts, plan, k, other):
    """Whether bag k has the earlier deadline; of equal ones, the earlier release, then the first
    of them.
    """
    if plan.due[k] != plan.due[other]:
        return plan.due[k] < plan.due[other]
    if facts.release[k] != facts.release[other]:
        return facts.release[k] < facts.release[other]
    return k < other


@InPlaceKernel
def end(facts, clock, m):
    """The task that machine m runs ends."""
    machine = clock.machines[m]
    task = clock.tasks[machine.running]
    task.end = machine.ends
    machine.running = -1
    machine.ends = np.inf
    machine.held -= facts.data[task.bag]
    if machine.sending < 0 and machine.waiting == 0:
        machine.held = 0.0
    clock.bags[task.bag].unfinished -= 1
    clock.bags[task.bag].end = max(clock.bags[task.bag].end, task.end)
    clock.moment[0].unfinished -= 1


@InPlaceKernel
def share_bandwidth(facts, clock):
    """Shares the bandwidth of the master between the links that send, as evenly as they can.

    No link gets less than another one, unless it can carry no more.
    """
    now, busy = clock.moment[0].now, 0
    for m in range(len(facts.links)):
        if clock.machines[m].sending >= 0 and clock.machines[m].arrives > now:
            busy += 1
    rest = facts.bandwidth
    for place in range(len(facts.links)):
        machine = clock.machines[facts.by_link[place]]
        if machine.sending < 0 or machine.arrives <= now:
            continue
        rate = min(facts.links[facts.by_link[place]], rest / busy)
        if not np.isinf(rest):
            rest -= rate
        busy -= 1
        if rate != machine.rate:
            machine.left = max(machine.left - machine.rate * (now - machine.since), 0.0)
            machine.since = now
            machine.rate = rate
            machine.arrives = now + machine.left / rate
