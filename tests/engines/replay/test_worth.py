"""Curves say what a delay costs, and one that rises is refused with its place."""

import math

import numpy as np
import pytest

from core.engines.replay.worth import WorthCurves, WorthPiece, curves_at
from core.vocabulary.problems import InvalidInput

DECAYING = (
    WorthPiece(0, 1, 1, 0),
    WorthPiece(60, 1, 0.5, 2),
    WorthPiece(120, 0.4, 0.2, 0),
    WorthPiece(200, 0, 0, 0),
)


def test_a_curve_goes_from_piece_to_piece() -> None:
    curves = WorthCurves((DECAYING,), ("decays",))
    delay = np.array([0, 59.9, 60, 90, 120, 160, 199, 200, 1e9])
    found = curves_at(curves, np.zeros(9, int), np.full(9, 0.01), delay)
    decayed = 0.5 + 0.5 * math.exp(-0.01 * 2 * 30)
    assert found.tolist() == pytest.approx([1, 1, 1, decayed, 0.4, 0.3, 0.2025, 0, 0])


FIGURE_20 = (WorthPiece(0, 1, 0.155, 1), WorthPiece(3600, 0, 0, 0))
"""One decay of 0.036 for a minute, and nothing after an hour. The publication prints the points
alone; a curve with one decay meets both of them."""


def test_a_job_of_worth_8_is_worth_what_figure_20_prints() -> None:
    """5.18 after 15 minutes, 2.84 after 40, and nothing after about 60."""
    minutes = np.array([0, 15, 40, 60, 90])
    found = 8 * curves_at(
        WorthCurves((FIGURE_20,), ("figure 20",)),
        np.zeros(5, int),
        np.full(5, 0.036 / 60),
        60.0 * minutes,
    )
    assert found.tolist() == pytest.approx([8, 5.18, 2.84, 0, 0], abs=0.005)


@pytest.mark.parametrize(
    ("pieces", "column", "message"),
    [
        ([], "", "has no piece"),
        ([(1, 1, 0, 0)], "begin", "begins at 1 s; the first piece begins at 0 s"),
        ([(0, 1, 1, 0), (0, 0, 0, 0)], "begin", "begins at 0 s, not after the one before it"),
        ([(0, 1, 0.5, 1), (9, 0.6, 0, 0)], "high", "rises from 0.5 to 0.6 at 9 s"),
        ([(0, 0.5, 0.6, 1)], "low", "rises from 0.5 to 0.6 after 0 s"),
        ([(0, 0, -1, 1)], "low", "is -1; worth is at least 0"),
        ([(0, 1, 0, -1)], "decay", "is -1; a decay is at least 0"),
        ([(0, math.nan, 0, 0)], "", "not finite"),
    ],
)
def test_what_is_wrong_with_a_curve_is_named(
    pieces: list[tuple[float, ...]], column: str, message: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        WorthCurves((tuple(WorthPiece(*piece) for piece in pieces),), ("mine",))
    problem = refused.value.problems[0]
    assert (problem.file, problem.row, problem.column) == ("curves", "mine", column)
    assert message in problem.message


def test_curves_are_made_into_a_table_once() -> None:
    """A policy by prices makes hundreds of replays of them."""
    curves = WorthCurves(((WorthPiece(0.0, 1.0, 0.5, 0.0),),), ("one",))
    assert curves.table is curves.table
