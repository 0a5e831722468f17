"""What comes of list methods where tasks take less time than is estimated."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple

import numpy as np

from core.capabilities.arrivals.uncertain.planning import (
    OntoMachine,
    begin_plan,
    find_all_soonest,
    plan_next,
    plan_task,
)
from core.capabilities.arrivals.uncertain.weighed import expected_share, learn, price_work_left
from core.engines.compute.compiled import InPlaceKernel, Kernel
from core.vocabulary.arrays import FloatArray, IntArray

_WEIGHED: Final = int(OntoMachine.WEIGHED)


class BagRuns(NamedTuple):
    """Task t runs on machine `machine[t]` (-1: not yet) from `start[t]` to its true `end[t]` (s).
    Core c runs `running[c]` (-1: nothing) until `until[c]` (infinity if it runs nothing).
    """

    machine: IntArray
    start: FloatArray
    end: FloatArray
    running: IntArray
    until: FloatArray


def no_runs(tasks: int, cores: int) -> BagRuns:
    return BagRuns(
        np.full(tasks, -1, np.int64),
        np.full(tasks, np.nan),
        np.full(tasks, np.nan),
        np.full(cores, -1, np.int64),
        np.full(cores, np.inf),
    )


@Kernel
def run_frozen(bag, plan, rule, truth, runs):
    """Plans all tasks before the first arrives. Then every core runs its own, in their order.

    `truth` is the share of its estimated seconds that each task really takes.
    """
    begin_plan(bag, plan, rule, np.ones(len(bag.arrival), np.bool_))
    while plan.counts[0] > 0:
        plan_next(bag, plan, rule)
    for core in range(len(bag.machine)):
        now = 0.0
        while plan.head[core] >= 0:
            now = max(now, bag.arrival[plan.head[core]])
            _start_head(bag, plan, truth, runs, core, now)
            now = runs.until[core]


@Kernel
def run_greedy(bag, plan, rule, truth, runs):
    """Gives every task to a core when it arrives, for good."""
    begin_plan(bag, plan, rule, np.zeros(len(bag.arrival), np.bool_))
    for task in range(len(bag.arrival)):
        now = bag.arrival[task]
        _run_until(bag, plan, rule, truth, runs, now)
        _expect(bag, plan, rule, runs, now)
        find_all_soonest(bag, plan)
        plan_task(bag, plan, rule, task)
        _start_idle(bag, plan, rule, truth, runs, now)
    _run_until(bag, plan, rule, truth, runs, np.inf)


@Kernel
def run_batch(bag, plan, rule, truth, runs, every, waits):
    """Plans all tasks that wait anew, `every` so many seconds, if since the last time one has
    arrived or ended. Until then, each core goes on with what is planned for it, or `waits`.
    """
    arrived = 0
    waiting = np.zeros(len(bag.arrival), np.bool_)
    while True:
        moment = runs.until.min()
        if arrived < len(bag.arrival):
            moment = min(moment, bag.arrival[arrived])
        if np.isinf(moment):
            return
        now = np.ceil(moment / every) * every
        if now < moment:
            now += every
        if not waits:
            _run_until(bag, plan, rule, truth, runs, np.nextafter(now, 0.0))
        for core in range(len(bag.machine)):
            if runs.until[core] <= now:
                runs.running[core], runs.until[core] = -1, np.inf
        while arrived < len(bag.arrival) and bag.arrival[arrived] <= now:
            arrived += 1
        for task in range(arrived):
            waiting[task] = runs.machine[task] < 0
        plan.head[:] = -1
        if rule[1] == _WEIGHED:
            learn(bag, runs, now, plan.longer)
            plan.share[0] = expected_share(plan.longer, 0.0)
            price_work_left(bag, waiting, plan.delay[0], plan.price)
        _expect(bag, plan, rule, runs, now)
        begin_plan(bag, plan, rule, waiting)
        _start_idle(bag, plan, rule, truth, runs, now)


@InPlaceKernel
def _expect(bag, plan, rule, runs, now):
    """When each core is free, after what it runs and what is planned for it: by estimates, or by
    what is learned of them.
    """
    for core in range(len(bag.machine)):
        machine, free = bag.machine[core], now
        if runs.running[core] >= 0:
            task = runs.running[core]
            share = 1.0
            if rule[1] == _WEIGHED:
                taken = (now - runs.start[task]) / bag.seconds[task, machine]
                share = expected_share(plan.longer, taken)
            free = max(now, runs.start[task] + bag.seconds[task, machine] * share)
        ahead = plan.head[core]
        while ahead >= 0:
            free += bag.seconds[ahead, machine]
            ahead = plan.follows[ahead]
        plan.free[core] = free


@InPlaceKernel
def _start_head(bag, plan, truth, runs, core, now):
    """A core starts the first task that is planned for it."""
    task, machine = plan.head[core], bag.machine[core]
    plan.head[core] = plan.follows[task]
    if plan.head[core] < 0:
        plan.tail[core] = -1
    end = now + bag.seconds[task, machine] * truth[task]
    runs.machine[task], runs.start[task], runs.end[task] = machine, now, end
    runs.running[core], runs.until[core] = task, end


@InPlaceKernel
def _go_on(bag, plan, rule, truth, runs, core, now):
    """An idle core starts what is planned for it; planned is as much as is needed to know that."""
    while plan.head[core] < 0 and plan.counts[0] > 0:
        plan_next(bag, plan, rule)
    if plan.head[core] >= 0:
        _start_head(bag, plan, truth, runs, core, now)


@InPlaceKernel
def _start_idle(bag, plan, rule, truth, runs, now):
    for core in range(len(bag.machine)):
        if runs.running[core] < 0:
            _go_on(bag, plan, rule, truth, runs, core, now)


@InPlaceKernel
def _run_until(bag, plan, rule, truth, runs, until):
    """Lets tasks end up to a time, and those start that are planned next on the same core."""
    while True:
        core = np.argmin(runs.until)
        now = runs.until[core]
        if now > until or np.isinf(now):
            return
        runs.running[core], runs.until[core] = -1, np.inf
        _go_on(bag, plan, rule, truth, runs, core, now)
