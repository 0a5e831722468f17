"""A claim on growth holds exactly when the fitted power is in the range that its words allow."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.publications.claim import (
    CUBIC,
    FALLING,
    FLAT,
    LINEAR,
    Claim,
    counted,
    duration,
    growth,
    growth_claim,
    percent,
    points,
    times,
)

X = np.array([1.0, 2.0, 5.0, 30.0])


@given(st.floats(-3, 4), st.floats(1e-6, 1e6))
def test_growth_finds_the_power_of_a_power_law(power, factor):
    assert growth(X, factor * X**power) == pytest.approx(power, abs=1e-6)


@pytest.mark.parametrize(
    ("power", "allowed", "holds"),
    [
        (1.0, LINEAR, True),
        (0.0, LINEAR, False),
        (2.0, LINEAR, False),
        (0.0, FLAT, True),
        (-0.2, FLAT, False),
        (3.0, CUBIC, True),
        (1.0, CUBIC, False),
        (-1.0, FALLING, True),
        (0.3, FALLING, False),
    ],
)
def test_a_claim_on_growth_is_judged_by_the_power(power, allowed, holds):
    claim = growth_claim("grows", "so", X, 7 * X**power, allowed)
    assert claim.holds is holds
    assert f"{power:.2f}" in claim.difference


def test_zeros_are_left_out_of_growth():
    assert growth(X, np.array([1.0, 0.0, 25.0, 900.0])) == pytest.approx(2)


def test_what_never_shows_does_not_grow():
    claim = growth_claim("grows", "so", X, np.array([0.0, 0.0, 0.0, 1.0]), LINEAR)
    assert not claim.holds


def test_what_is_ours_is_counted_apart() -> None:
    published = [Claim("", "", "", holds, "") for holds in (True, False, True)]
    ours = [Claim("", "", "", holds, "", ours=True) for holds in (True, False)]
    assert counted(published) == ("2 of 3 hold", 2, 3)
    assert counted([*published, *ours]) == ("2 of 3 hold; of ours, 1 of 2", 2, 3)


def test_rows_are_counted_apart_and_what_is_undecided_does_not_hold() -> None:
    claims = [Claim("", "", "", True, "", undecided=undecided) for undecided in (True, False)]
    rows = [Claim("", "", "", holds, "", of_row=True) for holds in (True, True, False)]
    assert counted([*claims, *rows]) == (
        "1 of 2 hold, 1 is undecided; of single rows, 2 of 3",
        1,
        2,
    )
    assert counted([claims[0]] * 2)[0] == "0 of 2 hold, 2 are undecided"
    assert [claim.verdict for claim in claims] == ["undecided", "holds"]


def test_what_is_said_twice_counts_once() -> None:
    first = Claim("", "", "", True, "")
    again = [Claim("", "", "", holds, "", again="1") for holds in (True, False)]
    assert counted([first, *again]) == ("1 of 1 hold", 1, 1)
    assert [claim.verdict for claim in again] == ["holds, as in 1", "does not hold, as in 1"]


def test_a_theorem_says_that_it_is_one() -> None:
    assert Claim("", "", "", True, "", cannot_fail=True).verdict == "holds, a theorem"
    assert [Claim("", "", "", holds, "").verdict for holds in (True, False)] == [
        "holds",
        "does not hold",
    ]


def test_numbers_are_written_for_people():
    assert percent(0.0184) == "1.8 %"
    assert points(0.10, 0.13) == "-3.0 percentage points"
    assert (times(546.6), times(1.94)) == ("547 times", "1.9 times")
    assert [duration(s) for s in (8.4, 0.0013, 2.5e-5)] == ["8.4 s", "1.3 ms", "25 µs"]
