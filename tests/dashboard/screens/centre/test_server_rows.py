"""Each job has servers of its own, and as many are awake and start as the plan says."""

import numpy as np
from centre_days import centre_days, day_of, plan_or_none
from hypothesis import given

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.plan import DayPlan, executing, starting
from core.capabilities.centre.rivals.as_usual import as_usual
from core.capabilities.centre.rivals.due_first import due_first
from dashboard.screens.centre.server_rows import (
    ASLEEP,
    AWAKE,
    STARTING,
    JobBlock,
    server_rows,
)


@given(centre_days())
def test_rows_say_what_the_plan_says(day: CentreDay) -> None:
    for method in (as_usual, due_first):
        plan = plan_or_none(day, method)
        if plan is not None:
            check(day, plan)


def check(day: CentreDay, plan: DayPlan) -> None:
    busy = executing(day, plan.group, plan.start, plan.count)
    begun = starting(day, plan.awake)
    servers = dict[tuple[int, int], int]()
    for rows in server_rows(day, plan):
        there = np.zeros((int(day.centre.counts[rows.kind]), day.steps), int)
        for one in rows.blocks:
            there[one.first : one.first + one.servers, one.begin : one.end] += 1
            assert one.end - one.begin == day.jobs.length[one.group]
            key = one.group, one.begin
            servers[key] = servers.get(key, 0) + one.servers
        assert there.max(initial=0) <= 1, "no server has two jobs at once"
        assert (there.sum(axis=0) == busy[rows.kind]).all()
        assert (rows.state[there > 0] == AWAKE).all()
        assert ((rows.state == AWAKE).sum(axis=0) == plan.awake[rows.kind]).all()
        assert ((rows.state == STARTING).sum(axis=0) == begun[rows.kind]).all()
    wanted = plan.count * day.jobs.width[plan.group]
    assert sum(servers.values()) == wanted.sum()


def test_equal_jobs_are_a_block_on_the_lowest_servers_that_are_neighbours() -> None:
    day = day_of([(0, 2, 3, 0, 9.0), (0, 2, 3, 0, 9.0), (0, 1, 5, 0, 9.0), (0, 3, 2, 0, 9.0)], 10)
    groups = {int(length): group for group, length in enumerate(day.jobs.length)}
    group = np.array([groups[3], groups[5], groups[2]])
    plan = DayPlan(
        group,
        np.array([0, 0, 3]),
        np.array([2, 1, 1]),
        np.full((1, 10), 6),
        np.zeros(10),
        np.zeros(10, bool),
    )
    (rows,) = server_rows(day, plan)
    assert rows.blocks == (
        JobBlock(groups[5], 1, 0, 5, 0, 1),
        JobBlock(groups[3], 2, 0, 3, 1, 4),
        JobBlock(groups[2], 1, 3, 5, 1, 3),
    )
    assert (rows.state[:6] == AWAKE).all()
    assert (rows.state[6:] == ASLEEP).all()


def test_a_block_is_in_parts_where_its_servers_are_not_neighbours() -> None:
    day = day_of([(0, 1, 4, 0, 9.0), (0, 62, 2, 0, 9.0), (0, 1, 3, 0, 9.0), (0, 2, 1, 0, 9.0)], 9)
    order = np.argsort(-day.jobs.length)  # 4, 3, 2, 1 steps
    plan = DayPlan(
        order,
        np.array([0, 0, 0, 2]),
        np.ones(4, np.int64),
        np.full((1, 9), 64),
        np.zeros(9),
        np.zeros(9, bool),
    )
    (rows,) = server_rows(day, plan)
    assert [(one.first, one.servers) for one in rows.blocks] == [(0, 1), (1, 1), (2, 62), (2, 2)]


def test_those_are_awake_that_work_the_soonest() -> None:
    day = day_of([(0, 1, 2, 0, 9.0), (0, 1, 2, 0, 9.0)], 6)
    plan = DayPlan(
        np.array([0, 0]),
        np.array([0, 4]),
        np.array([1, 1]),
        np.ones((1, 6), np.int64),
        np.zeros(6),
        np.zeros(6, bool),
    )
    (rows,) = server_rows(day, plan)
    assert rows.state[0].tolist() == [AWAKE] * 6
    assert (rows.state[1:] == ASLEEP).all()
