"""Best Fit Hole: each job goes to the shortest hole in which it ends by its due date, compiled.

A hole is a stretch of steps in which a server is awake and has nothing to do. What the publication
leaves open is ours: servers are numbered, and the first so many are awake; a job of several servers
takes as many holes that overlap long enough; of equal holes, one where it starts first is taken.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, Literal, NamedTuple

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.placing import GroupArrays, JobStarts, no_room
from core.capabilities.centre.plan import DayPlan
from core.capabilities.centre.rivals.due_first import thrifty
from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import IntArray

FirstHoles = Literal["awake", "none"]
FIRST_HOLES: Final[tuple[FirstHoles, ...]] = ("awake", "none")
"""What the first holes are: all stretches in which servers are awake, or none, as printed. Then
holes arise only where a job begins later than its server could have begun it."""

_HOLE, _END, _ANYWHERE = range(3)
NOWHERE: Final = -1
"""The start of a job for which there is no room."""


class Queue(NamedTuple):
    """Jobs in the order in which they are placed.

    A job of group g meets its due date if it starts at step `latest[g]` or before. `shortest` is
    the length of the shortest job of each kind of server.
    """

    group: IntArray
    latest: IntArray
    shortest: IntArray

    @classmethod
    def of(cls, day: CentreDay) -> "Queue":
        """As jobs arrive; those of a step by their due dates."""
        jobs = day.jobs
        order = np.lexsort((jobs.due, jobs.release))
        shortest = np.full(len(day.centre.kinds), day.steps)
        np.minimum.at(shortest, jobs.kind, jobs.length)
        latest = np.clip(np.floor(jobs.due - jobs.length), -1, day.steps).astype(np.int64)
        return cls(np.repeat(order, jobs.count[order]), latest, shortest)


def best_fit_hole(day: CentreDay, first_holes: FirstHoles = "awake") -> DayPlan:
    """Starts by Best Fit Hole while all servers are awake. Then servers with nothing to do sleep,
    where their start leaves time for it, and each step is cooled by what then draws the least.

    Raises `NoScheduleFound` if jobs do not end within the day, or if it gets too warm.
    """
    awake = np.repeat(day.centre.counts[:, None], day.steps, axis=1)
    return thrifty(day, placed_in_holes(day, awake, first_holes))


def placed_in_holes(
    day: CentreDay, awake: IntArray, first_holes: FirstHoles = "awake"
) -> JobStarts:
    """Starts by Best Fit Hole on so many servers of each kind that are awake in each step.

    Raises `NoScheduleFound` if jobs do not end within the day.
    """
    queue = Queue.of(day)
    start = np.empty(len(queue.group), np.int64)
    fill_holes(queue, GroupArrays.of(day.jobs), awake, first_holes == "awake", start)
    left_over = int((start == NOWHERE).sum())
    if left_over:
        raise no_room(left_over, day.jobs)
    return starts_of(queue.group, start)


def starts_of(group: IntArray, start: IntArray) -> JobStarts:
    """The starts of single jobs, equal ones together."""
    pairs, count = np.unique(np.stack((group, start)), axis=1, return_counts=True)
    return pairs[0], pairs[1], count


class _Holes(NamedTuple):
    """Where servers of a kind are free: `server[h]` is from step `begin[h]` to before `end[h]`.

    Holes of n steps are a list, from `first[n]` on each with its neighbours `after` and `before`;
    entries that are holes no more are the list of 0 steps, and `made[0]` is how many entries there
    are. The jobs of server n so far end at `done[n]`; in `room`, starts are counted.
    """

    begin: IntArray
    end: IntArray
    server: IntArray
    after: IntArray
    before: IntArray
    first: IntArray
    made: IntArray
    done: IntArray
    room: IntArray


@Kernel
def fill_holes(queue, jobs, awake, all_are_holes, start):
    """Find the start of each job in a queue; `NOWHERE` if there is no room for it."""
    for kind in range(len(awake)):
        holes = _open(awake[kind], queue.shortest[kind])
        for place in range(len(queue.group)):
            group = queue.group[place]
            if jobs.kind[group] != kind:
                continue
            width, length, release = jobs.width[group], jobs.length[group], jobs.release[group]
            job = release, queue.latest[group], width, length, queue.shortest[kind]
            where = _HOLE
            found, hole = _best_start(holes, job, all_are_holes)
            while found == NOWHERE and where < _ANYWHERE:
                where += 1
                found, hole = _first_start(holes, job, where)
            start[place] = found
            if found != NOWHERE and width == 1:
                _cut(holes, hole, found, job)
            elif found != NOWHERE:
                _take(holes, job, found, where, all_are_holes)


@Kernel
def _open(awake, shortest):
    """All stretches in which servers are awake and that a job can fit into."""
    steps, servers = len(awake), awake.max()
    most = servers * ((steps + 1) // 2) + 1
    holes = _Holes(
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.full(steps + 1, NOWHERE),
        np.zeros(1, np.int64),
        np.zeros(servers, np.int64),
        np.empty(steps + 2, np.int64),
    )
    for server in range(servers):
        begin = NOWHERE
        for step in range(steps + 1):
            there = step < steps and awake[step] > server
            if there and begin == NOWHERE:
                begin = step
            if not there and begin != NOWHERE:
                if step - begin >= shortest:
                    _add(holes, begin, step, server)
                begin = NOWHERE
    return holes


@Kernel
def _add(holes, begin, end, server):
    """One more hole."""
    hole = holes.first[0]
    if hole == NOWHERE:
        hole = holes.made[0]
        holes.made[0] += 1
    else:
        _leave(holes, hole, 0)
    _join(holes, hole, end - begin)
    holes.begin[hole], holes.end[hole], holes.server[hole] = begin, end, server


@Kernel
def _leave(holes, hole, size):
    """Take an entry out of the list of holes of a size."""
    after, before = holes.after[hole], holes.before[hole]
    if after != NOWHERE:
        holes.before[after] = before
    if before != NOWHERE:
        holes.after[before] = after
    else:
        holes.first[size] = after


@Kernel
def _join(holes, hole, size):
    """Put an entry at the begin of the list of holes of a size."""
    after = holes.first[size]
    if after != NOWHERE:
        holes.before[after] = hole
    holes.after[hole], holes.before[hole], holes.first[size] = after, NOWHERE, hole


@Kernel
def _is_for(holes, hole, where, all_are_holes):
    """Whether a job that looks for a hole, or for the end of a server, may take this one."""
    last = holes.begin[hole] >= holes.done[holes.server[hole]]
    if where == _HOLE:
        return all_are_holes or not last
    return last or where == _ANYWHERE


@Kernel
def _best_start(holes, job, all_are_holes):
    """When a job begins that ends by its due date, in the shortest hole that it can have a part in,
    and that hole; `NOWHERE` if there is none.
    """
    release, latest, width, length, _ = job
    if width > 1:
        _count_room(holes, job, _HOLE, all_are_holes)
    found, best = NOWHERE, NOWHERE
    for size in range(length, len(holes.first)):
        hole = holes.first[size]
        while hole != NOWHERE:
            start = max(holes.begin[hole], release)
            last = min(holes.end[hole] - length, latest)
            if start <= last and _is_for(holes, hole, _HOLE, all_are_holes):
                while width > 1 and start <= last and holes.room[start] < width:
                    start += 1
                if start <= last and (found == NOWHERE or start < found):
                    found, best = start, hole
            hole = holes.after[hole]
        if found != NOWHERE:
            break
    return found, best


@Kernel
def _first_start(holes, job, where):
    """When a job begins that begins as early as it can, whenever it is due, and the shortest hole
    for that; `NOWHERE` if there is none, or if it is wider than a hole.
    """
    release, _, width, length, _ = job
    if width > 1:
        _count_room(holes, job, where, True)
        for start in range(release, len(holes.room)):
            if holes.room[start] >= width:
                return start, NOWHERE
        return NOWHERE, NOWHERE
    found, best = NOWHERE, NOWHERE
    for size in range(length, len(holes.first)):
        hole = holes.first[size]
        while hole != NOWHERE:
            start = max(holes.begin[hole], release)
            sooner = found == NOWHERE or start < found
            if sooner and start + length <= holes.end[hole] and _is_for(holes, hole, where, True):
                found, best = start, hole
            hole = holes.after[hole]
    return found, best


@Kernel
def _count_room(holes, job, where, all_are_holes):
    """Count in how many holes a job could begin at each step."""
    release, _, _, length, _ = job
    room = holes.room
    room[:] = 0
    for size in range(length, len(holes.first)):
        hole = holes.first[size]
        while hole != NOWHERE:
            first, last = max(holes.begin[hole], release), holes.end[hole] - length
            if first <= last and _is_for(holes, hole, where, all_are_holes):
                room[first] += 1
                room[last + 1] -= 1
            hole = holes.after[hole]
    for step in range(1, len(room)):
        room[step] += room[step - 1]


@Kernel
def _take(holes, job, start, where, all_are_holes):
    """Put a job of several servers into the shortest holes in which it can begin then."""
    _, _, left, length, _ = job
    for size in range(length, len(holes.first)):
        hole = holes.first[size]
        while hole != NOWHERE and left > 0:
            after = holes.after[hole]
            fits = holes.begin[hole] <= start and start + length <= holes.end[hole]
            if fits and _is_for(holes, hole, where, all_are_holes):
                _cut(holes, hole, start, job)
                left -= 1
            hole = after


@Kernel
def _cut(holes, hole, start, job):
    """Take a job out of a hole; what remains before and behind it are holes, if a job fits."""
    _, _, _, length, shortest = job
    begin, end, server = holes.begin[hole], holes.end[hole], holes.server[hole]
    holes.done[server] = max(holes.done[server], start + length)
    _leave(holes, hole, end - begin)
    _join(holes, hole, 0)
    if start - begin >= shortest:
        _add(holes, begin, start, server)
    if end - (start + length) >= shortest:
        _add(holes, start + length, end, server)
