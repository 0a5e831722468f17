"""Which server runs which job, and which of them are awake: a row for each server of a kind."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.plan import DayPlan, executing, starting
from core.vocabulary.arrays import BoolArray, IntArray

ASLEEP: Final = 0
AWAKE: Final = 1
STARTING: Final = 2


class JobBlock(NamedTuple):
    """`jobs` equal jobs of a group that start together, from a step to another, on servers that are
    neighbours: all of them, or where these are not all neighbours, some.
    """

    group: int
    jobs: int
    begin: int
    end: int
    first: int
    servers: int


@dataclass(frozen=True, eq=False)
class ServerRows:
    """The servers of a kind, numbered from 0: the blocks of jobs on them, and the `state` of each
    in each step. A plan says how many are awake and how many start, not which; those are awake that
    have a job the soonest.
    """

    kind: int
    blocks: tuple[JobBlock, ...]
    state: IntArray


def server_rows(day: CentreDay, plan: DayPlan) -> list[ServerRows]:
    """The rows of each kind."""
    busy = executing(day, plan.group, plan.start, plan.count)
    begun = starting(day, plan.awake)
    found = []
    for kind in range(len(day.centre.kinds)):
        blocks, at_work = _placed(day, plan, kind)
        idle = plan.awake[kind] - busy[kind]
        found.append(ServerRows(kind, tuple(blocks), _states(at_work, idle, begun[kind])))
    return found


def _placed(day: CentreDay, plan: DayPlan, kind: int) -> tuple[list[JobBlock], BoolArray]:
    """The blocks of a kind, each on the lowest servers that are free and neighbours if there are;
    and which server is at work in which step.
    """
    jobs, servers = day.jobs, int(day.centre.counts[kind])
    at_work = np.zeros((servers, day.steps), bool)
    blocks = []
    rows = np.flatnonzero(jobs.kind[plan.group] == kind)
    longest_first = np.lexsort((-jobs.length[plan.group[rows]], plan.start[rows]))
    for row in rows[longest_first].tolist():
        group, begin, count = (int(one[row]) for one in (plan.group, plan.start, plan.count))
        end = begin + int(jobs.length[group])
        free = np.flatnonzero(~at_work[:, begin])
        for first, size in _neighbours(free, count * int(jobs.width[group])):
            at_work[first : first + size, begin:end] = True
            blocks.append(JobBlock(group, count, begin, end, first, size))
    return blocks, at_work


def _neighbours(free: IntArray, wanted: int) -> list[tuple[int, int]]:
    """So many of the servers that are free, as first servers and numbers of neighbours: the lowest
    that are all neighbours, or else the lowest.
    """
    begins = np.flatnonzero(np.diff(free, prepend=-2) != 1)
    sizes = np.diff(begins, append=len(free))
    fits = np.flatnonzero(sizes >= wanted)
    if len(fits):
        return [(int(free[begins[fits[0]]]), wanted)]
    found = []
    for begin, size in zip(begins.tolist(), sizes.tolist(), strict=True):
        taken = min(size, wanted)
        if taken:
            found.append((int(free[begin]), taken))
        wanted -= taken
    return found


def _states(at_work: BoolArray, idle: IntArray, begun: IntArray) -> IntArray:
    """The state of each server in each step. `idle` of those without work are awake and `begun` of
    them start, the soonest at work first.
    """
    servers, steps = at_work.shape
    state = np.where(at_work, AWAKE, ASLEEP)
    soon = np.full(servers, steps + servers)
    for step in range(steps - 1, -1, -1):
        soon = np.where(at_work[:, step], step, soon)
        order = np.argsort(np.where(at_work[:, step], steps * 2 + servers, soon), kind="stable")
        awake, both = int(idle[step]), int(idle[step] + begun[step])
        state[order[:awake], step] = AWAKE
        state[order[awake:both], step] = STARTING
    return state
