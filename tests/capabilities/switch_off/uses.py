"""Small uses of nodes, and an independent judge: nodes one by one, event by event."""

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise, product

import numpy as np
from hypothesis import strategies as st

from core.engines.logs.derived.beside import _changes

Job = tuple[int, int, int]
"""Start, end, and how many nodes it has."""


def changes_of(jobs):
    """The changes of jobs that have whole nodes."""
    jobs = sorted(jobs)
    starts = np.array([start for start, _, _ in jobs], float)
    taken = np.array([nodes for _, _, nodes in jobs], np.int64)
    ends = np.array([end for _, end, nodes in jobs for _ in range(nodes)], float)
    return _changes(starts, taken, ends)


@st.composite
def some_jobs(draw, nodes=4, end=40, most=8):
    """Jobs that find enough nodes free; many begin or end at the same moment."""
    jobs = []
    for _ in range(draw(st.integers(0, most))):
        start = draw(st.integers(0, end - 1))
        job = start, draw(st.integers(start + 1, end)), draw(st.integers(1, nodes))
        if all(busy_at([*jobs, job], t) <= nodes for t in range(end)):
            jobs.append(job)
    return sorted(jobs)


def busy_at(jobs, moment):
    return sum(nodes for start, end, nodes in jobs if start <= moment < end)


@dataclass
class Judged:
    """What an event-by-event replay finds."""

    asleep: float = 0.0
    starts: int = 0
    waits: int = 0


def replay(jobs, nodes, end, after, awake):
    """Second by second: each job takes the nodes that became free last, and a node that has been
    idle for `after` seconds is put to sleep unless fewer than `awake` would stay on; the one that
    has been idle longest comes first.
    """
    found = Judged()
    idle = [(0, False)] * nodes  # the latest last; since when, asleep
    running = []
    for now in range(end + 1):
        freed = sum(count for until, count in running if until == now)
        running = [(until, count) for until, count in running if until > now]
        idle += [(now, False)] * freed
        for start, until, count in jobs:
            if start != now or now == end:
                continue
            taken = [idle.pop() for _ in range(count)]
            found.starts += sum(asleep for _, asleep in taken)
            found.waits += any(asleep for _, asleep in taken)
            running.append((until, count))
        # From this second to the next.
        for place, (since, asleep) in enumerate(idle):
            on = sum(not sleeps for _, sleeps in idle) + sum(count for _, count in running)
            if not asleep and now - since >= after and on > awake:
                idle[place] = since, True
        if now < end:
            found.asleep += sum(asleep for _, asleep in idle)
    return found


def all_ways(jobs, nodes):
    """Each way to give the uses of jobs to nodes: for each node, its uses in order."""
    uses = [(start, end) for start, end, count in sorted(jobs) for _ in range(count)]
    found = []
    for choice in product(range(nodes), repeat=len(uses)):
        of_node = [[] for _ in range(nodes)]
        for use, node in zip(uses, choice, strict=True):
            of_node[node].append(use)
        if all(a[1] <= b[0] for each in of_node for a, b in pairwise(each)):
            found.append(of_node)
    return found


def replay_with_list(jobs, nodes, end, after, awake):
    """As Slurm does it: the first `awake` nodes never sleep, and each job, of one node, takes the
    first node that is free.
    """
    found = Judged()
    free, since = set(range(nodes)), [0] * nodes
    running = []
    for start, until, _ in [*sorted(jobs), (end, end, 1)]:
        while running and running[0][0] <= start:
            moment, node = heappop(running)
            free.add(node)
            since[node] = moment
        if start == end:
            break
        node = min(free)
        free.remove(node)
        heappush(running, (until, node))
        if node >= awake and start - since[node] > after:
            found.asleep += start - since[node] - after
            found.starts += 1
            found.waits += 1
    last = [end - since[node] - after for node in free if node >= awake]
    found.asleep += sum(one for one in last if one > 0)
    return found
