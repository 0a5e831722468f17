"""What is said at a release names new bags, by how much promises move, and why."""

import numpy as np
import pytest
from capabilities.fair_shares.made import compute_only

from core.capabilities.fair_shares.shares import AskedBags, FairShares, promises_of
from core.capabilities.fair_shares.tasks.policies import ONLINE_POLICIES, OnlineStep, online_steps
from dashboard.screens.fair_shares.words import changes_said, online_said, online_table

EDF = ONLINE_POLICIES["cbs3m-edf-online"]


def steps_of(
    counts: tuple[int, ...], releases: tuple[float, ...]
) -> tuple[FairShares, list[OnlineStep]]:
    bags = compute_only(counts, releases)
    return promises_of(AskedBags(bags)), online_steps(bags, EDF)


def test_new_bags_that_take_a_share_are_the_reason() -> None:
    found, steps = steps_of((4, 1), (0, 1))
    assert changes_said(found, steps, 0) == ["Known from now on: T0."]
    assert changes_said(found, steps, 1) == [
        "New: T1.",
        "The promise of the earlier bag comes 1 s later.",
        "New bags take their share of links and machines: with them it is 1.25 in place of 1.",
    ]
    assert online_said(found, steps[1]).endswith(
        "2 of 2 bags are known. A worst stretch of 1.25 is possible for them."
    )


def test_it_is_said_that_a_plan_begins_anew() -> None:
    found, steps = steps_of((2, 3), (0, 10))
    assert changes_said(found, steps, 1) == [
        "New: T1.",
        "Done since the release before: T0.",
        "Nothing is left of earlier bags, so this plan begins anew.",
    ]
    table = online_table(found, steps, 1)
    columns = dict(zip(table.head, zip(*table.rows, strict=True), strict=True))
    assert columns["Promise then"][0] == "is done"
    assert columns["Later by"] == ("–", "–")
    assert columns["Done"] == ("100 %", "0 %")


@pytest.mark.parametrize(
    ("before", "without", "now", "said"),
    [
        (1.2, 1.5, 1.5, "Whole tasks advanced less well than parts of tasks could"),
        (2.0, 1.5, 1.5, "What was done and sent meanwhile leaves room"),
        (1.5, 1.5, 1.5, "New bags move no promise: there is room for them."),
        (1.5, 1.5, 1.8, "with them it is 1.8 in place of 1.5."),
    ],
)
def test_each_reason_is_told_from_the_others(
    before: float, without: float, now: float, said: str
) -> None:
    found, (first, second) = steps_of((4, 1), (0, 1))
    steps = [
        first._replace(stretch=before),
        second._replace(stretch=now, without_new=without),
    ]
    reasons = changes_said(found, steps, 1)[2:]
    assert any(said in one for one in reasons)
    others = {"less well", "leaves room", "move no promise", "in place of 1.5."}
    assert sum(one in " ".join(reasons) for one in others) == 1 + (
        (now == without) and without != before
    )


def test_promises_may_come_earlier() -> None:
    found, (first, second) = steps_of((4, 1), (0, 1))
    steps = [first._replace(due=np.array([65.0, np.inf])), second]
    assert "The promise of the earlier bag comes 60 s earlier." in changes_said(found, steps, 1)


def test_many_new_bags_are_counted() -> None:
    found, steps = steps_of((1,) * 6, (0.0,) * 6)
    assert changes_said(found, steps, 0) == ["Known from now on: T0, T1, T2 and 3 other bags."]
