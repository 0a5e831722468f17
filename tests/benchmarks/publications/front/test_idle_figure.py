"""Fronts by idle power: equal ones are one curve, and the verdicts follow from the fronts."""

from dataclasses import replace

from benchmarks.publications.front import idle_figure
from benchmarks.publications.front.environments import IDLE_FRACTIONS


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
