"""The report says by when each bag can be done, and what the what-if moves."""

import numpy as np
import pytest
from capabilities.fair_shares.made import compute_only, made
from markup import checked

from core import study
from core.capabilities.fair_shares import CAPABILITY
from core.capabilities.fair_shares.energy import EnergyFront
from core.capabilities.fair_shares.shares import NO_CHANGE, AskedBags, BesidePromises
from core.engines.front.study import Study
from core.files.samples.named import load_sample
from core.shells.report import report_html
from core.shells.studies import StudySettings


@pytest.fixture(scope="module")
def front() -> Study:
    return study(load_sample("two-by-two"), method="bound")


def page_of(front: Study, asked: AskedBags | None) -> str:
    page = report_html(front, StudySettings("mine", blocks=CAPABILITY.block(asked)), None, {})
    checked(page)
    return page


def test_without_bags_there_is_no_section(front: Study) -> None:
    assert "Fair shares" not in page_of(front, None)


def test_promises_are_there_with_a_picture(front: Study) -> None:
    bags = compute_only((7200, 7200), (0, 3600))
    page = page_of(front, AskedBags(bags, "mine.zip"))
    assert "If tasks can be split, each bag can be done within 1.5 times what it takes " in page
    assert "mine.zip: 2 bags, 2 task types" in page
    assert "<bdi>08:00</bdi>" in page
    assert "wattfront fair-shares study.json" in page


def test_policies_and_the_front_are_there_if_they_were_computed(front: Study) -> None:
    bags = compute_only((7200, 7200), (0, 3600))
    assert "Whole tasks</h3>" not in page_of(front, AskedBags(bags))
    scores = {
        "fifo-dd": {
            "max_stretch": 2.5,
            "sum_stretch": 3.5,
            "max_flow": 7200.0,
            "sum_flow": 10_800.0,
            "makespan": 14_400.0,
        },
        "polished-online": {
            "max_stretch": 1.5,
            "sum_stretch": 3.0,
            "max_flow": 3600.0,
            "sum_flow": 7200.0,
            "makespan": 14_400.0,
        },
    }
    ends = EnergyFront(
        np.array([[1.5, 9e6], [1.75, 8e6], [2.0, 6e6]]),
        np.array([9e6, 8e6, 6e6]),
        (),
        0.0,
        True,
        5,
    )
    page = page_of(front, AskedBags(bags, beside=BesidePromises(scores, ends)))
    assert "2 of 20 policies were replayed." in page
    assert (
        "Polished online has the smallest worst stretch: 1.5. No policy can be below 1.49" in page
    )
    assert page.index("polished-online") < page.index("fifo-dd")
    assert "saves 33.3 % of 2.5 kWh" in page
    assert "<bdi>2</bdi></th><td><bdi>1.667 kWh</bdi></td>" in page
    wrong = page_of(front, AskedBags(bags, beside=BesidePromises(scores, None, ("late",))))
    assert "NOT verified: late" in wrong


def test_names_are_text(front: Study) -> None:
    bags = made((2,), [[1.0]])
    page = page_of(front, AskedBags(bags, "<b>mine</b>", NO_CHANGE))
    assert "<b>mine</b>" not in page
    assert "&lt;b&gt;mine&lt;/b&gt;: 1 bag, " in page
    assert "If tasks can be split, each bag can be done as fast as if it were alone." in page
