"""Best Fit Hole takes the shortest hole that meets the due date, else the end of a server."""

from dataclasses import replace

import numpy as np
import pytest
from centre_days import centre_days, day_of, faults, parasol_day, plan_or_none
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.day import CentreDay, DayJobs
from core.capabilities.centre.plan import executing
from core.capabilities.centre.rivals.best_fit_hole import (
    FIRST_HOLES,
    NOWHERE,
    FirstHoles,
    Queue,
    best_fit_hole,
    fill_holes,
    placed_in_holes,
)
from core.capabilities.centre.rivals.placing import GroupArrays
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
    anew for every job.
    """

    def __init__(self, awake: IntArray, first: FirstHoles) -> None:
        self.free: BoolArray = awake > np.arange(awake.max(initial=0))[:, None]
        self.done = [0] * len(self.free)
        self.first = first

    def holes(self, server: int) -> list[tuple[int, int]]:
        edges = np.flatnonzero(np.diff(self.free[server], prepend=False, append=False))
        return [(int(begin), int(end)) for begin, end in edges.reshape(-1, 2)]

    def fitting(self, start: int, length: int, where: str) -> list[tuple[int, int]]:
        """Length of the hole and number of each server on which a job could begin then."""
        found = []
        for server in range(len(self.free)):
            for begin, end in self.holes(server):
                last = begin >= self.done[server]
                hole = self.first == "awake" or not last
                right = {"hole": hole, "end": last, "anywhere": True}[where]
                if right and begin <= start and start + length <= end:
                    found.append((end - begin, server))
        return sorted(found)

    def place(self, release: int, latest: int, width: int, length: int) -> tuple[int, list[int]]:
        """When the job begins, and the lengths of all holes that it could have a part in then."""
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
            return NOWHERE, []
        start = found[1]
        for _, server in found[2][:width]:
            self.free[server, start : start + length] = False
            self.done[server] = max(self.done[server], start + length)
        return start, [size for size, _ in found[2]]


@given(day=centre_days(most_kinds=1), first=first_holes, data=st.data())
def test_it_is_as_if_every_server_and_step_were_looked_at(
    day: CentreDay, first: FirstHoles, data: st.DataObject
) -> None:
    """Where equal holes begin when a job does, either may be taken, and what follows differs."""
    servers = int(day.centre.counts[0])
    drawn = st.lists(st.integers(0, servers), min_size=day.steps, max_size=day.steps)
    awake = np.array(data.draw(drawn))
    queue, jobs = Queue.of(day), day.jobs
    found = np.empty(len(queue.group), np.int64)
    fill_holes(queue, GroupArrays.of(jobs), awake[None, :], first == "awake", found)
    there = Servers(awake, first)
    for group, start in zip(queue.group.tolist(), found.tolist(), strict=True):
        width, length = int(jobs.width[group]), int(jobs.length[group])
        release, latest = int(jobs.release[group]), int(queue.latest[group])
        expected, could = there.place(release, latest, width, length)
        assert start == expected
        if could[width - 1 : width] == could[width : width + 1] != []:
            return


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
