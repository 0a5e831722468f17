"""Compiled, the figures of a plan are those that it is measured by."""

import numpy as np
import pytest
from centre_days import centre_days
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.plan import DayPlan, executing, measured
from core.capabilities.centre.rivals.figures import DayArrays, account, execute
from core.capabilities.centre.rivals.placing import GroupArrays, as_early_as_possible
from core.capabilities.centre.rivals.sleeping import awake_for
from core.vocabulary.budget import NoScheduleFound


@given(day=centre_days(), data=st.data())
def test_they_are_those_that_a_plan_is_measured_by(day: CentreDay, data: st.DataObject) -> None:
    """Whatever is awake, and however it is cooled, also too little."""
    try:
        group, start, count = as_early_as_possible(day, np.arange(len(day.jobs)))
    except NoScheduleFound:
        return
    random = np.random.default_rng(data.draw(st.integers(0, 999)))
    busy = executing(day, group, start, count)
    awake = awake_for(day, random.integers(busy, day.centre.counts[:, None] + 1))
    speed, runs = random.integers(0, 101, day.steps) / 100, random.random(day.steps) < 0.3
    plan = DayPlan(group, start, count, awake, speed, runs)
    expected = measured(day, plan)
    found_busy = np.empty(busy.shape, np.int64)
    jobs = GroupArrays.of(day.jobs)
    execute(found_busy, jobs, np.repeat(group, count), np.repeat(start, count))
    assert found_busy.tolist() == busy.tolist()
    watts = expected.fans + expected.compressor
    excess, cost, too_warm = account(DayArrays.of(day), busy, awake, watts, speed, runs * 1.0)
    assert excess == pytest.approx(expected.excess)
    assert cost == pytest.approx(expected.cost, abs=1e-9)
    above = np.maximum(expected.inside[1:] - day.centre.limit, 0.0)
    assert too_warm == pytest.approx(above.sum(), abs=1e-9)
