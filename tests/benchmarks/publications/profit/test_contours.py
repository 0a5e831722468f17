"""Lines of equal profit meet in one point, and the best of them touches what can be reached."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.profit import contours as profit_contours


def verdicts(figure):
    return [claim.holds for claim in figure.claims]


def test_published_ratios_come_first_and_all_holds(idle_answers):
    figure = profit_contours.figure(idle_answers)
    titles = [panel.title for panel in figure.panels]
    shown = (
        "a) price ratio 0.9",
        "b) price ratio 1.2",
        "c) price ratio 1.5",
        "d) price ratio 0.95",
    )
    assert titles == [f"({title}" for title in shown]
    assert verdicts(figure) == [True, True, True]


def test_every_line_leads_to_the_price_at_no_time(idle_answers):
    figure = profit_contours.figure(idle_answers)
    one = next(one for one in idle_answers.each if one.ratio == 0.9)
    lines = figure.panels[0].curves[0].points.reshape(-1, 3, 2)
    assert np.isnan(lines[:, 2]).all()  # a gap between a line and the next
    below, above = lines[:, 0], lines[:, 1]
    slope = (above[:, 0] - below[:, 0]) / (above[:, 1] - below[:, 1])
    meeting = below[:, 0] - slope * below[:, 1]
    assert meeting == pytest.approx(one.profit.bound.terms.price)


def test_a_bound_that_no_corner_earns_flips_the_first(idle_answers):
    first = idle_answers.each[0]
    beyond = replace(first.profit.bound, value=first.profit.bound.value + 1)
    changed = replace(first, profit=replace(first.profit, bound=beyond))
    figure = profit_contours.figure(replace(idle_answers, each=[changed, *idle_answers.each[1:]]))
    assert verdicts(figure) == [False, True, True]


def test_without_losses_nothing_is_said_to_leave_the_front(thrifty_answers):
    assert verdicts(profit_contours.figure(thrifty_answers)) == [True, False, True]
