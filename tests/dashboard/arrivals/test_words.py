"""The sentences of the page Arrivals say what was found, with units and intervals."""

from dataclasses import replace

import numpy as np
import pytest
from arriving_days import HOUR, a_day, two_nodes

from core.arrivals.asked import ArrivalsSettings
from core.model.intervals import Interval
from core.replay.score import ReplayScore
from dashboard.arrivals.event import busiest, moment_said, moments
from dashboard.arrivals.fates import fate, fates_table, summary, two_fates
from dashboard.arrivals.found import ArrivalsFound, DayFacts
from dashboard.arrivals.words import energy_said, figures, in_percent, sentence, sentences

KWH = 3.6e6


def answer(
    *worths: tuple[float, float], bound: float | None = None, budget: float | None = 0.7
) -> ArrivalsFound:
    """Days on which EASY and Max UPE earn so much of 100."""
    policies = ("easy", "max-upe")
    found = ArrivalsFound(ArrivalsSettings(policies=policies, days=len(worths), budget=budget))
    for day, pair in enumerate(worths):
        joules = 9 * KWH * budget if budget else np.inf
        found = found.with_day(day, DayFacts(10, 9 * KWH, joules, 100.0, bound))
        for policy, worth in zip(policies, pair, strict=True):
            score = ReplayScore(worth, 5 * KWH, 8, 2, 60.0, 2.0, HOUR, 0.1, 10)
            found = found.with_score(policy, day, score, None)
    return found


def test_the_best_policy_is_named_with_what_was_possible() -> None:
    said = sentence(answer((60.0, 70.0), bound=80.0))
    assert said == "Max UPE, place-holders earns most: 87.5 % of what is possible at most."
    assert sentence(answer((60.0, 70.0))) == (
        "Max UPE, place-holders earns most: 70 % of what jobs could be worth."
    )


def test_the_budget_and_the_second_are_said() -> None:
    budget, second = sentences(answer((60.0, 70.0)))
    assert budget == (
        "10 jobs, and an energy budget of 6.3 kWh a day, which is 70 % of what Max UPR spends "
        "without one."
    )
    assert second.startswith("EASY backfilling is next, 10.0 percentage points below. One day says")
    without, second = sentences(answer((60.0, 70.0), (70.0, 81.0), budget=None))
    assert without == (
        "10 jobs. There is no energy budget; Max UPR spends 9 kWh. These are means of 2 days."
    )
    assert "10.5 ± 6.4 percentage points below on the same days." in second
    assert "may change the order" not in second
    unsure = sentences(answer((60.0, 70.0), (70.0, 70.5)))[1]
    assert unsure.endswith("More days may change the order.")
    assert sentences(answer((70.0, 70.0)))[1].endswith("is as good.")


def test_the_budget_of_several_days_is_their_mean_as_the_energy_of_policies_is() -> None:
    found = answer((60.0, 70.0), (70.0, 81.0))
    other = replace(found.days[1], jobs=21, free_joules=11 * KWH, joules=7.7 * KWH)
    assert sentences(found.with_day(1, other))[0] == (
        "16 jobs, and an energy budget of 7 kWh a day, which is 70 % of what Max UPR spends "
        "without one. These are means of 2 days."
    )
    running = replace(found, settings=replace(found.settings, days=3))
    assert "These are means of 2 days." in sentences(running)[0]
    alone = replace(running, days={0: found.days[0]})
    assert sentences(alone)[0].endswith("without one. This is the first of 3 days.")


def test_a_budget_of_less_than_a_day_is_said_for_its_time() -> None:
    found = answer((60.0, 70.0))
    hours = replace(found.days[0], budget_seconds=3 * HOUR)
    budget = sentences(found.with_day(0, hours))[0]
    assert "an energy budget of 787.5 Wh in 3 h, which is 70 % of" in budget


def test_the_budget_of_a_log_is_for_all_its_days() -> None:
    """Issue 33, point 3: a log of 14 days has a budget for all its jobs, and none a day."""
    found = answer((60.0, 70.0))
    given = replace(found, settings=replace(found.settings, workload="own"))
    span = replace(found.days[0], budget_seconds=np.inf, arriving_seconds=14 * 24 * HOUR)
    given = given.with_day(0, span)
    assert span.allowed == 6.3 * KWH
    budget, second = sentences(given)
    assert budget == (
        "10 jobs within 14 d, and an energy budget of 6.3 kWh for all of them, which is 70 % of "
        "what Max UPR spends without one."
    )
    assert second == "EASY backfilling is next, 10.0 percentage points below on this workload."
    assert "day" not in " ".join(figure.meaning for figure in figures(given))


def test_the_headline_and_the_first_figure_are_one_number() -> None:
    """Issue 33, point 10: the published maximum may be less than what is possible, or more."""
    for bound, said in ((None, "70 %"), (71.43, "98 %"), (102.0, "68.6 %")):
        found = answer((60.0, 70.0), bound=bound)
        worth, possible, *_ = figures(found)
        assert worth.value == said
        assert f": {said} of what" in sentence(found)
        assert "70" in worth.meaning
        assert possible.value == ("–" if bound is None else f"{bound:g}")
    two = answer((60.0, 70.0), (70.0, 72.0), bound=80.0)
    assert f": {figures(two)[0].value} of what is possible" in sentence(two)
    assert "12.5 percentage points" in sentences(answer((60.0, 70.0), bound=80.0))[1]


def test_energy_is_written_like_its_budget() -> None:
    """Issue 33, point 10: 0.9 of 1.2 kWh, and never above the budget unless it is."""
    found = answer((60.0, 70.0))
    tight = found.with_day(0, replace(found.days[0], joules=5.0004 * KWH))
    assert energy_said(tight, 5.0003 * KWH) == "5 kWh"
    assert "an energy budget of 5 kWh a day" in sentences(tight)[0]
    assert energy_said(tight, 0.9 * KWH) == "0.9 kWh"
    assert energy_said(answer((60.0, 70.0), budget=None), 0.9 * KWH) == "900 Wh"


def test_key_figures_have_units() -> None:
    found = {one.label: one.value for one in figures(answer((60.0, 70.0), bound=80.0))}
    assert found == {
        "Worth": "87.5 %",
        "Possible at most": "80",
        "Energy": "5 kWh",
        "Jobs done": "80 %",
        "Mean flow": "60 s",
    }


@pytest.mark.parametrize(
    ("interval", "said"),
    [(Interval(0.7834, np.inf), "78.3 %"), (Interval(0.7834, 0.00401), "78.3 ± 0.5 %")],
)
def test_an_interval_is_never_narrower_than_it_is(interval: Interval, said: str) -> None:
    assert in_percent(interval) == said


def test_the_jobs_that_fared_most_differently_come_first() -> None:
    many, one = a_day(workload=two_nodes()), a_day(workload=two_nodes(nodes=1))
    late = replace(one, option=np.where(np.arange(20) == 3, -1, one.option))
    found = two_fates(many, late)
    assert (found.jobs, found.more, found.less, found.same) == ((3,), 1, 0, 19)
    assert fate(many, 3) == "1 × nodes, waited 0 s, ran 1 h"
    assert fate(late, 3) == "never ran"
    table = fates_table(found, ("A", "B"))
    assert table.iloc[0].tolist() == ["4", "odd", "1", "0", fate(many, 3), "never ran"]
    assert summary(found, ("A", "B")) == ("1 job earns more under A, 0 under B, and 19 the same.")


def test_a_job_that_was_dropped_says_when() -> None:
    day = a_day()
    gone = replace(
        day,
        option=np.full(20, -1),
        dropped=np.ones(20, bool),
        end=day.workload.jobs.arrival + 90.0,
    )
    assert fate(gone, 0) == "dropped after 90 s"


def test_moments_are_those_of_events_and_are_said_as_a_clock_says_them() -> None:
    day = a_day(workload=two_nodes(nodes=1))
    there = moments(day)
    assert there == sorted(set(there))
    assert set(there) <= set(day.decisions.time.tolist())
    most = busiest(day, there)
    waiting = dict(zip(day.decisions.time.tolist(), day.decisions.waiting.tolist(), strict=True))
    assert waiting[most] == max(waiting.values())
    assert moment_said(day.workload, 13.75 * HOUR) == "13:45"
    assert moment_said(day.workload, 37.75 * HOUR) == "day 2, 13:45"
    warm = replace(day.workload, horizon=day.workload.horizon._replace(begin=4 * HOUR))
    assert moment_said(warm, HOUR) == "21:00 before the day"
