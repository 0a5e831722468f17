"""The least cap that any schedule keeps where machines may sleep, and a schedule that keeps it.

A machine that has a task to come is on. Read backwards in time, machines wake one after the other
and stay on (see `pacing`). If a schedule keeps a cap, so do the same tasks one by one, in the order
of their starts, each on the machine of its type that woke first: at most as many machines are on as
before, and nothing else runs. So what counts is the order in which machine types wake: with `P_k`
watts that the first k of them draw beyond sleep while idle, a task of type i takes `min_k (P_k +
w_ik)` beyond sleep at least, and the cap must have room for the largest of these.

Orders are tried from the one that may need least (best first); what a type that sleeps still may
save a task is at most what it would if it woke next.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.peak.mixes import Cap
from core.engines.peak.pacing import MachineSets, Run
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import never
from core.vocabulary.tolerances import SUM_ROUNDING

MOST_ORDERS: Final = 2_000
"""So many orders are looked at; of up to nine machine types, most systems need a hundred."""


@dataclass(frozen=True, eq=False)
class WakingOrder:
    """Machine types in an order, backwards in time. No schedule stays below `least` watts beyond
    machines without work; with this order, one has at most `peak`.
    """

    kinds: tuple[int, ...]
    peak: float
    least: float


def may_draw_less_than_idle(cap: Cap) -> bool:
    """Whether a machine may draw less with some task that there is than idle: then a task counts
    as idle in schedules, and not in bounds.
    """
    there = cap.system.task_counts > 0
    return bool((cap.more < cap.system.waiting_power)[there].any())


def waking_order(cap: Cap, should_stop: Callable[[], bool] = never) -> WakingOrder:
    """The best order, where no task draws less than idle; under a cap, one that decides whether
    anything keeps it. What is proven holds, if it is stopped, too.
    """
    system = cap.system
    waking, there = system.waiting_power, system.machine_counts > 0
    work = np.where(there, cap.more - waking, np.inf)[system.task_counts > 0]
    asleep = np.flatnonzero(there & (waking > 0))
    enough = cap.spare if np.isfinite(cap.spare) else -np.inf
    too_much = cap.spare + SUM_ROUNDING * abs(system.total_idle_power + cap.spare)
    seen: set[tuple[frozenset[int], bytes]] = set()

    def bound(on: float, kinds: tuple[int, ...], needs: FloatArray) -> float:
        rest = [kind for kind in asleep.tolist() if kind not in kinds]
        reach = (on + waking[rest] + work[:, rest]).min(axis=1, initial=np.inf)
        return float(np.minimum(needs, reach).max(initial=0.0))

    awake = work[:, waking <= 0].min(axis=1, initial=np.inf)
    heap: list[tuple[float, int, tuple[int, ...], FloatArray]] = [
        (bound(0.0, (), awake), 0, (), awake)
    ]
    best = _greedy(waking, asleep.tolist(), work, awake)
    for number in range(1, MOST_ORDERS):
        if not heap or best.peak <= max(heap[0][0], enough) or heap[0][0] > too_much:
            break
        if should_stop():
            break
        _, _, kinds, needs = heapq.heappop(heap)
        on = float(waking[list(kinds)].sum())
        best = min(best, WakingOrder(kinds, float(needs.max(initial=0.0)), 0.0), key=_peak)
        for place, kind in enumerate(asleep.tolist()):
            if kind in kinds:
                continue
            less = np.minimum(needs, on + waking[kind] + work[:, kind])
            key = frozenset((*kinds, kind)), less.tobytes()
            if (less < needs).any() and key not in seen:
                seen.add(key)
                after = (*kinds, kind)
                above = bound(on + float(waking[kind]), after, less)
                heapq.heappush(heap, (above, number * len(waking) + place, after, less))
    least = min(best.peak, heap[0][0]) if heap else best.peak
    return WakingOrder(best.kinds, best.peak, least)


def _greedy(
    waking: FloatArray, asleep: list[int], work: FloatArray, needs: FloatArray
) -> WakingOrder:
    """The order in which each type is the best next one: the fewest tasks that cannot run yet, and
    then the least watts.
    """
    best, on, kinds = WakingOrder((), float(needs.max(initial=0.0)), 0.0), 0.0, tuple[int, ...]()

    def with_next(kind: int) -> FloatArray:
        after: FloatArray = np.minimum(needs, on + waking[kind] + work[:, kind])
        return after

    def place(kind: int) -> tuple[int, float]:
        after = with_next(kind)
        can = np.isfinite(after)
        return int((~can).sum()), float(after[can].max(initial=0.0))

    while rest := [kind for kind in asleep if kind not in kinds]:
        kind = min(rest, key=place)
        needs, on, kinds = with_next(kind), on + float(waking[kind]), (*kinds, kind)
        best = min(best, WakingOrder(kinds, float(needs.max(initial=0.0)), 0.0), key=_peak)
    return best


def _peak(order: WakingOrder) -> float:
    return order.peak


def one_by_one(pool: MachineSets, counts: list[int], order: WakingOrder) -> list[Run]:
    """Runs that keep the cap if the order does: each task type on the fastest machine that is awake
    when there is room for it; backwards in time.
    """
    awake = [place for place, watts in enumerate(pool.waking) if watts <= 0]
    on, now, left, runs = 0.0, 0.0, dict(enumerate(counts)), list[Run]()
    for kind in (None, *order.kinds):
        if kind is not None:
            awake.append(pool.kind.index(kind))
            on += pool.waking[awake[-1]]
        for task, count in [*left.items()]:
            fits = [place for place in awake if on + pool.work[task][place] <= pool.spare]
            if not count or not fits:
                continue
            place = min(fits, key=pool.seconds[task].__getitem__)
            end = now + count * pool.seconds[task][place]
            runs.append(Run(place, task, 1, count, now, end))
            now = end
            del left[task]
    return runs
