"""A name in a figure is shown as written: no tag, no entity, not longer than there is room."""

import html

from hypothesis import given
from strategies import names

from dashboard.parts.charts.text import label, plain


@given(names())
def test_a_name_is_never_markup_and_reads_back(name):
    shown = plain(name)
    assert "<" not in shown
    assert html.unescape(shown) == name


@given(names())
def test_a_label_fits_and_begins_like_the_name(name):
    shown = html.unescape(label(name, 12))
    assert len(shown) <= 12
    assert shown == name or (shown.endswith("…") and name.startswith(shown[:-1]))


@given(names())
def test_no_name_is_taken_for_a_colour_of_the_theme(name):
    node = f"{name}#000012"
    assert "#0000" not in plain(node)
    assert html.unescape(plain(node)) == node
