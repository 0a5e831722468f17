"""Bars leave room for their intervals and for the line that none passes."""

import pytest

from core.shells.told.bars import ToldBar, ToldBars
from core.vocabulary.intervals import Interval
from dashboard.parts.charts.bars import bars_figure

SURE, UNSURE = ToldBar("A", Interval(2.0, 0.0), "two"), ToldBar("B", Interval(3.0, 1.0))


@pytest.mark.parametrize(
    ("limit", "reaches", "side"), [(1.0, 4.0, "left"), (2.5, 4.0, "right"), (9.0, 9.0, "right")]
)
def test_the_text_of_a_line_has_room(limit, reaches, side):
    layout = bars_figure(ToldBars("Worth", (UNSURE, SURE), limit, "bound"), 30).layout
    assert layout.xaxis.range[1] == pytest.approx(1.04 * reaches)
    assert layout.annotations[0].xanchor == side, "where the text begins or ends"


def test_intervals_are_drawn_if_there_are_any():
    """Not past the limit, on whichever side of it a bar ends."""
    assert len(bars_figure(ToldBars("Worth", (SURE,)), 30).data) == 1
    for limit, below, above in ((None, 1.0, 1.0), (3.5, 1.0, 0.5), (2.5, 0.5, 1.0)):
        _, paper, ink = bars_figure(ToldBars("Worth", (UNSURE, SURE), limit), 30).data
        assert paper.error_x.array == ink.error_x.array == (above, 0.0)
        assert paper.error_x.arrayminus == (below, 0.0)


def test_bars_of_nothing_have_an_axis():
    nothing = ToldBars("Worth", (ToldBar("A", Interval(0.0, 0.0)),))
    assert bars_figure(nothing, 30).layout.xaxis.range == (0, 1.04)
