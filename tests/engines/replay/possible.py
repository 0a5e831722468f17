"""What schedules of tiny workloads earn, counted one by one, and the linear program of a bound.

Shares no code with what it checks.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from core.engines.replay.energy import EnergyWindows
from core.engines.replay.workload import Truth, Workload


class Run(NamedTuple):
    """An option that runs from one time to another, and what that earns."""

    pool: int
    units: int
    begin: float
    end: float
    watts: float
    worth: float
    further: tuple[float, ...] = ()


def run_of(workload: Workload, truth: Truth, job: int, option: int, start: float) -> Run:
    options, jobs, (begin, end) = workload.options, workload.jobs, workload.horizon
    seconds = float(options.seconds[option] * truth.time[job])
    delay = start + seconds - jobs.arrival[job]
    worth = 0.0
    pieces = workload.curves.pieces[jobs.curve[job]]
    for place, piece in enumerate(pieces):
        last = place + 1 == len(pieces)
        if delay < piece.begin or (not last and delay >= pieces[place + 1].begin):
            continue
        since = delay - piece.begin
        if piece.decay:
            falls = np.exp(-jobs.urgency[job] * piece.decay * since)
            worth = piece.low + (piece.high - piece.low) * falls
        elif last:
            worth = piece.high
        else:
            part = since / (pieces[place + 1].begin - piece.begin)
            worth = piece.high * (1 - part) + piece.low * part
    worth *= jobs.priority[job]
    if options.extra is not None and worth > 0:
        worth += options.extra[option]
    within = max(min(start + seconds, end) - max(start, begin), 0.0) / seconds
    return Run(
        int(options.pool[option]),
        int(options.units[option]),
        start,
        start + seconds,
        float(options.watts[option] * truth.power[job]),
        float(worth * within),
        () if options.further is None else tuple(options.further[option].tolist()),
    )


def overlap(run: Run, begin: float, end: float) -> float:
    return max(min(run.end, end) - max(run.begin, begin), 0.0)


def possible(runs: Sequence[Run], workload: Workload, windows: EnergyWindows) -> bool:
    """Whether all of these may happen together."""
    for run in runs:
        here = [one for one in runs if one.pool == run.pool and one.begin <= run.begin < one.end]
        if sum(one.units for one in here) > workload.pools.units[run.pool]:
            return False
        for resource in range(len(run.further)):
            if (
                sum(one.further[resource] for one in here)
                > workload.pools.further[run.pool, resource]
            ):
                return False
    for window, joules in enumerate(windows.joules):
        span = windows.edges[window], windows.edges[window + 1]
        if sum(run.watts * overlap(run, *span) for run in runs) > joules:
            return False
    return True


def all_schedules(
    workload: Workload, truth: Truth, windows: EnergyWindows, moments: Sequence[float]
) -> Iterator[list[Run]]:
    """All schedules whose starts are among these moments or arrivals."""
    first, end = workload.options.first, workload.horizon.end

    def with_job(job: int, runs: list[Run]) -> Iterator[list[Run]]:
        if job == len(workload.jobs):
            yield runs
            return
        yield from with_job(job + 1, runs)
        arrival = float(workload.jobs.arrival[job])
        for start in sorted({arrival, *moments}):
            if not arrival <= start < end:
                continue
            for option in range(first[job], first[job + 1]):
                more = [*runs, run_of(workload, truth, job, option, start)]
                if possible(more, workload, windows):
                    yield from with_job(job + 1, more)

    return with_job(0, [])


def divisible_optimum(
    workload: Workload, truth: Truth, windows: EnergyWindows, slots: Sequence[float]
) -> float:
    """The linear program whose dual has a price for each slot: jobs may be divided among starts,
    pools are full on average over each slot. Starts are those where an edge of a slot, an edge of a
    window or a piece of a curve begins or ends, and many of runs that count in part.
    """
    options, jobs, horizon = workload.options, workload.jobs, workload.horizon
    edges = [*slots, *windows.edges]
    runs, owner = [], []
    for option, job in enumerate(options.job):
        seconds = float(options.seconds[option] * truth.time[job])
        arrival = float(jobs.arrival[job])
        ends = [
            arrival + piece.begin
            for piece in workload.curves.pieces[jobs.curve[job]]
            if piece.begin
        ]
        just_before = [end - seconds - 1e-7 for end in ends]
        in_part = np.linspace(horizon.begin - seconds, horizon.begin, 129).tolist()
        starts = {arrival, *edges, *(edge - seconds for edge in edges), *just_before, *in_part}
        for start in starts:
            if arrival <= start < horizon.end:
                runs.append(run_of(workload, truth, int(job), option, start))
                owner.append(job)
    rows, right = [], []
    for job in range(len(jobs)):
        rows.append([float(mine == job) for mine in owner])
        right.append(1.0)
    for pool, units in enumerate(workload.pools.units):
        for begin, end in pairwise(slots):
            rows.append([(run.pool == pool) * run.units * overlap(run, begin, end) for run in runs])
            right.append(float(units * (end - begin)))
            for resource in range(len(workload.pools.resources)):
                rows.append(
                    [
                        (run.pool == pool) * run.further[resource] * overlap(run, begin, end)
                        for run in runs
                    ]
                )
                right.append(float(workload.pools.further[pool, resource] * (end - begin)))
    for window, joules in enumerate(windows.joules):
        if np.isfinite(joules):
            span = windows.edges[window], windows.edges[window + 1]
            rows.append([run.watts * overlap(run, *span) for run in runs])
            right.append(float(joules) + 1e-3)  # what a start just before a piece may take
    found = linprog([-run.worth for run in runs], np.array(rows), right)
    assert found.status == 0
    return float(-found.fun)
