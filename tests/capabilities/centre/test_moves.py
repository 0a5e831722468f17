"""Jobs that are placed and moved one by one, and servers that stay awake between them."""

from itertools import product

import numpy as np
import pytest
from capabilities.centre.test_cooling import fixture_day
from capabilities.centre.tiny_days import tiny_days
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.day import CentreDay, DayJobs, grouped
from core.capabilities.centre.moves import (
    MovePrices,
    NoRoom,
    placed,
    staying_awake,
    sweep,
    wanted_starts,
)
from core.capabilities.centre.objectives import NO_CAPS, DayCaps, DayWeights
from core.capabilities.centre.placing import GroupArrays
from core.capabilities.centre.plan import executing
from core.capabilities.centre.steps import step_costs


def free(steps: int) -> np.ndarray:
    """No server is taken in any of these steps."""
    return np.zeros((1, steps), np.int64)


def test_shares_of_starts_become_whole_jobs() -> None:
    """Of 4 jobs, half at step 2 and half at step 6; of 1 job, most of it at step 5."""
    jobs = grouped([(0, 1, 2, 0, 9.0)] * 4 + [(0, 1, 3, 0, 9.0)])
    group, start = np.array([0, 0, 1, 1]), np.array([6, 2, 1, 5])
    found = wanted_starts(jobs, group, start, np.array([2.0, 2.0, 0.3, 0.7]))
    assert found.tolist() == [2, 2, 6, 6, 5]


def test_jobs_are_placed_as_near_as_there_is_room() -> None:
    jobs = grouped([(0, 2, 2, 1, 9.0)] * 3)
    each = np.zeros(3, np.int64)
    found = placed(jobs, each, np.full(3, 3), np.array([2]), free(8))
    assert sorted(found.tolist()) == [1, 3, 5]
    with pytest.raises(NoRoom):
        placed(jobs, each, np.full(3, 3), np.array([2]), free(6))
    with pytest.raises(NoRoom):
        placed(jobs, each, np.full(3, 3), np.array([1]), free(8))


def test_no_job_is_placed_on_servers_that_are_taken() -> None:
    jobs = grouped([(0, 1, 2, 0, 9.0)] * 3)
    taken = np.array([[2, 1, 2, 0, 0, 1, 1]])
    found = placed(jobs, np.zeros(3, np.int64), np.zeros(3, np.int64), np.array([2]), taken)
    assert found.tolist() == [3, 3, 5]
    assert taken.tolist() == [[2, 1, 2, 0, 0, 1, 1]], "who asks keeps what is theirs"


def test_the_largest_jobs_go_first_where_else_one_is_left() -> None:
    """Two short jobs leave no 4 steps to the long one, unless that is placed before them."""
    jobs = grouped([(0, 1, 1, 0, 9.0)] * 2 + [(0, 1, 4, 0, 9.0)])
    each = np.repeat(np.arange(2), jobs.count)
    found = placed(jobs, each, np.array([1, 4, 2]), np.array([1]), free(6))
    busy = executing_of(jobs, each, found, 6)
    assert busy.max() == 1
    assert busy.sum() == 6


def test_no_job_is_late_that_need_not_be() -> None:
    """Both are wanted at step 0, and there the one that has time would come first."""
    jobs = grouped([(0, 1, 1, 0, 9.0), (0, 1, 2, 0, 2.0)])
    found = placed(jobs, np.arange(2), np.zeros(2, np.int64), np.array([1]), free(8))
    assert jobs.lateness(np.arange(2), found).sum() == 0
    assert found.tolist() == [2, 0]


def executing_of(jobs: DayJobs, each: np.ndarray, start: np.ndarray, steps: int) -> np.ndarray:
    """Servers at work in each step."""
    busy = np.zeros(steps, np.int64)
    for group, begin in zip(each.tolist(), start.tolist(), strict=True):
        busy[begin : begin + int(jobs.length[group])] += int(jobs.width[group])
    return busy


@examples(40)
@given(tiny_days(), st.integers(0, 2**32 - 1), st.sampled_from([np.inf, 0.0, 1.0]))
def test_a_moved_job_is_where_it_costs_least(day: CentreDay, seed: int, most_late: float) -> None:
    """A single job, held against every other start of it."""
    random = np.random.default_rng(seed)
    jobs, counts = day.jobs, day.centre.counts
    each = np.repeat(np.arange(len(jobs)), jobs.count)
    wanted = jobs.release[each]
    try:
        start = placed(jobs, each, wanted, counts, day.taken)
    except NoRoom:
        return
    weights = DayWeights(*random.integers(0, 3, 4).astype(float).tolist(), 0.01)
    costs, heat = step_costs(day, weights, DayCaps(peak=1.0)), random.uniform(0, 1e-4, day.steps)
    watts = day.centre.busy - day.centre.asleep
    job = int(random.integers(len(each)))
    group = int(each[job])
    length, width, kind = (int(row[group]) for row in (jobs.length, jobs.width, jobs.kind))

    def whole_cost(begin: int) -> float:
        """What all jobs cost if the job starts at a step; infinity if there is no room."""
        then = start.copy()
        then[job] = begin
        busy = executing(day, each, then, np.ones(len(each), np.int64))
        if (busy > counts[:, None]).any():
            return np.inf
        more = watts @ busy
        late = jobs.lateness(each, then).sum()
        if late - jobs.lateness(each, start).sum() > most_late:
            return np.inf
        return float(costs.of(day.base_watts + more).sum() + heat @ more + 0.01 * late)

    ends = range(int(jobs.release[group]), day.steps - length + 1)
    least = min(whole_cost(begin) for begin in ends)
    before = whole_cost(int(start[job]))
    moved = start.copy()
    busy = executing(day, each, start, np.ones(len(each), np.int64))
    power = day.base_watts + watts @ busy
    prices = MovePrices(0.01, heat, costs.table, watts)
    saved, left = sweep(
        np.array([job]), each, moved, GroupArrays.of(jobs), counts, (busy, power, most_late), prices
    )
    after = whole_cost(int(moved[job]))
    assert after == pytest.approx(least, rel=1e-7, abs=1e-9)
    assert before - after == pytest.approx(saved, rel=1e-6, abs=1e-8)
    again = executing(day, each, moved, np.ones(len(each), np.int64))
    assert np.array_equal(busy, again)
    assert power == pytest.approx(day.base_watts + watts @ again)
    if np.isfinite(most_late):
        late = jobs.lateness(each, moved).sum() - jobs.lateness(each, start).sum()
        assert left == pytest.approx(most_late - late)
    assert width <= counts[kind]


@examples(60)
@given(
    st.lists(st.integers(0, 2), min_size=1, max_size=6),
    st.integers(1, 3),
    st.sampled_from([0.5, 1.0, 3.0]),
    st.integers(0, 2**32 - 1),
)
def test_no_other_servers_awake_cost_less(
    busy: list[int], lead: int, watts: float, seed: int
) -> None:
    """Held against every number of servers that are awake in each step, of 2 in all."""
    price = np.random.default_rng(seed).integers(0, 4, len(busy)).astype(float)
    executes = np.array(busy)

    def cost_of(awake: np.ndarray) -> float:
        rise = np.maximum(np.diff(awake, prepend=awake[0]), 0)
        starting = np.zeros(len(busy), np.int64)
        for step, more in enumerate(rise.tolist()):
            if more and step < lead:
                return np.inf
            starting[step - lead : step] += more
        if (awake + starting > 2).any() or (awake < executes).any():
            return np.inf
        return float(price @ (watts * (awake - executes) + 2.0 * starting))

    least = min(cost_of(np.array(awake)) for awake in product(range(3), repeat=len(busy)))
    found = staying_awake(executes, lead, watts, 2.0, price)
    assert cost_of(found) == pytest.approx(least)


def test_costs_of_steps_by_hand() -> None:
    """3 kW for 6 s at 2 a kWh, without green power and with a target of 0 W."""
    day = fixture_day((2.0,), step=6.0)
    costs = step_costs(day, DayWeights(cost=1.0, energy=0.5, excess=4.0), NO_CAPS)
    assert costs.of(np.array([3000.0]))[0] == pytest.approx((2 * 3 + 0.5 * 3 + 4 * 3) * 6 / 3600)
