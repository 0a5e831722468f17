"""A bag is moved to other releases by hand."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.shares import BagsChange, OneMoreBag
from dashboard.screens.fair_shares.choices import choices_of, moved, releases_of
from dashboard.screens.fair_shares.inputs import BagInput, BagsInputs, WorkerInput

HOUR = 3600.0


def bags(*release: float, more: float | None = None) -> BagsInputs:
    change = BagsChange() if more is None else BagsChange(OneMoreBag(0, 5, more))
    kinds = tuple(BagInput(10, one, 1e6) for one in release)
    return BagsInputs(kinds, (WorkerInput(2),), change=change)


def test_dates_are_round_and_reach_beyond_the_last_release() -> None:
    dates = choices_of(bags(0.0, 4 * HOUR), HOUR)
    assert dates[0] == 0.0
    assert dates[-1] == 6 * HOUR
    assert set(dates) == {300.0 * k for k in range(73)}, "5 min"
    assert len(choices_of(bags(7.0, 7.0), 7.0)) == 49, "all at once: 15 min of 12 h"


@given(
    st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=5),
    st.floats(-1e9, 1e9),
)
def test_the_release_is_one_of_a_few_dates(usual: list[float], release: float) -> None:
    dates = choices_of(bags(*usual), release)
    assert release in dates
    assert dates == sorted(set(dates))
    assert len(dates) <= 600


def test_moving_changes_one_release() -> None:
    before = bags(0.0, HOUR, more=2 * HOUR)
    assert releases_of(before) == [0.0, HOUR, 2 * HOUR]
    after = moved(before, 1, 600.0)
    assert releases_of(after) == [0.0, 600.0, 2 * HOUR]
    assert after.bags[1].tasks == 10
    assert releases_of(moved(before, 2, 5.0)) == [0.0, HOUR, 5.0]
    assert releases_of(bags(3.0)) == [3.0]


def test_a_date_that_could_not_be_read_is_replaced() -> None:
    unread = replace(bags(0.0, HOUR), untyped={0: "soon", 1: "later"})
    assert moved(unread, 1, 9.0).untyped == {0: "soon"}


@pytest.mark.parametrize("span", [60.0, 86_400.0, 1e8])
def test_any_span_has_some_dates(span: float) -> None:
    assert 40 <= len(choices_of(bags(0.0, span), 0.0)) <= 200
