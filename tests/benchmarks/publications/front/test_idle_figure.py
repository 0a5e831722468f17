"""Fronts by idle power: equal ones are one curve, and the verdicts follow from the fronts."""

from dataclasses import replace

import pytest

from benchmarks.publications.front import idle_figure
from benchmarks.publications.front.environments import FILLED, IDLE_FRACTIONS, SWEPT, Attempt
from core.vocabulary.plane.polygons import area


def verdicts(figure):
    return [claim.holds for claim in figure.claims]


def test_fronts_that_coincide_are_one_curve_named_by_its_range(small_environments):
    figure = idle_figure.idle_power(small_environments)
    names = [curve.name for curve in figure.panels[0].curves]
    assert names[0] == "idle 0 %"
    assert names[-1] == "idle 45 to 100 %"
    assert len(figure.table.rows) == len(IDLE_FRACTIONS)
    assert verdicts(figure)[0]


def test_a_front_that_grows_with_idle_power_flips_figure_3_7(small_environments):
    reverse = replace(small_environments, idle_fronts=small_environments.idle_fronts[::-1])
    assert verdicts(idle_figure.idle_power(reverse)) == [False, False, False]


def test_regions_have_the_areas_of_the_table(small_environments):
    figure = idle_figure.polygons(small_environments)
    for panel, method in zip(figure.panels, (SWEPT, FILLED), strict=True):
        unknown, possible = panel.regions  # the second is drawn over the first
        assert (unknown.meaning, possible.meaning) == ("unknown", "possible")
        left = small_environments.nine.left_loose(method)
        assert area(unknown.polygon) - area(possible.polygon) == pytest.approx(left)


def test_a_fill_that_does_worse_flips_the_verdict(small_environments):
    assert idle_figure.polygons(small_environments).claims[0].holds
    nine = small_environments.nine
    worse = Attempt(1.1 * nine.attempts[SWEPT].points, 0.0)
    nine = replace(nine, attempts={**nine.attempts, FILLED: worse})
    changed = replace(small_environments, each={**small_environments.each, "nine": nine})
    assert not idle_figure.polygons(changed).claims[0].holds
