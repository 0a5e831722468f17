"""Jobs start in turn, each at the first step from which there are servers for it."""

import numpy as np
import pytest
from centre_days import centre_days, day_of, parasol_day
from hypothesis import given

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.placing import as_early_as_possible
from core.vocabulary.arrays import IntArray
from core.vocabulary.budget import NoScheduleFound


def one_by_one(day: CentreDay, order: IntArray) -> list[tuple[int, int]]:
    """Group and start of each job that has room, by trying every step."""
    free = np.repeat(day.centre.counts[:, None], day.steps, axis=1)
    found = []
    for group in order.tolist():
        jobs = day.jobs
        kind, width, length = jobs.kind[group], jobs.width[group], jobs.length[group]
        for _ in range(jobs.count[group]):
            for start in range(jobs.release[group], day.steps - length + 1):
                if (free[kind, start : start + length] >= width).all():
                    free[kind, start : start + length] -= width
                    found.append((group, start))
                    break
    return found


@given(day=centre_days())
def test_it_is_as_if_every_step_were_tried(day: CentreDay) -> None:
    order = np.arange(len(day.jobs))[::-1].copy()
    expected = one_by_one(day, order)
    left_over = day.jobs.total - len(expected)
    if left_over:
        with pytest.raises(NoScheduleFound, match=f"^{left_over} of {day.jobs.total} jobs"):
            as_early_as_possible(day, order)
        return
    group, start, count = as_early_as_possible(day, order)
    rows = zip(group.tolist(), start.tolist(), strict=True)
    assert [row for row, n in zip(rows, count.tolist(), strict=True) for _ in range(n)] == expected


def test_it_takes_equal_jobs_together() -> None:
    day = day_of([(0, 10, 2, 1, 9.0)] * 14, 8)
    group, start, count = as_early_as_possible(day, np.array([0]))
    assert (group.tolist(), start.tolist(), count.tolist()) == ([0, 0, 0], [1, 3, 5], [6, 6, 2])


def test_equal_jobs_follow_each_other_step_by_step() -> None:
    day = day_of([(0, 40, 1, 0, 9.0)] * 3, 8)
    assert as_early_as_possible(day, np.array([0]))[1].tolist() == [0, 1, 2]


def test_who_finds_no_room_is_told_how_many_and_what_to_do() -> None:
    day = parasol_day(2000)
    with pytest.raises(NoScheduleFound) as refused:
        as_early_as_possible(day, np.arange(len(day.jobs)))
    count, *_ = str(refused.value).partition(
        " of 2,000 jobs find no room before the day ends; give"
    )
    assert 0 < int(count.replace(",", "")) < 2000
