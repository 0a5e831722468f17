"""A browser finds every colour of a figure in its theme, and types of a kind look different."""

import tomllib
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

import dashboard
from core.files.samples.named import load_sample
from core.vocabulary.say import colours
from core.vocabulary.say.colours import NO_COLOUR, leading_task_types
from dashboard.parts.charts.palette import (
    ACHIEVED,
    IDLE,
    MIXED,
    OURS,
    PLACES,
    SEQUENTIAL,
    distinct,
    paint_machine,
    paint_task,
    swatch,
)

THEMES = tomllib.loads(
    (Path(dashboard.__file__).parent / ".streamlit" / "config.toml").read_text(encoding="utf-8")
)["theme"]
MODES = ("light", "dark")


@pytest.mark.parametrize("mode", MODES)
def test_the_theme_has_the_colours_that_the_figures_ask_for(mode):
    for option, places in PLACES.items():
        assert THEMES[mode][option] == [getattr(colour, mode) for colour in places]
        assert len(places) == 10, "Streamlit replaces ten of each"
    assert THEMES[mode]["backgroundColor"] == getattr(colours.PAPER, mode)
    assert THEMES[mode]["textColor"] == getattr(colours.INK, mode)


def test_places_are_numbered_as_streamlit_numbers_them():
    assert [paint_task(rank).fill for rank in (0, 7)] == ["#000001", "#000008"]
    assert (IDLE, SEQUENTIAL[0][1], OURS) == ("#000010", "#000011", "#000016")
    assert (paint_machine(0).fill, ACHIEVED) == ("#000021", "#000030")


def test_no_colour_has_two_places():
    every = [colour for places in PLACES.values() for colour in places]
    assert len(set(every)) == len(every)


def test_types_with_colours_of_their_own_look_different():
    assert len({paint_task(rank) for rank in range(32)}) == 32
    assert len({paint_machine(rank) for rank in range(9)}) == 9
    tasks = {paint_task(rank).fill for rank in range(32)}
    assert tasks.isdisjoint(paint_machine(rank).fill for rank in range(32))

    assert [bool(paint_task(rank).shape) for rank in (0, 7, 8, 31)] == [False, False, True, True]


def test_types_without_a_colour_of_their_own_are_grey():
    assert paint_task(NO_COLOUR) == MIXED
    assert MIXED not in {paint_task(rank) for rank in range(NO_COLOUR)}


def test_lines_repeat_their_colours_after_eight():
    assert distinct(0) == distinct(8) == paint_task(0).fill
    assert len({distinct(rank) for rank in range(8)}) == 8


@pytest.mark.parametrize("dark", [False, True])
def test_every_task_type_has_its_colour_and_its_stripes(dark):
    ranks = leading_task_types(load_sample("nine"))
    drawn = [swatch(ranks, task, dark=dark) for task in range(len(ranks.rank))]
    for task, address in enumerate(drawn):
        kind, _, svg = address.partition(",")
        assert kind == "data:image/svg+xml"
        ground, stripes = ElementTree.fromstring(unquote(svg))  # noqa: S314  # our own
        rank = int(ranks.rank[task])
        own = rank < ranks.tail
        colour = colours.TASK_TYPES[rank % len(colours.TASK_TYPES)] if own else colours.MIXED
        assert ground.get("fill") == (colour.dark if dark else colour.light)
        assert bool(stripes.get("d")) == (own and rank >= len(colours.TASK_TYPES))
    assert len({drawn[task] for task in ranks.own}) == ranks.tail
