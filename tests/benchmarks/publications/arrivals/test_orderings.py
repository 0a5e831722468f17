"""On the published testbed, policies are ordered as published: 24 days, each with all policies.

The report judges the same on many more days. Here a change that turns an order around is seen at
once.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from benchmarks.publications.arrivals.budget import BY_WORTH, COMPARISON, METAHEURISTICS, RESERVED
from benchmarks.publications.arrivals.days import Days, DaySetting, DayTask, replayed_day
from benchmarks.publications.arrivals.testbed import three_hours
from core.capabilities.arrivals.made.testbed import EVERY, LENGTH
from core.engines.replay.energy import DAY_SECONDS

TRIALS = 24
RESERVING = tuple(name + RESERVED for name in BY_WORTH)
FREE = [DaySetting(name) for name in (*COMPARISON, *BY_WORTH, *RESERVING, *METAHEURISTICS)]
FULL, SHORT, TIGHT = 1.0, 0.85, 0.7
"""Shares of what Max UPR draws on the same day without a budget."""


def _days(settings: Sequence[DaySetting], joules: np.ndarray) -> Days:
    found = [
        replayed_day(DayTask(three_hours, trial, settings, float(joules[trial]), EVERY))
        for trial in range(TRIALS)
    ]
    return Days(dict(zip(settings, zip(*found, strict=True), strict=True)))


@cache
def measured() -> Days:
    without = _days(FREE, np.ones(TRIALS))
    a_day = without.joules(DaySetting("max-upr")) * DAY_SECONDS / LENGTH
    within = [
        DaySetting(name, budget)
        for name in (*BY_WORTH, *METAHEURISTICS)
        for budget in (FULL, SHORT, TIGHT)
    ]
    return without | _days(within, a_day)


def mean(policy: str, budget: float = np.inf) -> float:
    return measured().share(DaySetting(policy, budget)).mean


def test_max_upe_draws_no_more_than_max_upr_on_any_day_without_a_budget() -> None:
    upe, upr = (measured().joules(DaySetting(name)) for name in ("max-upe", "max-upr"))
    assert (upe <= upr).all()


@pytest.mark.parametrize("saving", ["max-upe", *METAHEURISTICS])
def test_policies_that_save_energy_are_ahead_where_it_is_short(saving: str) -> None:
    for other in BY_WORTH[:3]:
        assert mean(saving, TIGHT) > mean(other, TIGHT)


def test_event_based_is_max_upr_where_the_budget_is_loose_and_near_the_best_between() -> None:
    """Near is within a percentage point, of the noise of 24 days."""
    assert abs(mean("event-based", FULL) - mean("max-upr", FULL)) < 1
    assert mean("event-based", SHORT) > max(mean("max-upe", SHORT), mean("max-upr", SHORT)) - 1


def test_policies_by_worth_are_ahead_of_those_that_do_not_look_at_it() -> None:
    best = max(mean(name) for name in COMPARISON)
    assert all(mean(name) > best for name in (*BY_WORTH, *RESERVING, *METAHEURISTICS))


def test_place_holders_earn_no_less_than_reservations() -> None:
    """Of paired days; what is less lies within the noise."""
    for held, reserved in zip(BY_WORTH, RESERVING, strict=True):
        assert measured().lead(DaySetting(held), DaySetting(reserved)).high >= 0
