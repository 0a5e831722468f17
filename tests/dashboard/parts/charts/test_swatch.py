"""A swatch has the colour of its task type in the theme that is on, and loads nothing."""

from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from core.files.samples.named import load_sample
from core.vocabulary.say import colours
from core.vocabulary.say.colours import leading_task_types
from dashboard.parts.charts.palette import swatch


@pytest.mark.parametrize("dark", [False, True])
def test_every_task_type_has_its_colour_and_its_stripes(dark: bool) -> None:
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
