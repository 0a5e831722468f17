"""Factors of a band with a border solve what the whole matrix would."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from core.engines.lp.bordered import BorderedBand, Shares


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray, Shares, np.ndarray, int, int]:
    """Columns of neighbouring rows, some of which reach the border, their weights, and shares."""
    random = np.random.default_rng(seed)
    inner, border = int(random.integers(0, 12)), int(random.integers(1, 6))
    always = int(random.integers(0, border + 1))
    columns = []
    for row in range(inner):
        for _ in range(2):
            column = np.zeros(inner + border)
            column[row : row + int(random.integers(1, 4))] = random.normal()
            column[inner:] = random.normal(size=border) * (random.random(border) < 0.3)
            columns.append(column)
    columns += list(np.eye(inner + border))
    many, groups = int(random.integers(3, 9)), 3
    group = np.append(np.arange(groups), random.integers(0, groups, many - groups))
    rows = np.stack([random.permutation(border)[: min(2, border)] for _ in range(many)], axis=1)
    values = random.normal(size=rows.shape)
    order = np.argsort(group, kind="stable")
    first = np.searchsorted(group[order], np.arange(groups + 1))
    shares = Shares(group, rows, values, order, first)
    weights = random.uniform(0.1, 5, len(columns))
    return np.array(columns).T, weights, shares, random.uniform(0.1, 5, many), inner, always


@given(st.integers(0, 2**32 - 1))
def test_it_solves_what_the_whole_matrix_would(seed: int) -> None:
    columns, weights, shares, of_shares, inner, always = drawn(seed)
    whole = columns @ np.diag(weights) @ columns.T
    entries = np.zeros((len(columns), len(of_shares)))
    for share in range(len(of_shares)):
        entries[inner + shares.rows[:, share], share] = shares.values[:, share]
    whole += entries @ np.diag(of_shares) @ entries.T
    for group in range(3):
        own = of_shares * (shares.group == group)
        whole -= np.outer(entries @ own, entries @ own) / own.sum()
    band = BorderedBand(sparse.csc_matrix(columns), inner, always)
    right = np.random.default_rng(seed).normal(size=len(columns))
    for scale in (1.0, 7.0):  # twice, since factors are kept in the same place
        band.factor(weights * scale, shares, of_shares * scale)
        assert band.solve(right) == pytest.approx(np.linalg.solve(whole * scale, right), rel=1e-6)


def test_a_row_that_follows_from_others_is_left_out() -> None:
    """Of two equal rows, one has all, and the other nothing."""
    columns = sparse.csc_matrix(np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 1.0]]))
    none = np.zeros(0, np.int64)
    shares = Shares(none, np.zeros((1, 0), np.int64), np.zeros((1, 0)), none, np.zeros(1, np.int64))
    for inner in (0, 2):
        band = BorderedBand(columns, inner, 0)
        band.factor(np.ones(2), shares, np.zeros(0))
        first, second, third = band.solve(np.array([5.0, 5.0, 2.0]))
        assert [5 * first + 2 * third, 2 * first + third] == pytest.approx([5.0, 2.0])
        assert second == pytest.approx(0.0)
