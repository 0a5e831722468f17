"""Earliest due date first: at once, on servers that sleep when there is nothing to do."""

from dataclasses import replace

import numpy as np
import pytest
from centre_days import centre_days, day_of, faults, parasol_day, plan_or_none
from hypothesis import given

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.plan import executing, measured
from core.capabilities.centre.rivals.due_first import due_first


@pytest.mark.parametrize(("servers", "late"), [(1, 5), (2, 0)])
def test_three_jobs_by_their_due_dates(servers: int, late: int) -> None:
    """Those of fixture C6. On one server, the least lateness would be 4: the longest job last."""
    day = day_of([(0, 1, 3, 0, 3.0), (0, 1, 2, 0, 2.0), (0, 1, 2, 0, 4.0)], 9)
    few = replace(day.centre.kinds[0], count=servers)
    day = replace(day, centre=replace(day.centre, kinds=(few,)))
    plan = due_first(day)
    assert measured(day, plan).lateness == late * day.step
    order = day.jobs.due[plan.group[np.argsort(plan.start, kind="stable")]]
    assert order.tolist() == [2, 3, 4]


@given(day=centre_days())
def test_plans_are_sound(day: CentreDay) -> None:
    plan = plan_or_none(day, due_first)
    if plan is None:
        return
    assert faults(day, plan) == []
    instant = day.centre.start_steps(day.step) < 2
    busy = executing(day, plan.group, plan.start, plan.count)
    assert (plan.awake[instant] == busy[instant]).all()


def test_it_is_as_late_as_usual_at_less_energy() -> None:
    day = parasol_day(300)
    found = measured(day, due_first(day))
    assert found.on_time_share == 1
    assert found.energy < 0.5 * 345_000 * 60
