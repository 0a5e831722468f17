"""The report says what each policy earns and draws, as it was found, or as it is computed anew."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from markup import checked

from core import study
from core.arrivals.asked import ArrivalsSettings
from core.arrivals.bag_trials import BagTrials, ExpectedAndActual
from core.arrivals.report_picture import ProvenLimit, RatedBar, bars_picture
from core.arrivals.study_block import AskedArrivals, as_block
from core.arrivals.trials import PolicyTrial, ReplayComparison
from core.arrivals.uncertain_bound import BagBound
from core.front.study import Study
from core.model.intervals import Interval
from core.replay.score import ReplayScore
from core.report import report_html
from core.report.svg import Scale
from core.samples.named import load_sample
from core.studies import StudySettings

KWH = 3.6e6
SETTINGS = ArrivalsSettings(jobs=100, days=2, policies=("easy", "max-upe"), budget=0.5)


@pytest.fixture(scope="module")
def front() -> Study:
    return study(load_sample("two-by-two"), method="bound")


def page_of(front: Study, asked: AskedArrivals | None) -> str:
    page = report_html(front, StudySettings("mine", blocks=as_block(asked)), None, {})
    checked(page)
    return page


def a_trial(worth: float, *, verified: bool = True) -> PolicyTrial:
    score = ReplayScore(worth, 5 * KWH, 8, 2, 60.0, 2.0, 3600.0, 0.1, 10)
    return PolicyTrial(score, 100.0, 10 * KWH, verified)


def found_of(
    trials: Mapping[str, Mapping[int, PolicyTrial]], bounds: Mapping[int, float]
) -> ReplayComparison:
    return ReplayComparison(SETTINGS.question(None), trials, {}, bounds)


def test_without_a_question_there_is_no_section(front: Study) -> None:
    assert "<h2>Work that arrives</h2>" not in page_of(front, None)


def test_an_interval_does_not_pass_the_limit() -> None:
    """Issue 33, point 10: a bar of 90 ± 8 ends at a limit above it, or begins at one below."""
    bar = RatedBar("A", Interval(90.0, 8.0), is_best=True)
    for limit, low, high in ((95.0, 82.0, 95.0), (85.0, 85.0, 98.0)):
        picture = str(bars_picture([bar], "%", ProvenLimit(limit, "limit")))
        across = Scale(0.0, 1.04 * high, 210.0, 744.0)
        line = f'class="interval" d="M{across(low):.1f} 43L{across(high):.1f} 43"'
        assert line in picture.replace(",", " "), picture


def test_what_was_found_is_said_with_intervals_and_bound(front: Study) -> None:
    trials = {
        "easy": {0: a_trial(60), 1: a_trial(62)},
        "max-upe": {0: a_trial(70), 1: a_trial(74)},
    }
    page = page_of(front, AskedArrivals(SETTINGS, found=found_of(trials, {0: 80.0, 1: 80.0})))
    assert (
        '<p class="lead">Max UPE, place-holders earns most: 90 % of what is possible at most '
        "(proven).</p>"
    ) in page
    assert "A day with an energy budget, 2 days drawn from seed 1 on; " in page
    assert "Jobs may take 10 kWh on average, 50 % of what Max UPR takes without; Max UPE, " in page
    assert (
        "EASY backfilling is next, 13.8 ± 15.9 percentage points below on the same days. " in page
    )
    assert "More days may change the order." in page
    assert "Checked: a judge that shares no code" in page
    assert "possible at most</text>" in page
    assert "Worth (% of what is possible at most)" in page
    whole, ends = 2, 4
    assert page.count('<path class="halo"') == page.count('<path class="interval"') == whole + ends
    assert page.index('class="schedule"') < page.index('"halo"') < page.index('class="interval"')
    assert '<tr class="marked"><th scope="row">Max UPE, place-holders</th><td>72.0 ± ' in page
    assert "<td>5 kWh</td><td>50 %</td><td>8</td><td>2</td><td>60 s</td>" in page


def test_a_day_on_which_nothing_can_be_earned_leaves_the_others_their_order(front: Study) -> None:
    trials = {
        "easy": {0: a_trial(62), 1: a_trial(0)},
        "max-upe": {0: a_trial(70), 1: a_trial(0)},
    }
    page = page_of(front, AskedArrivals(SETTINGS, found=found_of(trials, {0: 80.0, 1: 0.0})))
    assert "EASY backfilling is next, 5.0 ± " in page


def test_one_day_has_no_interval_and_a_disagreement_is_said(front: Study) -> None:
    trials = {"easy": {0: a_trial(60, verified=False)}, "max-upe": {0: a_trial(70)}}
    page = page_of(front, AskedArrivals(SETTINGS, found=found_of(trials, {0: 80.0})))
    assert "12.5 percentage points below, on this one day." in page
    assert "2 days were asked for." in page
    assert "NOT verified: an independent check disagrees with the outcomes of EASY" in page
    assert "±" not in page[page.index("Work that arrives") :]


def test_a_workload_that_was_given_is_no_day(front: Study) -> None:
    """Issue 33, point 3: a log of 14 days is not called a day."""
    found = found_of({"easy": {0: a_trial(60)}, "max-upe": {0: a_trial(70)}}, {0: 80.0})
    given = replace(found.question, source=found.question.file(0))
    page = page_of(front, AskedArrivals(SETTINGS, found=replace(found, question=given)))
    assert "12.5 percentage points below, on this workload." in page, "shares are of the bound"


def test_if_no_day_is_done_the_section_says_so(front: Study) -> None:
    nothing: dict[str, dict[int, PolicyTrial]] = {"easy": {}, "max-upe": {}}
    page = page_of(front, AskedArrivals(SETTINGS, found=found_of(nothing, {})))
    assert "No day was replayed under all policies." in page


def test_what_is_not_known_is_computed_on_the_first_days(front: Study) -> None:
    testbed = ArrivalsSettings("testbed", days=4, policies=("easy",), budget=None)
    page = page_of(front, AskedArrivals(testbed))
    assert "Testbed of four clusters, 3 days drawn from seed 1 on; " in page
    assert "4 days were asked for." in page
    assert "EASY backfilling earns " in page
    assert "There is no energy budget; EASY backfilling takes " in page
    assert "Checked: a judge that shares no code" in page


def test_bags_have_what_was_expected_and_what_happened(front: Study) -> None:
    settings = ArrivalsSettings("uncertain", days=2, errors="high", machines=12)
    runs = {
        ("batch-maxmin", 0): ExpectedAndActual(7200, 3600, 9 * KWH, 4 * KWH),
        ("batch-maxmin", 1): ExpectedAndActual(7200, 3600, 9 * KWH, 4 * KWH),
        ("weighed", 0): ExpectedAndActual(7200, 1800, 9 * KWH, 3 * KWH),
        ("weighed", 1): ExpectedAndActual(7200, 1800, 9 * KWH, 3 * KWH),
    }
    bounds = {0: BagBound(1500.0, 2 * KWH), 1: BagBound(1500.0, 2 * KWH)}
    page = page_of(front, AskedArrivals(settings, found=BagTrials(settings, runs, bounds)))
    assert "Bags end first under the method " in page
    assert "after 30 min on average, at most 20 % above the lower bound. It expected 2 h." in page
    assert (
        "2 bags of tasks of one core on 12 machines, drawn from seed 1 on, with high errors" in page
    )
    assert "<td>120 ± 0 min</td><td>30 ± 0 min</td>" in page
    assert "possible at least: 25 min" in page
    assert "<td>at most 20 %</td><td>at most 50 %</td>" in page
    assert "takes a second less" not in page
    for rate, methods, said in (
        (2000.0, ("weighed",), "The method weighed takes a second less of makespan for 2 kJ."),
        (2000.0, ("batch-maxmin",), ""),
    ):
        asked = replace(settings, exchange=rate, methods=methods)
        one = page_of(front, AskedArrivals(asked, found=BagTrials(asked, runs, bounds)))
        assert said in one
        assert ("takes a second less" in one) == bool(said)
    nothing = page_of(front, AskedArrivals(settings, found=BagTrials(settings)))
    assert "No bag was run yet." in nothing
