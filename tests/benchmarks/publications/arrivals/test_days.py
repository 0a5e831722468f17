"""All settings meet the same days, and differences of policies are those of pairs."""

import math

import numpy as np
import pytest
from small_days import scores

from benchmarks.publications.arrivals.budget import about, ahead, alike, decided, said, signed
from benchmarks.publications.arrivals.days import (
    Days,
    DaySetting,
    DayTask,
    replayed,
    replayed_day,
)
from core.capabilities.arrivals.made.testbed import BladeSettings, draw_testbed
from core.engines.compute.executors import InThisThread
from core.engines.replay.policy import Filter
from core.engines.replay.workload import Workload
from core.vocabulary.intervals import Interval

ONE, OTHER = DaySetting("max-upr"), DaySetting("max-upe")


def blades(seed: int) -> Workload:
    return draw_testbed(BladeSettings(seed=seed))


def test_shares_are_of_the_maximum_and_leads_of_pairs() -> None:
    days = Days({ONE: scores([6, 8]), OTHER: scores([5, 7])})
    assert days.shares(ONE) == pytest.approx([60, 80])
    assert days.share(ONE).half_width > 100
    assert days.lead(ONE, OTHER).mean == pytest.approx(10)
    assert days.lead(ONE, OTHER).half_width == pytest.approx(0, abs=1e-9)
    assert days.best([OTHER, ONE]) == ONE
    assert days.joules(ONE).tolist() == [2, 2]
    assert days.seconds_per_event(OTHER).tolist() == [0.5, 0.5]


def test_a_budget_is_in_units_of_the_task_and_is_kept() -> None:
    free, tight = DaySetting("max-upr"), DaySetting("max-upr", 0.5)
    most = replayed_day(DayTask(blades, 1, [free], every=50.0))[0].score.joules
    task = DayTask(blades, 1, [free, tight], 8 * most, 50.0)  # a day has eight times three hours
    without, within = (one.score for one in replayed_day(task))
    assert without.joules == most
    assert 0.4 * most < within.joules <= 0.5 * most * (1 + 1e-9)
    assert within.worth < without.worth


def test_each_trial_meets_its_own_day_with_every_setting() -> None:
    tasks = [DayTask(blades, trial, [ONE, OTHER]) for trial in (4, 5)]
    heard: list[str] = []
    found = replayed(tasks, InThisThread(), heard.append)
    alone = [replayed_day(task) for task in tasks]
    for place, setting in enumerate((ONE, OTHER)):
        assert found.shares(setting).tolist() == [
            100 * one[place].score.worth / one[place].maximum for one in alone
        ]
    assert "2 of 2 trials" in heard[-1]
    assert set((found | Days({DaySetting("easy"): []})).scores) == {ONE, OTHER, DaySetting("easy")}


def test_a_filter_is_used_by_any_policy_with_the_published_leniency() -> None:
    rules = DaySetting("max-upe", filter="resource", drop_below=0.1).rules
    assert (rules.filter, rules.leniency, rules.drop_below) == (Filter.PER_RESOURCE, 4.0, 0.1)
    assert DaySetting("max-upe", filter="task").rules.leniency == 2.0
    assert DaySetting("max-upr", filter="task", leniency=7.0).rules.leniency == 7.0
    assert ONE.rules.filter == Filter.NONE


def test_a_number_is_about_another_within_5_points() -> None:
    near, far = Interval(39.9, 1.0), Interval(29.9, 1.0)
    assert about("it", 35, {"a": near}).holds
    claim = about("it", 35, {"a": near, "b": far})
    assert not claim.holds
    assert claim.here == "a: 39.9 ± 1.0 %; b: 29.9 ± 1.0 %"
    assert claim.difference == "at most -5.1 percentage points"


def test_ahead_is_with_the_whole_interval_and_alike_is_by_means() -> None:
    assert ahead("it", {"a": Interval(3, 2.9)}).holds
    assert not ahead("it", {"a": Interval(3, 2.9), "b": Interval(3, 3.1)}).holds
    assert ahead("it", {"a": Interval(3, 1)}, 8).difference == "-5.0 percentage points"
    assert alike("it", {"a": Interval(-1.9, 9)}).holds
    assert not alike("it", {"a": Interval(-1.9, 9), "b": Interval(-2.1, 0)}).holds


def test_a_lead_has_the_digits_that_decide_its_verdict() -> None:
    assert decided(Interval(1.8, 1.7)) == "+1.8 ± 1.7"
    assert decided(Interval(0.148, 0.139)) == "+0.15 ± 0.14"
    assert decided(Interval(1.589, 1.625)) == "+1.59 ± 1.62"
    assert decided(Interval(0.1482, 0.1473)) == "+0.148 ± 0.147"
    assert decided(Interval(0.0, 0.0)) == "+0.0 ± 0.0"
    assert decided(Interval(0.3, math.inf)) == "+0.3"
    assert "a: +0.15 ± 0.14" in ahead("it", {"a": Interval(0.148, 0.139)}).here


def test_a_difference_has_its_sign_and_one_trial_has_no_interval() -> None:
    assert signed(Interval(1.24, 0.06)) == "+1.2 ± 0.1"
    assert signed(Interval(-1.24, 0.06)) == "-1.2 ± 0.1"
    assert said(Interval(-0.01, math.inf)) == "0.0"
    assert np.isinf(Days({ONE: scores([6])}).share(ONE).half_width)
