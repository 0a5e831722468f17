"""A name in a figure is shown as written: no tag, no entity, not longer than there is room."""

import html
from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from strategies import names

from dashboard.parts.charts.text import labels, plain


@given(names())
def test_a_name_is_never_markup_and_reads_back(name):
    shown = plain(name)
    assert "<" not in shown
    assert html.unescape(shown) == name


@given(names())
def test_a_label_fits_and_begins_like_the_name(name):
    shown = html.unescape(*labels([name], 12))
    assert len(shown) <= 12
    assert shown == name or (shown.endswith("…") and name.startswith(shown[:-1]))


@given(names())
def test_no_name_is_taken_for_a_colour_of_the_theme(name):
    node = f"{name}#000012"
    assert "#0000" not in plain(node)
    assert html.unescape(plain(node)) == node


@given(st.lists(names(), max_size=8))
def test_labels_have_room_and_names_that_have_it_are_whole(several):
    for name, shown in zip(several, labels(several, 6), strict=True):
        assert len(html.unescape(shown)) < 12 + len(" (8)")
        assert len(name) > 6 or html.unescape(shown) == name


ALIKE = st.text("ab-", min_size=1, max_size=40)


@given(st.lists(ALIKE, max_size=8))
def test_names_are_told_apart_wherever_they_differ(several):
    assert len(set(labels(several, 12))) == len(set(several))


@given(st.text("a", min_size=20), st.text("ab", max_size=6), st.text("ab", max_size=6))
def test_two_names_need_no_more_room(head, one, other):
    first, second = labels([f"{head}-{one}", f"{head}-{other}"], 12)
    assert len(first) <= 12
    assert len(second) <= 12
    assert (first == second) == (one == other)


def test_names_that_are_alike_in_two_places_are_told_apart():
    sizes, ends = ("large", "small"), ("north-1", "north-2")
    several = [f"simulation-{size}-{end}" for size in sizes for end in ends]
    assert labels(several, 12) == [
        "…lar…north-1",
        "…lar…north-2",
        "…sma…north-1",
        "…sma…north-2",
    ]
    assert labels(["genome-align-human", "genome-sort", "sort"], 12) == [
        "genome-alig…",
        "genome-sort",
        "sort",
    ]
    assert labels(["a" * 30, "a" * 30 + "b<c"], 12) == ["aaaa…aaaaaaa", "aaaa…aaaab&lt;c"]
    several = ["genome-align-chicken", "genome-align-hamster"]
    assert labels(several, 12) == ["geno…chicken", "geno…hamster"]
    assert labels(["a" * 30, "a" * 31], 12) == [f"aaaa…{'a' * 18} ({k})" for k in (1, 2)]
    assert labels(["genome-align-human"] * 2, 12) == ["genome-alig…"] * 2


def test_names_that_are_alike_in_many_places_have_more_room_or_numbers():
    places = ("large", "small"), ("implicit", "explicit"), ("north", "south"), ("v1", "v2")
    several = ["-".join(("simulation", *parts)) for parts in product(*places)]
    roomy = labels(several, 18)
    assert roomy[:2] == ["simu…e-implicit-north-v1", "simu…e-implicit-north-v2"]
    assert len(set(roomy)) == 16
    numbered = labels([*several, "sort"], 12)
    assert numbered[0] == "simu…-implicit-north-v1 (1)"
    assert numbered[8] == "simu…-implicit-north-v1 (9)"
    assert numbered[16] == "sort"
