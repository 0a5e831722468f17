"""The report says by when each bag can be done, and what the what-if moves."""

import pytest
from markup import checked
from stretch.made import compute_only, made

from core import study
from core.front.study import Study
from core.report import report_html
from core.samples.named import load_sample
from core.stretch.changes import NO_CHANGE, BagsChange, MachinesAdded, OneMoreBag
from core.stretch.shares import AskedBags
from core.stretch.study_block import as_block
from core.studies import StudySettings


@pytest.fixture(scope="module")
def front() -> Study:
    return study(load_sample("two-by-two"), method="bound")


def page_of(front: Study, asked: AskedBags | None) -> str:
    page = report_html(front, StudySettings("mine", blocks=as_block(asked)), None, {})
    checked(page)
    return page


def test_without_bags_there_is_no_section(front: Study) -> None:
    assert "Fair shares" not in page_of(front, None)


def test_promises_are_times_of_day(front: Study) -> None:
    # F4 with hours for seconds: four hours of work fit from 08:00 to 11:00 and 12:00.
    bags = compute_only((7200, 7200), (0, 3600))
    page = page_of(front, AskedBags(bags, "mine.zip"))
    assert "Each bag can be done within 1.5 times what it takes alone." in page
    assert "mine.zip: 2 bags; the master sends 0.000001 MB/s" in page
    assert "No schedule has a smaller worst stretch" in page
    assert "What is short: machines of M0 (100 %)." in page
    assert "<td>08:00</td>" in page
    assert "<td>11:01</td>" in page, "a millionth later than 11:00"
    assert "code that shares nothing with the solver" in page
    assert "wattfront stretch study.json" in page


def test_what_a_what_if_moves(front: Study) -> None:
    bags = compute_only((7200, 7200), (0, 3600))
    change = BagsChange(machines=MachinesAdded(0, 1))
    page = page_of(front, AskedBags(bags, "", change))
    assert (
        "With the change, each bag can be done within 0.5 times what it took alone before." in page
    )
    assert "With 1 more of M0, promises come 2 h earlier." in page
    assert "<td>−2 h</td>" in page
    later = page_of(front, AskedBags(bags, "", BagsChange(bag=OneMoreBag(0, 3600, 0.0))))
    assert "another T0" in later
    assert "<td>–</td>" in later, "there was no such promise before"


def test_names_are_text(front: Study) -> None:
    bags = made((2,), [[1.0]])
    page = page_of(front, AskedBags(bags, "<b>mine</b>", NO_CHANGE))
    assert "<b>mine</b>" not in page
    assert "&lt;b&gt;mine&lt;/b&gt;: 1 bag" in page
    assert "Each bag can be done as fast as if it were alone." in page
