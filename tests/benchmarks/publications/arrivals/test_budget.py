"""Days under a budget: every setting of a figure is replayed once, at the same share of energy."""

import numpy as np
import pytest
from small_days import TRIALS, small_measured

from benchmarks.publications.arrivals import budget
from benchmarks.publications.arrivals.budget_figures import _below
from benchmarks.publications.arrivals.days import DaySetting
from core.engines.replay.policy import NEVER_DROPPED


def test_the_usual_budget_is_70_percent_of_what_is_drawn_without_one() -> None:
    few, many, *_ = small_measured()
    for found, name, usual in ((few, "max-util", 12), (many, "max-upr", 15)):
        free = found.days.joules(DaySetting(name)).mean()
        assert usual * found.gigajoule == pytest.approx(0.7 * free)


def test_no_setting_uses_more_than_its_budget() -> None:
    for found in small_measured()[:2]:
        for setting in found.days.scores:
            joules = found.days.joules(setting)
            assert len(joules) == TRIALS
            assert (joules <= setting.budget * found.gigajoule * (1 + 1e-9)).all()


def test_without_a_budget_event_based_is_max_upr() -> None:
    days = small_measured().few.days
    event, upr = DaySetting("event-based"), DaySetting("max-upr")
    assert np.array_equal(days.shares(event), days.shares(upr))
    assert np.array_equal(days.joules(event), days.joules(upr))


def test_settings_are_those_of_the_publication() -> None:
    few, many = budget.settings_of(budget.FEW), budget.settings_of(budget.MANY)
    assert len(set(few)) == len(few)
    assert DaySetting("max-util") not in few
    assert DaySetting("easy", 12.0, NEVER_DROPPED) in few
    assert DaySetting("max-upr-res", 12.0, filter="task") in few
    assert {one.budget for one in few if one.policy == "task-based"} == {
        8.0,
        12.0,
        15.0,
        18.0,
        np.inf,
    }
    drops = {one.drop_below for one in few if one.policy == "random"}
    assert drops == {NEVER_DROPPED, 0.0, 0.1, 0.3, 0.5}
    tuned = {(one.budget, one.leniency) for one in few if one.leniency is not None}
    assert tuned == {(b, one) for b in (8, 12, 15, 18) for one in (1, 2, 3, 6, 8)}
    filtered = {one.filter for one in many if one.policy == "max-upe"}
    assert filtered == {"resource"}


def test_policies_have_the_names_of_the_publication() -> None:
    assert budget.labels(["max-util", "max-upe-res", "easy"]) == [
        "Max Util",
        "Max UPE, reservations",
        "EASY",
    ]
    by_worth = [name + ending for name in budget.BY_WORTH for ending in ("", budget.RESERVED)]
    named = budget.labels([*budget.COMPARISON, *by_worth, *budget.METAHEURISTICS])
    assert len(set(named)) == len(named)


def test_names_below_a_picture_are_on_two_lines_where_they_are_many() -> None:
    assert _below(budget.ALL[:8])[:2] == ["Random", "Conservative"]
    names = _below(budget.ALL)
    assert names[:3] == ["Random", "\nConservative", "EASY"]
    assert names[-1] == "\nTask-Based"
