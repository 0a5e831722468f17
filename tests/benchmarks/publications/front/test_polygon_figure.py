"""What is drawn as unknown is the area of the table; fill shrinks it, or is said not to."""

from dataclasses import replace

import pytest

from benchmarks.publications.front import polygon_figure
from benchmarks.publications.front.environments import FILLED, SWEPT, Attempt
from core.vocabulary.plane.polygons import area


def test_regions_have_the_areas_of_the_table(small_environments):
    figure = polygon_figure.polygons(small_environments)
    for panel, method in zip(figure.panels, (SWEPT, FILLED), strict=True):
        unknown, possible = panel.regions  # the second is drawn over the first
        assert (unknown.meaning, possible.meaning) == ("unknown", "possible")
        left = small_environments.nine.left_loose(method)
        assert area(unknown.polygon) - area(possible.polygon) == pytest.approx(left)


def test_a_fill_that_does_worse_flips_the_verdict(small_environments):
    assert polygon_figure.polygons(small_environments).claims[0].holds
    nine = small_environments.nine
    worse = Attempt(1.1 * nine.attempts[SWEPT].points, 0.0)
    nine = replace(nine, attempts={**nine.attempts, FILLED: worse})
    changed = replace(small_environments, each={**small_environments.each, "nine": nine})
    assert not polygon_figure.polygons(changed).claims[0].holds
