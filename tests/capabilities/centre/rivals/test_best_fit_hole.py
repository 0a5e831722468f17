"""Best Fit Hole takes the shortest hole that meets the due date, else the end of a server."""

from dataclasses import replace

import numpy as np
import pytest
from centre_days import centre_days, day_of, faults, parasol_day, plan_or_none
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.day import CentreDay, DayJobs
from core.capabilities.centre.placing import GroupArrays
from core.capabilities.centre.plan import executing, measured
from core.capabilities.centre.rivals.best_fit_hole import (
    FIRST_HOLES,
    NOWHERE,
    FirstHoles,
    Queue,
    best_fit_hole,
    fill_holes,
    placed_in_holes,
)
from core.vocabulary.arrays import BoolArray, IntArray
from core.vocabulary.budget import NoScheduleFound

first_holes = st.sampled_from(FIRST_HOLES)


def few_servers(day: CentreDay, servers: int) -> CentreDay:
    few = replace(day.centre.kinds[0], count=servers)
    return replace(day, centre=replace(day.centre, kinds=(few,)))


@pytest.mark.parametrize(("first", "starts"), [("awake", [0, 4, 7, 0]), ("none", [0, 0, 3, 4])])
def test_both_readings_of_the_first_holes(first: FirstHoles, starts: list[int]) -> None:
    """Fixture C9. All are there at once, so they come in the order of their groups."""
    ones = np.ones(4, np.int64)
    due = np.array([4.0, 9.0, 10.0, 5.0])
    jobs = DayJobs(0 * ones, ones, np.array([4, 3, 2, 5]), 0 * ones, due, ones)
    day = replace(few_servers(day_of([], 10), 2), jobs=jobs)
    queue = Queue.of(day)._replace(group=np.arange(4))
    found = np.empty(4, np.int64)
    fill_holes(queue, GroupArrays.of(jobs), np.full((1, 10), 2), first == "awake", found)
    assert found.tolist() == starts


class Servers:
    """The servers of a kind, each with the steps in which it is free; every hole is looked for
    anew for every job. Of equal holes, the youngest is taken.
    """

    def __init__(self, awake: IntArray, first: FirstHoles) -> None:
        self.free: BoolArray = awake > np.arange(awake.max(initial=0))[:, None]
        self.done = [0] * len(self.free)
        self.first = first
        there = [
            (server, hole[0]) for server in range(len(self.free)) for hole in self.holes(server)
        ]
        self.born = {hole: number for number, hole in enumerate(there)}

    def holes(self, server: int) -> list[tuple[int, int]]:
        edges = np.flatnonzero(np.diff(self.free[server], prepend=False, append=False))
        return [(int(begin), int(end)) for begin, end in edges.reshape(-1, 2)]

    def fitting(self, start: int, length: int, where: str) -> list[tuple[int, int, int, int]]:
        """Size, age, number of the server and begin of each hole in which a job could begin then,
        in the order in which they are taken.
        """
        found = []
        for server in range(len(self.free)):
            for begin, end in self.holes(server):
                last = begin >= self.done[server]
                hole = self.first == "awake" or not last
                right = {"hole": hole, "end": last, "anywhere": True}[where]
                if right and begin <= start and start + length <= end:
                    found.append((end - begin, -self.born[server, begin], server, begin))
        return sorted(found)

    def place(self, release: int, latest: int, width: int, length: int) -> int:
        """When the job begins."""
        steps = self.free.shape[1]
        inside = []
        for start in range(release, min(latest, steps) + 1):
            fitting = self.fitting(start, length, "hole")
            if len(fitting) >= width:
                inside.append((fitting[0][0], start, fitting))
        found = min(inside, default=None)
        for where in ("end", "anywhere"):
            for start in range(release, steps):
                fitting = self.fitting(start, length, where)
                if found is None and len(fitting) >= width:
                    found = 0, start, fitting
        if found is None:
            return NOWHERE
        _, start, fitting = found
        for _, _, server, begin in fitting[:width]:
            self.free[server, start : start + length] = False
            self.done[server] = max(self.done[server], start + length)
            for one in (begin, start + length):
                self.born[server, one] = 1 + max(self.born.values())
        return start


def crowded_day(seed: int) -> tuple[CentreDay, IntArray]:
    """Jobs of 1 to 3 of 4 servers, of which some sleep now and then, and how many are awake."""
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(12):
        length = int(random.integers(1, 6))
        release = int(random.integers(0, 14 - length))
        due = release + length + float(random.choice([0, 0.5, 2, 9]))
        rows.append((0, int(random.choice([1, 1, 2, 3])), length, release, due))
    return few_servers(day_of(rows, 14), 4), 4 - random.choice([0, 0, 0, 1, 2, 4], 14)


@pytest.mark.parametrize("first", FIRST_HOLES)
def test_it_is_as_if_every_server_and_step_were_looked_at(first: FirstHoles) -> None:
    found = [in_turn(*crowded_day(seed), first) for seed in range(60)]
    compared = [starts_found for starts_found, expected in found if starts_found == expected]
    assert len(compared) == 60
    assert any(NOWHERE in starts for starts in compared)


def in_turn(day: CentreDay, awake: IntArray, first: FirstHoles) -> tuple[list[int], list[int]]:
    """The starts of jobs, found both ways."""
    queue, jobs = Queue.of(day), day.jobs
    found = np.empty(len(queue.group), np.int64)
    fill_holes(queue, GroupArrays.of(jobs), awake[None, :], first == "awake", found)
    there, expected = Servers(awake, first), []
    for group in queue.group.tolist():
        width, length, release = jobs.width[group], jobs.length[group], jobs.release[group]
        latest = int(np.floor(jobs.due[group] - length))
        expected.append(there.place(int(release), latest, int(width), int(length)))
    return found.tolist(), expected


def test_kinds_have_holes_of_their_own() -> None:
    """Each kind by itself is placed as if the other had no jobs."""
    day, awake = crowded_day(5)
    other, more = crowded_day(6)
    both = replace(day.centre, kinds=(*day.centre.kinds, replace(day.centre.kinds[0], name="b")))
    tables = [list(vars(one.jobs).values())[:6] for one in (day, other)]
    tables[1][0] = tables[1][0] + 1
    joined = DayJobs(*map(np.concatenate, zip(*tables, strict=True)))
    together = replace(day, centre=both, jobs=joined)
    found = np.empty(joined.total, np.int64)
    queue = Queue.of(together)
    fill_holes(queue, GroupArrays.of(joined), np.stack((awake, more)), True, found)
    for kind, (one, there) in enumerate(((day, awake), (other, more))):
        alone = np.empty(one.jobs.total, np.int64)
        fill_holes(Queue.of(one), GroupArrays.of(one.jobs), there[None], True, alone)
        assert found[joined.kind[queue.group] == kind].tolist() == alone.tolist()


@pytest.mark.parametrize(("first", "starts"), [("awake", [0, 1]), ("none", [0, 2])])
def test_the_reading_is_that_which_is_asked_for(first: FirstHoles, starts: list[int]) -> None:
    """Of two servers, the second sleeps from step 3 on; the first job ends there. As a hole, its
    short rest is the best; else a job goes to where it begins first: at the end of the other.
    """
    day = few_servers(day_of([(0, 1, 1, 0, 9.0), (0, 1, 2, 1, 9.0)], 6), 2)
    group, start, _ = placed_in_holes(day, np.array([[2, 2, 2, 1, 1, 1]]), first)
    assert start[np.argsort(day.jobs.release[group])].tolist()[0] == starts[0]
    assert measured(day, best_fit_hole(day, first)).on_time_share == 1


@given(day=centre_days(), first=first_holes)
def test_plans_are_sound(day: CentreDay, first: FirstHoles) -> None:
    plan = plan_or_none(day, lambda one: best_fit_hole(one, first))
    if plan is None:
        return
    assert faults(day, plan) == []


def test_no_server_works_that_is_not_awake() -> None:
    day = parasol_day(200)
    random = np.random.default_rng(3)
    awake = random.integers(40, 65, (1, day.steps))
    for first in FIRST_HOLES:
        starts = placed_in_holes(day, awake, first)
        assert int(starts[2].sum()) == 200
        assert (executing(day, *starts) <= awake).all()


def test_who_finds_no_room_is_told_how_many() -> None:
    day = few_servers(day_of([(0, 1, 5, 0, 9.0)] * 5, 10), 2)
    with pytest.raises(NoScheduleFound, match=r"^1 of 5 jobs find no room"):
        placed_in_holes(day, np.full((1, 10), 2))
