"""Bars leave room for their intervals and for the line that none passes."""

import pytest

from dashboard.parts.charts.bars import MeanBar, ProvenLine, bars_figure

BARS = [MeanBar("A", 3.0, "three", (0.5, 1.0)), MeanBar("B", 2.0, "two")]


@pytest.mark.parametrize(
    ("limit", "reaches", "side"), [(1.0, 4.0, "left"), (3.5, 4.0, "right"), (9.0, 9.0, "right")]
)
def test_the_text_of_a_line_has_room(limit: float, reaches: float, side: str) -> None:
    layout = bars_figure(BARS, "Worth", ProvenLine(limit, "bound"), 30).layout
    assert layout.xaxis.range[1] == pytest.approx(1.04 * reaches)
    assert layout.annotations[0].xanchor == side, "where the text begins or ends"


def test_the_axis_reaches_at_least_so_far_and_intervals_are_drawn_if_there_are_any() -> None:
    figure = bars_figure([BARS[1]], "Worth", None, 30, least=50.0)
    assert figure.layout.xaxis.range == (0, 52.0)
    assert len(figure.data) == 1
    _, paper, ink = bars_figure(BARS, "Worth", None, 30).data
    assert paper.error_x.array == ink.error_x.array == (1.0, 0.0)
    assert paper.error_x.arrayminus == (0.5, 0.0)
