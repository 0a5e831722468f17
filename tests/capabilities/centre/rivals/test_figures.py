"""Compiled, the figures of a plan are those that it is measured by."""

import numpy as np
import pytest
from centre_days import flat_curves

from core.capabilities.centre.centre import (
    Centre,
    Cooling,
    LinearRoom,
    PhysicalRoom,
    ServerKind,
)
from core.capabilities.centre.day import CentreDay, grouped
from core.capabilities.centre.placing import GroupArrays, as_early_as_possible
from core.capabilities.centre.plan import DayPlan, executing, measured, starting
from core.capabilities.centre.rivals.best_fit_hole import NOWHERE
from core.capabilities.centre.rivals.figures import DayArrays, account, execute
from core.capabilities.centre.rivals.sleeping import awake_for


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_they_are_those_that_a_plan_is_measured_by(seed: int, linear: bool) -> None:
    """Whatever is awake and starts, and however it is cooled, also too little."""
    random = np.random.default_rng(seed)
    steps = 12
    kinds = (ServerKind("a", 6, 30, 22, 3), ServerKind("b", 5, 90, 40, 7, 150.0, 4000.0))
    room = LinearRoom(0.8, 0.15, 6e-3, 0.5, 0.7, 60.0) if linear else PhysicalRoom(2e4, 60.0)
    centre = Centre(kinds, Cooling(410, 200, 2300, 900), room, 26.0, 26.0)
    curves = flat_curves(
        steps,
        price=random.uniform(-0.1, 0.4, steps),
        outside=random.uniform(22, 34, steps),
        green=random.uniform(0, 3000, steps),
        target=random.uniform(300, 900, steps),
    )
    jobs = grouped([(k % 2, 1 + k % 3, 1 + k % 4, k % 6, 9.0) for k in range(7)])
    day = CentreDay(centre, jobs, curves, 60.0, feed_in=0.07, peak_price=3.0)
    group, start, count = as_early_as_possible(day, np.arange(len(jobs)))
    busy = executing(day, group, start, count)
    awake = awake_for(day, random.integers(busy, day.centre.counts[:, None] + 1))
    awake[:, 7:10] = busy[:, 7:10]
    awake = awake_for(day, awake)
    assert starting(day, awake).any()
    speed, runs = random.integers(0, 101, steps) / 100, random.random(steps) < 0.3
    plan = DayPlan(group, start, count, awake, speed, runs)
    expected = measured(day, plan)
    found_busy = np.empty(busy.shape, np.int64)
    each, starts = np.repeat(group, count), np.repeat(start, count)
    each, starts = np.append(each, 0), np.append(starts, NOWHERE)
    execute(found_busy, GroupArrays.of(jobs), each, starts)
    assert found_busy.tolist() == busy.tolist()
    watts = expected.fans + expected.compressor
    excess, cost, too_warm = account(DayArrays.of(day), busy, awake, watts, speed, runs * 1.0)
    above = np.maximum(expected.inside[1:] - day.centre.limit, 0.0)
    assert above.any()
    assert (excess, cost, too_warm) == pytest.approx((expected.excess, expected.cost, above.sum()))
