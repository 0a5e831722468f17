"""Bars of a report stand beside what they name, and no interval passes the limit."""

import pytest

from core.shells.report.bars_picture import bars_picture
from core.shells.report.svg import Scale
from core.shells.told.bars import ToldBar, ToldBars
from core.vocabulary.intervals import Interval


def test_an_interval_does_not_pass_the_limit() -> None:
    """Issue 33, point 10: a bar of 90 ± 8 ends at a limit above it, or begins at one below."""
    bar = ToldBar("A", Interval(90.0, 8.0))
    for limit, low, high in ((95.0, 82.0, 95.0), (85.0, 85.0, 98.0)):
        picture = str(bars_picture(ToldBars("%", (bar,), limit, "limit")))
        across = Scale(0.0, 1.04 * high, 210.0, 744.0)
        line = f'class="interval" d="M{across(low):.1f} 43L{across(high):.1f} 43"'
        assert line in picture.replace(",", " "), picture


@pytest.mark.parametrize(
    ("limit", "side", "at"), [(95.0, "end", "723.5"), (20.0, "start", "314.8")]
)
def test_labels_stand_beside_what_they_name(limit: float, side: str, at: str) -> None:
    picture = str(bars_picture(ToldBars("%", (ToldBar("A", Interval(90.0, 8.0)),), limit, "most")))
    for text in (
        '<text class="end" x="202" y="47">A</text>',
        f'd="M{at} 24L{at} 56"/><text class="{side}" x="{at}" y="18">most</text>',
        '<text class="middle title" x="477" y="94">%</text>',
    ):
        assert text in picture
