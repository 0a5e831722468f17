"""The gaps between uses if each job takes the nodes that were used last.

Level k is busy while at least k nodes are. Among all ways to give the same uses to nodes, levels
have the gaps that differ most: if a use begins while two nodes are free, to take the one that was
freed last ends the short gap and leaves the long one to grow, and the sum of both stays. What a gap
costs at least is concave in its length, so no other way costs less. `docs/switch-off.md` has the
argument in full.
"""

from dataclasses import dataclass

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.node_use import BusyChanges


@dataclass(frozen=True, eq=False)
class Levels:
    """The levels of a machine type over some `seconds`: of `nodes`, `most` are busy at once.

    Each gap of a level up to `most` has its `level`, its `length` (s), and whether it is `closed`,
    which means that a use follows. Levels above have none but the whole time. Of each job for which
    a free node was taken: `job_level` is the highest level that it takes, and `job_gap` how long
    that was free: longer than the others that it takes, since a level is never free for less time
    than one below.
    """

    nodes: int
    most: int
    seconds: float
    busy_seconds: float
    jobs: int
    level: IntArray
    length: FloatArray
    closed: BoolArray
    job_level: IntArray
    job_gap: FloatArray

    @property
    def idle_seconds(self) -> float:
        """Node-seconds in which nodes have nothing to do."""
        return self.nodes * self.seconds - self.busy_seconds


def levels_of(changes: BusyChanges, nodes: int, begin: float, end: float) -> Levels:
    """The levels from one moment to another; nodes that are free at the first are on."""
    most, by, after = changes.most, changes.by, changes.busy
    count = np.abs(by)
    entry = np.repeat(np.arange(len(by)), count)
    within = np.arange(len(entry)) - np.repeat(np.cumsum(count) - count, count)
    before = (after - by)[entry]
    rises = by[entry] > 0
    running = int(after[-1]) if len(after) else changes.running
    free_first = np.arange(changes.running + 1, most + 1)
    free_last = np.arange(running + 1, most + 1)
    level = np.concatenate(
        [free_first, np.where(rises, before + 1 + within, before - within), free_last]
    )
    time = np.concatenate(
        [np.full(len(free_first), begin), changes.times[entry], np.full(len(free_last), end)]
    )
    # Along each level, it becomes free and busy in turn, beginning with free.
    order = np.argsort(level, kind="stable")
    frees, uses = order[::2], order[1::2]
    length = time[uses] - time[frees]
    of_event = np.zeros(len(level))
    of_event[uses] = length
    tops = np.cumsum(count)[by > 0] - 1 + len(free_first)
    edges = np.concatenate([[begin], changes.times, [end]])
    busy = np.concatenate([[changes.running], after])
    return Levels(
        max(nodes, most),
        most,
        end - begin,
        float(np.diff(edges) @ busy),
        changes.jobs,
        level[uses],
        length,
        uses < len(free_first) + len(entry),
        level[tops],
        of_event[tops],
    )
