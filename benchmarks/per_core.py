"""Max UPT Preempt Greedy as the publication writes it (its algorithm 6), to time it: all jobs that
wait are laid on all cores, the best pair is taken, and all is looked at again.

It shares no code with the clock but for the worth of a job. A job takes one core, and all that was
done is kept. What can be worth nothing any more is dropped, or the list of those that wait would
only grow.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engines.compute.compiled import InPlaceKernel, Kernel
from core.engines.replay.clock import EVERY
from core.engines.replay.workload import Workload
from core.engines.replay.worth import curve_at


def plain_greedy(workload: Workload) -> float:
    """The worth of a day whose jobs take one core on any pool, and may stop each other."""
    jobs, pools = workload.jobs, workload.pools
    earned = _run(
        workload.curves.table,
        (jobs.arrival, jobs.priority, jobs.urgency, jobs.curve),
        workload.options.seconds.reshape(-1, len(pools)),
        np.repeat(np.arange(len(pools)), pools.units),
        (EVERY, *workload.horizon),
    )
    return float(earned)


@InPlaceKernel
def _measure(curves, jobs, job, rest, end):
    """Worth for each second of a job that takes `rest` seconds more, until `end`."""
    arrival, priority, urgency, curve = jobs
    return priority[job] * curve_at(curves, curve[job], urgency[job], end - arrival[job]) / rest


@Kernel
def _run(curves, jobs, seconds, pool_of, times):
    every, begin, horizon_end = times
    arrival = jobs[0]
    done = np.zeros(len(arrival))
    inside = np.zeros(len(arrival))
    pool = np.full(len(arrival), -1)
    on = np.full(len(pool_of), -1)
    since, end = np.zeros(len(pool_of)), np.zeros(len(pool_of))
    waiting = np.zeros(len(arrival), np.int64)
    count, arrived, now, earned = 0, 0, 0.0, 0.0
    while now < horizon_end or (on >= 0).any():
        for core in range(len(on)):
            job = on[core]
            if job >= 0 and end[core] <= now:
                inside[job] += max(min(end[core], horizon_end) - max(since[core], begin), 0.0)
                length = seconds[job, pool_of[core]]
                earned += inside[job] * _measure(curves, jobs, job, length, end[core])
                on[core] = -1
        while arrived < len(arrival) and arrival[arrived] <= now:
            waiting[count] = arrived
            count += 1
            arrived += 1
        while now < horizon_end:
            best, best_job, best_core, least = 0.0, -1, -1, np.inf
            kept = 0
            for place in range(count):
                job, alive = waiting[place], False
                for core in range(len(on)):
                    if pool[job] >= 0 and pool[job] != pool_of[core]:
                        continue
                    rest = seconds[job, pool_of[core]] - done[job]
                    mine = _measure(curves, jobs, job, rest, now + rest)
                    if mine <= 0.0:
                        continue
                    alive = True
                    theirs = -np.inf
                    if on[core] >= 0:
                        if since[core] >= now:
                            continue
                        theirs = _measure(curves, jobs, on[core], end[core] - now, end[core])
                        if mine <= theirs:
                            continue
                    if mine > best or (mine == best and job == best_job and theirs < least):
                        best, best_job, best_core, least = mine, job, core, theirs
                if alive:
                    waiting[kept] = job
                    kept += 1
            count = kept
            if best_job < 0:
                break
            other = on[best_core]
            if other >= 0:  # it waits in the place that its arrival gives it
                done[other] += now - since[best_core]
                inside[other] += max(now - max(since[best_core], begin), 0.0)
                place = count - 1
                while place >= 0 and waiting[place] > other:
                    waiting[place + 1] = waiting[place]
                    place -= 1
                waiting[place + 1] = other
                count += 1
            place = 0
            while waiting[place] != best_job:
                place += 1
            count -= 1
            while place < count:
                waiting[place] = waiting[place + 1]
                place += 1
            pool[best_job] = pool_of[best_core]
            on[best_core], since[best_core] = best_job, now
            end[best_core] = now + seconds[best_job, pool_of[best_core]] - done[best_job]
        now += every
    return earned
