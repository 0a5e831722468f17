"""Bars may be repeated and merged, but hold the same tasks at the same times."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.parts.charts.timeline import SEVERAL, Bars


@st.composite
def bars(draw: st.DrawFn) -> Bars:
    rows, types, counts, starts, ends = [], [], [], [], []
    for row in range(draw(st.integers(1, 3))):
        now = 0.0
        for length in draw(st.lists(st.integers(1, 20), min_size=1, max_size=12)):
            rows.append(row)
            types.append(draw(st.integers(0, 2)))
            counts.append(draw(st.integers(1, 9)))
            starts.append(now)
            now += length
            ends.append(now)
    return Bars(*map(np.array, (rows, types, counts, starts, ends)))


@given(bars(), st.integers(1, 25))
def test_merging_keeps_the_tasks_and_the_time_of_every_row(given_bars: Bars, width: int) -> None:
    merged = given_bars.merged(width)
    for row in np.unique(given_bars.row):
        old, new = given_bars.row == row, merged.row == row
        assert merged.count[new].sum() == given_bars.count[old].sum()
        assert (merged.end - merged.start)[new].sum() == pytest.approx(given_bars.end[old].max())
        assert new.sum() <= 2 * given_bars.end[old].max() / width + 1


@given(bars(), st.integers(1, 25))
def test_bars_that_are_long_enough_are_left_alone(given_bars: Bars, width: int) -> None:
    merged = given_bars.merged(width)
    long = np.flatnonzero(given_bars.end - given_bars.start >= width)
    kept = {
        (int(r), float(s)): int(t)
        for r, s, t in zip(merged.row, merged.start, merged.task_type, strict=True)
    }
    for b in long:
        assert kept[int(given_bars.row[b]), float(given_bars.start[b])] == given_bars.task_type[b]


def test_a_merged_bar_of_one_type_keeps_it_and_of_several_says_so() -> None:
    both = Bars(
        np.array([0, 0, 1, 1]),
        np.array([4, 4, 4, 5]),
        np.array([1, 2, 3, 4]),
        np.array([0.0, 1.0, 0.0, 1.0]),
        np.array([1.0, 2.0, 1.0, 2.0]),
    ).merged(10.0)
    assert both.task_type.tolist() == [4, SEVERAL]
    assert both.count.tolist() == [3, 7]


def test_a_repeated_row_is_there_as_often_as_asked_in_its_place() -> None:
    bars = Bars(
        np.array([0, 0, 1]),
        np.array([7, 8, 9]),
        np.array([1, 2, 3]),
        np.array([0.0, 1.0, 0.0]),
        np.array([1.0, 2.0, 5.0]),
    ).repeated(np.array([2, 3]))
    assert bars.row.tolist() == [0, 0, 1, 1, 2, 3, 4]
    assert bars.task_type.tolist() == [7, 8, 7, 8, 9, 9, 9]


def test_bars_far_from_each_other_are_not_merged() -> None:
    few = Bars(
        np.zeros(3, int),
        np.array([0, 1, 0]),
        np.ones(3, int),
        np.array([0.0, 1.5, 9.0]),
        np.array([1.0, 2.0, 10.0]),
    )
    merged = few.merged(2.0)
    assert merged.start.tolist() == [0.0, 9.0]
    assert merged.task_type.tolist() == [SEVERAL, 0]


@given(bars(), st.integers(1, 25), st.sets(st.integers(0, 2), min_size=1))
def test_bars_that_were_filtered_merge_to_as_few(
    given_bars: Bars, width: int, only: set[int]
) -> None:
    some = given_bars.chosen(np.isin(given_bars.task_type, list(only)))
    if len(some):
        merged = some.merged(width)
        assert merged.count.sum() == some.count.sum()
        for row in np.unique(some.row):
            end = some.end[some.row == row].max()
            assert (merged.row == row).sum() <= 2 * end / width + 1
