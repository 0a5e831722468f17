"""Release dates that are drawn anew are of the same bags, and as far apart on average."""

import numpy as np
import pytest
from capabilities.fair_shares.made import made
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.redrawn import mean_gap, redrawn
from core.capabilities.fair_shares.trials.words import redrawn_said


def bags(release: list[float], counts: tuple[int, ...] | None = None) -> ArrivingBags:
    kinds = len(release)
    return made(counts or (2,) * kinds, [[1.0] * kinds], release=release)


def test_the_mean_gap_is_that_of_bags_with_tasks() -> None:
    assert mean_gap(bags([30.0, 0.0, 90.0])) == 45.0
    assert mean_gap(bags([30.0, 0.0, 90.0], (1, 1, 0))) == 30.0
    assert mean_gap(bags([7.0, 7.0])) == 0.0
    assert mean_gap(bags([7.0])) == 0.0


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=6), st.integers(0, 2**31))
def test_the_first_release_stays_and_all_else_but_releases(dates: list[float], seed: int) -> None:
    before = bags(dates)
    after = redrawn(before, seed)
    assert after.release.min() == pytest.approx(before.release.min())
    assert after.release.tolist() == redrawn(before, seed).release.tolist()
    assert after.system is before.system
    assert after.network is before.network
    assert after.data.tolist() == before.data.tolist()


def test_on_average_gaps_stay_and_each_bag_may_be_the_first() -> None:
    before = bags([0.0, 10.0, 20.0, 60.0])
    drawn = np.array([redrawn(before, seed).release for seed in range(2_000)])
    gaps = np.diff(np.sort(drawn, axis=1), axis=1)
    assert gaps.mean() == pytest.approx(20.0, rel=0.05)
    assert gaps.std() == pytest.approx(20.0, rel=0.07), "as exponential gaps vary"
    firsts = np.bincount(drawn.argmin(axis=1), minlength=4) / len(drawn)
    assert firsts == pytest.approx([0.25] * 4, abs=0.04)


def test_a_bag_without_tasks_keeps_its_date() -> None:
    after = redrawn(bags([0.0, 5.0, 9.0], (1, 0, 1)), 3)
    assert after.release[1] == 5.0
    assert sorted([after.release[0], after.release[2]])[0] == 0.0


def test_the_rule_is_said() -> None:
    said = redrawn_said(1_543.0)
    assert said == (
        "In each trial the bags come in another random order, with random (exponential) gaps of "
        "the same mean, 26 min."
    )
