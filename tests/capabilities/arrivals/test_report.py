"""The report says what each policy earns and draws, as it was found, or as it is computed anew."""

import re
from dataclasses import replace

import pytest
from arriving_days import KWH, a_bag, a_trial, tried, two_nodes
from markup import checked

from core import study
from core.capabilities.arrivals import CAPABILITY
from core.capabilities.arrivals.asked import ArrivalsSettings, GivenWorkload
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.study_block import AskedArrivals
from core.capabilities.arrivals.trials import TrialBound
from core.capabilities.arrivals.uncertain.methods import BagBound
from core.engines.front.study import Study
from core.engines.replay.classes import JobClass
from core.files.samples.named import load_sample
from core.shells.report import report_html
from core.shells.studies import StudySettings

SETTINGS = ArrivalsSettings(jobs=100, days=2, policies=("easy", "max-upe"), budget=0.5)


@pytest.fixture(scope="module")
def front() -> Study:
    return study(load_sample("two-by-two"), method="bound")


def page_of(front: Study, asked: AskedArrivals | None) -> str:
    page = report_html(front, StudySettings("mine", blocks=CAPABILITY.block(asked)), None, {})
    checked(page)
    return page


def test_without_a_question_there_is_no_section(front: Study) -> None:
    assert "<h2>Work that arrives</h2>" not in page_of(front, None)


def test_what_was_found_is_said_with_intervals_and_bound(front: Study) -> None:
    runs = {"easy": [a_trial(60), a_trial(62)], "max-upe": [a_trial(70), a_trial(74)]}
    found = tried(SETTINGS.question(None), runs, 2 * [TrialBound(80.0)])
    page = page_of(front, AskedArrivals(SETTINGS, found=found))
    assert '<p class="lead">Most worth per kWh earns most: 90.0 ± 31.8 % of what is ' in page
    assert "possible at most</text>" in page
    assert "Worth (% of what is possible at most)" in page
    whole, ends = 2, 4
    assert page.count('<path class="halo"') == page.count('<path class="interval"') == whole + ends
    assert page.index('class="schedule"') < page.index('"halo"') < page.index('class="interval"')


def test_the_classes_of_the_jobs_are_a_table(front: Study) -> None:
    """What a study file keeps of them is told with the policies; names are no markup."""
    classes = (
        JobClass(
            qos="<b>high", worth=9, full_hours=1, nothing_hours=8, tier=2, may_stop_others=True
        ),
        JobClass(user="ada", may_be_stopped=True),
    )
    settings = ArrivalsSettings(workload="own", policies=("easy",))
    file = WorkloadFile.as_estimated(two_nodes())
    given = GivenWorkload("mine", "0", file, classes=classes)
    found = tried(settings.question(given), {"easy": [a_trial(60)]}, [TrialBound(80.0)])
    page = page_of(front, AskedArrivals(settings, given, found))
    table = page[page.index("<h3>Classes of jobs</h3>") :]
    table = table[: table.index("</table>")]
    heads = re.findall(r"<th scope=\"col\"><bdi>(.*?)</bdi>", table)
    assert heads == [
        *("QOS", "User", "Worth", "Full for (h)", "Nothing after (h)", "Tier"),
        *("May stop others", "May be stopped"),
    ]
    cells = re.findall(r"<bdi>(.*?)</bdi>", table)[len(heads) :]
    assert cells == [
        *("&lt;b&gt;high", "any", "9", "1", "8", "2", "yes", "no"),
        *("any", "ada", "1", "always", "never", "0", "no", "yes"),
    ]
    none = AskedArrivals(settings, replace(given, classes=()), found)
    assert "Classes of jobs" not in page_of(front, none)


def test_if_no_day_is_done_the_section_says_so(front: Study) -> None:
    nothing = tried(SETTINGS.question(None), {"easy": (), "max-upe": ()})
    page = page_of(front, AskedArrivals(SETTINGS, found=nothing))
    assert "No workload was replayed under all policies." in page


@pytest.mark.thorough
def test_what_is_not_known_is_computed_on_the_first_days(front: Study) -> None:
    testbed = ArrivalsSettings(workload="testbed", days=4, policies=("easy",), budget=None)
    page = page_of(front, AskedArrivals(testbed))
    assert "Testbed of four clusters, 3 days drawn from seed 1 on; " in page
    assert "4 days were asked for." in page


def test_bags_have_a_picture_with_the_bound(front: Study) -> None:
    settings = ArrivalsSettings(workload="uncertain", days=2, errors="high", machines=12)
    runs = {
        "batch-maxmin": 2 * [a_bag(3600, 4 * KWH, (7200, 9 * KWH))],
        "weighed": 2 * [a_bag(1800, 3 * KWH, (7200, 9 * KWH))],
    }
    bound = TrialBound(1024.0, BagBound(1500.0, 2 * KWH))
    found = tried(settings.question(None), runs, 2 * [bound])
    page = page_of(front, AskedArrivals(settings, found=found.so_far))
    assert "possible at least: 25 min" in page
    assert "tasks on 12 machines, with high errors of estimates, 2 bags drawn from seed 1" in page
    nothing = page_of(
        front, AskedArrivals(settings, found=tried(settings.question(None), {}).so_far)
    )
    assert "No workload was replayed under all policies." in nothing
