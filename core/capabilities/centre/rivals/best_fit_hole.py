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
from core.capabilities.centre.plan import DayPlan
from core.capabilities.centre.rivals.due_first import thrifty
from core.capabilities.centre.rivals.placing import GroupArrays, JobStarts, no_room
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
    The jobs of server n so far end at `done[n]`.
    """

    begin: IntArray
    end: IntArray
    server: IntArray
    done: IntArray
    room: IntArray


@Kernel
def fill_holes(queue, jobs, awake, all_are_holes, start):
    """Find the start of each job in a queue; `NOWHERE` if there is no room for it."""
    kinds, steps = awake.shape
    for kind in range(kinds):
        servers = awake[kind].max()
        most = servers * ((steps + 1) // 2) + 1
        holes = _Holes(
            np.empty(most, np.int64),
            np.empty(most, np.int64),
            np.empty(most, np.int64),
            np.zeros(servers, np.int64),
            np.empty(steps + 2, np.int64),
        )
        number = _open(holes, awake[kind], queue.shortest[kind])
        for place in range(len(queue.group)):
            group = queue.group[place]
            if jobs.kind[group] != kind:
                continue
            width, length, release = jobs.width[group], jobs.length[group], jobs.release[group]
            job = release, queue.latest[group], width, length, queue.shortest[kind]
            where = _HOLE
            found, hole = _best_start(holes, number, job, all_are_holes)
            while found == NOWHERE and where < _ANYWHERE:
                where += 1
                found, hole = _first_start(holes, number, job, where)
            start[place] = found
            if found != NOWHERE and width == 1:
                number, _ = _cut(holes, number, hole, found, job)
            elif found != NOWHERE:
                number = _take(holes, number, job, found, where, all_are_holes)


@Kernel
def _open(holes, awake, shortest):
    """All stretches that a job can fit into; returns their number."""
    number = 0
    for server in range(len(holes.done)):
        begin = -1
        for step in range(len(awake) + 1):
            there = step < len(awake) and awake[step] > server
            if there and begin < 0:
                begin = step
            if not there and begin >= 0:
                if step - begin >= shortest:
                    holes.begin[number] = begin
                    holes.end[number] = step
                    holes.server[number] = server
                    number += 1
                begin = -1
    return number


@Kernel
def _is_for(holes, hole, where, all_are_holes):
    """Whether a job that looks for a hole, or for the end of a server, may take this one."""
    last = holes.begin[hole] >= holes.done[holes.server[hole]]
    if where == _HOLE:
        return all_are_holes or not last
    return last or where == _ANYWHERE


@Kernel
def _best_start(holes, number, job, all_are_holes):
    """When a job begins that ends by its due date, in the shortest hole that it can have a part in,
    and that hole; `NOWHERE` if there is none.
    """
    release, latest, width, length, _ = job
    if width > 1:
        _count_room(holes, number, job, _HOLE, all_are_holes)
    best, found, shortest = len(holes.room), NOWHERE, NOWHERE
    for hole in range(number):
        size = holes.end[hole] - holes.begin[hole]
        if length <= size <= best and _is_for(holes, hole, _HOLE, all_are_holes):
            start = max(holes.begin[hole], release)
            last = min(holes.end[hole] - length, latest)
            while width > 1 and start <= last and holes.room[start] < width:
                start += 1
            if start <= last and (size < best or start < found):
                best, found, shortest = size, start, hole
    return found, shortest


@Kernel
def _first_start(holes, number, job, where):
    """When a job begins that begins as early as it can, whenever it is due, and the shortest hole
    for that; `NOWHERE` if there is none, or if it is wider than a hole.
    """
    release, _, width, length, _ = job
    if width > 1:
        _count_room(holes, number, job, where, True)
        for start in range(release, len(holes.room) - 1):
            if holes.room[start] >= width:
                return start, NOWHERE
        return NOWHERE, NOWHERE
    best, found, shortest = len(holes.room), len(holes.room), NOWHERE
    for hole in range(number):
        start, size = max(holes.begin[hole], release), holes.end[hole] - holes.begin[hole]
        better = start < found or (start == found and size < best)
        if better and start + length <= holes.end[hole] and _is_for(holes, hole, where, True):
            best, found, shortest = size, start, hole
    return found if shortest != NOWHERE else NOWHERE, shortest


@Kernel
def _count_room(holes, number, job, where, all_are_holes):
    """Count in how many holes a job could begin at each step."""
    release, _, _, length, _ = job
    room = holes.room
    room[:] = 0
    for hole in range(number):
        first, last = max(holes.begin[hole], release), holes.end[hole] - length
        if first <= last and _is_for(holes, hole, where, all_are_holes):
            room[first] += 1
            room[last + 1] -= 1
    for step in range(1, len(room)):
        room[step] += room[step - 1]


@Kernel
def _take(holes, number, job, start, where, all_are_holes):
    """Put a job into the shortest holes in which it can begin then; returns how many there are."""
    _, _, width, length, _ = job
    end = start + length
    sizes = holes.room
    sizes[:] = 0
    for hole in range(number):
        fits = holes.begin[hole] <= start and end <= holes.end[hole]
        if fits and _is_for(holes, hole, where, all_are_holes):
            sizes[holes.end[hole] - holes.begin[hole]] += 1
    largest, left = length, width
    while sizes[largest] < left:
        left -= sizes[largest]
        largest += 1
    hole, taken = 0, 0
    while taken < width:
        begin, until = holes.begin[hole], holes.end[hole]
        size = until - begin
        fits = begin <= start and end <= until and size < largest + (left > 0)
        if not (fits and _is_for(holes, hole, where, all_are_holes)):
            hole += 1
            continue
        taken += 1
        left -= size == largest
        number, hole = _cut(holes, number, hole, start, job)
    return number


@Kernel
def _cut(holes, number, hole, start, job):
    """Take a job out of a hole. Returns how many holes there are, and the next one to look at."""
    _, _, _, length, shortest = job
    begin, end = start, start + length
    until, server = holes.end[hole], holes.server[hole]
    holes.done[server] = max(holes.done[server], end)
    before, after = begin - holes.begin[hole] >= shortest, until - end >= shortest
    if before:
        holes.end[hole] = begin
        if after:
            holes.begin[number], holes.end[number], holes.server[number] = end, until, server
            number += 1
        return number, hole + 1
    if after:
        holes.begin[hole] = end
        return number, hole + 1
    number -= 1
    holes.begin[hole] = holes.begin[number]
    holes.end[hole] = holes.end[number]
    holes.server[hole] = holes.server[number]
    return number, hole
