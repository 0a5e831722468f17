"""As usual, all servers are awake, jobs start as they come, and a thermostat cools."""

import numpy as np
import pytest
from centre_days import centre_days, day_of, faults, flat_curves, parasol_day, plan_or_none
from hypothesis import given

from core.capabilities.centre.centre import Centre, Cooling, PhysicalRoom, ServerKind
from core.capabilities.centre.day import CentreDay, grouped
from core.capabilities.centre.plan import measured
from core.capabilities.centre.rivals.as_usual import as_usual
from core.vocabulary.say.words import JOULES_PER_KWH


def test_one_job_on_two_servers() -> None:
    """Fixture C13: 2 steps with one busy and one idle server, one step with two idle ones."""
    kind = ServerKind("a", 2, 30.0, 22.0, 3.0)
    room = Centre((kind,), Cooling(40, 10, 100, 900), PhysicalRoom(1e6, 1), 27.0, 20.0)
    day = CentreDay(room, grouped([(0, 1, 2, 0, 3.0)]), flat_curves(3), 1.0)
    plan = as_usual(day)
    assert measured(day, plan).energy == (30 + 22) * 2 + 44 == 148
    assert (plan.start.tolist(), plan.awake.tolist()) == ([0], [[2, 2, 2]])


def test_the_published_day_costs_what_our_trials_said() -> None:
    """Some 330,180 W-steps for 200 jobs, at a price of 1: the exact jobs were others."""
    day = parasol_day(200)
    found = measured(day, as_usual(day))
    assert found.cost * JOULES_PER_KWH / day.step == pytest.approx(330_180, rel=0.02)
    assert found.hottest <= 27.0
    assert (found.fans == 0).all()
    assert (found.asleep == 0).all()


def test_jobs_start_by_their_release() -> None:
    rows = [(0, 64, 3, 2, 5.0), (0, 1, 2, 1, 90.0), (0, 64, 1, 0, 50.0)]
    day = day_of(rows, 9)
    plan = as_usual(day)
    starts = dict(zip(day.jobs.release[plan.group].tolist(), plan.start.tolist(), strict=True))
    assert starts == {0: 0, 1: 1, 2: 3}


@given(day=centre_days())
def test_plans_are_sound(day: CentreDay) -> None:
    plan = plan_or_none(day, as_usual)
    if plan is None:
        return
    assert faults(day, plan) == []
    assert (plan.awake == day.centre.counts[:, None]).all()
    assert np.isin(plan.speed, 0).all()
