"""The best of all schedules of a very small system under a cap on the power at every moment.

Only schedules in which every task begins at 0 or when another one ends need be considered. Take the
best schedule, and of a task the last moment before its start at which a task ends, or 0. Up to that
moment nothing ends while the task waits, so what runs just before its start also runs, with what
may begin meanwhile, at its start, and its machine is free; hence all of it fits with the task, and
the task can begin sooner until a task ends. This makes starts sooner and never later, so it comes
to an end. It needs that no task draws less than its machine would draw idle: such a task counts as
drawing as much. Where machines may be switched off after their last task, this is said backwards in
time (see `pacing`), where a machine that is on stays on: waking it sooner fits, too, because what
runs at its start fits with it.

So all ways are tried to begin tasks at these moments. A moment is left out if the same tasks were
left, with the same to run still, at an earlier one.
"""

import heapq
import math
from collections.abc import Callable
from typing import Final

from core.engines.peak.pacing import MachineSets, Run
from core.vocabulary.tolerances import SAME

MOST_TASKS: Final = 12
MOST_MOMENTS: Final = 20_000


def best_runs(
    pool: MachineSets,
    counts: list[int],
    known: list[Run] | None,
    should_stop: Callable[[], bool],
    enough: float,
) -> tuple[list[Run] | None, bool]:
    """The shortest runs of single tasks on the machines of each type, and whether all schedules
    were considered; the runs that are `known` if none are shorter. Ends early at `enough` seconds.
    For at most `MOST_TASKS`: of more, it would take very long.
    """
    search = _EveryWay(pool, counts, known, should_stop, enough)
    search.go()
    return search.best, search.complete


class _EveryWay:
    def __init__(
        self,
        pool: MachineSets,
        counts: list[int],
        known: list[Run] | None,
        should_stop: Callable[[], bool],
        enough: float,
    ) -> None:
        self.pool, self.left = pool, list(counts)
        self.best = known
        self.least = math.inf if known is None else max((run.end for run in known), default=0.0)
        self.should_stop, self.enough = should_stop, enough
        self.complete = True
        self.moments = 0
        self.seen: dict[tuple[object, ...], float] = {}
        self.pairs = [
            (i, s)
            for i in range(len(counts))
            for s in range(len(pool.machines))
            if pool.work[i][s] < math.inf and counts[i] and pool.machines[s]
        ]
        self.shortest = [
            min((pool.seconds[i][s] for j, s in self.pairs if j == i), default=math.inf)
            for i in range(len(counts))
        ]
        self.area = [
            min(
                (pool.seconds[i][s] * pool.work[i][s] for j, s in self.pairs if j == i), default=0.0
            )
            for i in range(len(counts))
        ]
        self.runs: list[Run] = []

    def go(self) -> None:
        machines = list(self.pool.machines)
        self.at(0.0, 0, machines, [0] * len(machines), [], self.pool.spare)

    def at(
        self,
        now: float,
        first: int,
        free: list[int],
        on: list[int],
        ends: list[tuple[float, int, int]],
        spare: float,
    ) -> None:
        """Try all ways to go on from a moment; pairs before `first` do not begin at it any more."""
        pool, left = self.pool, self.left
        last = max((end for end, _, _ in ends), default=now)
        if not any(left):
            if last < self.least:
                self.best, self.least = list(self.runs), last
            return
        if self.least <= self.enough:
            return
        self.moments += 1
        if self.moments > MOST_MOMENTS or self.should_stop():
            self.complete = False
            return
        wanting = [i for i, number in enumerate(left) if number]
        soonest = max(last, now + max(self.shortest[i] for i in wanting))
        if pool.spare > 0:
            area = sum(left[i] * self.area[i] for i in wanting)
            area += sum((end - now) * pool.work[i][s] for end, s, i in ends)
            soonest = max(soonest, now + area / pool.spare)
        if soonest >= self.least * (1 - SAME):
            return
        key = (first, *left, *on, *sorted((round(end - now, 9), s, i) for end, s, i in ends))
        if self.seen.get(key, math.inf) <= now:
            return
        self.seen[key] = now
        for place in range(first, len(self.pairs)):
            task, chosen = self.pairs[place]
            if not left[task] or not free[chosen]:
                continue
            waking = int(pool.machines[chosen] - free[chosen] + 1 > on[chosen])
            needs = pool.work[task][chosen] + waking * pool.waking[chosen]
            if needs > spare:
                continue
            end = now + pool.seconds[task][chosen]
            left[task] -= 1
            free[chosen] -= 1
            on[chosen] += waking
            self.runs.append(Run(chosen, task, 1, 1, now, end))
            self.at(now, place, free, on, [*ends, (end, chosen, task)], spare - needs)
            self.runs.pop()
            on[chosen] -= waking
            free[chosen] += 1
            left[task] += 1
        if ends:
            waiting = list(ends)
            heapq.heapify(waiting)
            until, freed = waiting[0][0], list(free)
            while waiting and waiting[0][0] <= until:
                _, s, i = heapq.heappop(waiting)
                freed[s] += 1
                spare += pool.work[i][s]
            self.at(until, 0, freed, on, waiting, spare)
