"""What jobs of tiny workloads earn at most if they may be stopped and lose nothing, by enumeration.

Jobs are stopped at whole seconds only. Where all times are whole and each job takes one unit, this
is no restriction: some best schedule stops jobs at whole times only, if worth is linear within each
second (Baptiste et al., "Integrality property in preemptive parallel machine scheduling", 2009; for
steps, amounts of seconds are a transport problem, whose vertices are whole). Wide jobs may do
better in parts of seconds; then this is still what a schedule earns.

Shares no code with what it checks.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np

from core.engines.replay.workload import Workload

Placed = tuple[tuple[int, int], ...]
"""Jobs that are run, and the option that each of them takes."""
Progress = tuple[int, int]
"""For how many seconds a job still runs, and how many were within the horizon so far."""


def worth_at(workload: Workload, job: int, delay: float) -> float:
    """What a job is worth that ends so many seconds after its arrival."""
    pieces = workload.curves.pieces[workload.jobs.curve[job]]
    number = max(k for k, piece in enumerate(pieces) if piece.begin <= delay)
    piece, since = pieces[number], delay - pieces[number].begin
    if piece.decay:
        falls = float(np.exp(-workload.jobs.urgency[job] * piece.decay * since))
        share = piece.low + (piece.high - piece.low) * falls
    elif number + 1 == len(pieces):
        share = piece.high
    else:
        part = since / (pieces[number + 1].begin - piece.begin)
        share = piece.high + (piece.low - piece.high) * part
    return float(workload.jobs.priority[job] * share)


def most_in_pieces(workload: Workload) -> float:
    """The worth of the best schedule, whatever energy it takes."""
    options = workload.options
    choices = [
        [None, *range(options.first[job], options.first[job + 1])]
        for job in range(len(workload.jobs))
    ]

    @cache
    def best_of(placed: Placed) -> float:
        return best_of_pool(workload, placed)

    return max(
        sum(
            best_of(
                tuple(
                    (job, option)
                    for job, option in enumerate(chosen)
                    if option is not None and options.pool[option] == pool
                )
            )
            for pool in range(len(workload.pools))
        )
        for chosen in product(*choices)
    )


def best_of_pool(workload: Workload, placed: Placed) -> float:
    """The most that some jobs earn which are all run on one pool."""
    if not placed:
        return 0.0
    begin, end = workload.horizon
    options, arrival = workload.options, workload.jobs.arrival
    seconds = [int(options.seconds[option]) for _, option in placed]
    units = [int(options.units[option]) for _, option in placed]
    every = int(workload.pools.units[options.pool[placed[0][1]]])
    last = int(end) + sum(seconds)

    def runs(second: int, state: tuple[Progress, ...]) -> Iterator[tuple[bool, ...]]:
        """Which jobs may run in a second. From the begin of the horizon on, running earlier is
        never worse, so that no job is left out that fits.
        """
        may = [
            left > 0 and arrival[job] <= second and (second < end or left < whole)
            for (left, _), (job, _), whole in zip(state, placed, seconds, strict=True)
        ]
        for chosen in product(*([False, True] if one else [False] for one in may)):
            free = every - sum(u for u, one in zip(units, chosen, strict=True) if one)
            idle = [u for u, one, able in zip(units, chosen, may, strict=True) if able and not one]
            if free >= 0 and (second < begin or free < min(idle, default=every + 1)):
                yield chosen

    @cache
    def best(second: int, state: tuple[Progress, ...]) -> float:
        if second == last:
            return 0.0
        found = 0.0
        for chosen in runs(second, state):
            earned, after = 0.0, list(state)
            for number, (job, _) in enumerate(placed):
                if chosen[number]:
                    left, counted = state[number]
                    counted += begin <= second < end
                    after[number] = left - 1, counted
                    if left == 1:
                        full = worth_at(workload, job, second + 1 - arrival[job])
                        earned += full * counted / seconds[number]
            found = max(found, earned + best(second + 1, tuple(after)))
        return found

    return best(0, tuple((whole, 0) for whole in seconds))
