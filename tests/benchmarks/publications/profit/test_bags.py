"""The verdicts on lost profit follow from the shares: change these, and they flip."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.profit import bags as profit_bags
from benchmarks.publications.profit.bags import Losses


@pytest.fixture
def as_published():
    """Made-up shares on which all that the publication says holds."""
    shares = np.array([[0.03, 0.004, 0.001], [0.07, 0.02, 0.01], [0.3, 0.1, 0.04]])
    several = shares[:, :, None] * np.array([0.9, 1.1])
    return Losses(np.array([10.0, 30.0, 100.0]), several, several / 10)


def verdicts(losses):
    return [claim.holds for claim in profit_bags.figure(losses, 0.1).claims]


def test_all_holds_on_shares_as_published(as_published):
    assert verdicts(as_published) == [True] * 4


def test_a_mean_that_rises_once_flips_its_verdict(as_published):
    rising = as_published.published.copy()
    rising[2, 2] = 0.2
    assert verdicts(replace(as_published, published=rising)) == [False, True, True, True]


def test_a_larger_ratio_that_loses_less_flips_its_verdict(as_published):
    turned = as_published.polished[::-1]
    assert verdicts(replace(as_published, polished=turned)) == [True, True, True, False]


def test_what_is_measured_is_a_share_of_the_bound_and_less_after_polish(small_losses):
    assert small_losses.published.shape == small_losses.polished.shape == (3, 2, 2)
    assert (small_losses.polished >= 0).all()
    assert (small_losses.polished <= small_losses.published + 1e-12).all()
    assert small_losses.polished.sum() < small_losses.published.sum()


def test_the_table_has_a_row_a_size_and_a_column_a_ratio_and_way(small_losses):
    table = profit_bags.figure(small_losses, 0.1).table
    assert [row[0] for row in table.rows] == ["10", "30"]
    assert {len(row) for row in table.rows} == {len(table.head)} == {7}
