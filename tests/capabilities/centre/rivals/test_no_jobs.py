"""On a day without jobs every rival has a plan, and every server of those that plan can sleep."""

from collections.abc import Callable

import pytest
from centre_days import day_of, faults

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.plan import DayPlan, measured
from core.capabilities.centre.rivals.annealing import annealed
from core.capabilities.centre.rivals.as_usual import as_usual
from core.capabilities.centre.rivals.best_fit_hole import best_fit_hole
from core.capabilities.centre.rivals.due_first import due_first
from core.capabilities.centre.rivals.evolving import EVOLVING_METHODS, evolved


@pytest.mark.parametrize("method", [as_usual, due_first, best_fit_hole])
def test_a_day_without_jobs_is_planned(method: Callable[[CentreDay], DayPlan]) -> None:
    day = day_of([], 20)
    plan = method(day)
    assert faults(day, plan) == []
    assert measured(day, plan).on_time_share == 1
    assert plan.awake.max() == (64 if method is as_usual else 0)
    (found,) = annealed(day, [plan])
    assert faults(day, found) == []


@pytest.mark.parametrize("method", EVOLVING_METHODS)
def test_a_day_without_jobs_is_evolved(method: str) -> None:
    day = day_of([], 20)
    plans = evolved(day, method)
    assert [faults(day, plan) for plan in plans] == [[]] * len(plans)
    assert min(measured(day, plan).idle.sum() for plan in plans) < 20 * 64 * 22 / 4
