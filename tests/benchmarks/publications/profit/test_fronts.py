"""Optima on the front, and off it: the verdicts follow from the answers, and so do the bars."""

from dataclasses import replace

import numpy as np

from benchmarks.publications.profit import fronts as profit_fronts
from benchmarks.publications.profit.answers import RATIOS
from benchmarks.publications.profit.fronts import Elsewhere

OTHERS = Elsewhere(np.array([[5e3, 45e3], [4e3, 60e3]]), np.array([0.05, 0.4]))


def verdicts(figure):
    return [claim.holds for claim in figure.claims]


def test_without_idle_power_the_prices_are_where_they_were_published(thrifty_answers):
    figure = profit_fronts.profitable(thrifty_answers, OTHERS)
    assert verdicts(figure)[2:] == [True, True, True, True, False]
    assert [row[0] for row in figure.table.rows] == ["1.01", "1.2", "1.5"]


def test_unpolished_schedules_do_not_overlap_with_their_bounds(thrifty_answers):
    overlap = profit_fronts.profitable(thrifty_answers, OTHERS).claims[0]
    assert not overlap.holds
    assert "These earn 99.7" in overlap.cause


def test_schedules_at_their_bounds_would(thrifty_answers):
    each = [
        replace(one, published=replace(one.published, energy=one.bound[0], period=one.bound[1]))
        for one in thrifty_answers.each
    ]
    assert profit_fronts.profitable(replace(thrifty_answers, each=each), OTHERS).claims[0].holds


def test_prices_the_other_way_round_flip_the_verdicts(thrifty_answers):
    turned = replace(thrifty_answers, each=thrifty_answers.each[::-1])
    claims = profit_fronts.profitable(turned, OTHERS).claims[2:]
    assert [claim.holds for claim in claims] == [False, True, False, True, False]
    assert "5.0 % to 40.0 % of the way, and at most 10 % in 1 of them" in claims[2].cause


def test_a_cap_within_what_the_front_draws_parts_it(thrifty_answers, monkeypatch):
    parts = profit_fronts.profitable(thrifty_answers, OTHERS).claims[-1]
    assert not parts.holds
    assert "draw 45.0 to 60.0 kW, more than the cap in 1 of them" in parts.cause
    monkeypatch.setattr(profit_fronts, "POWER_CAP", 30e3)
    shaded, parts = profit_fronts.profitable(thrifty_answers, OTHERS).claims[-2:]
    assert shaded.holds
    assert parts.holds


def test_other_environments_are_measured_where_they_are_drawn():
    others = profit_fronts.elsewhere((3, 6))
    assert others.watts.shape == (2, 2)
    assert (others.watts[:, 0] < others.watts[:, 1]).all()
    assert ((others.slower >= 0) & (others.slower < 1)).all()


def test_losses_leave_the_front_and_profits_do_not(idle_answers):
    assert verdicts(profit_fronts.losing(idle_answers)) == [True, True]


def test_without_idle_power_no_loss_leaves_the_front(thrifty_answers):
    """There is none: that nothing is lost is no reason to say that losses leave."""
    assert verdicts(profit_fronts.losing(thrifty_answers)) == [False, True]


def test_bars_go_up_for_profit_and_down_for_loss_in_proportion(idle_answers):
    plane = profit_fronts.losing(idle_answers).panels[0]
    bars = {
        curve.name.split(":")[0]: float(np.diff(curve.points[:, 1])[0])
        for curve in plane.curves
        if curve.name.startswith("ratio")
    }
    values = {f"ratio {one.ratio:g}": one.profit.bound.value for one in idle_answers.each}
    scale = {bars[name] / values[name] for name in bars}
    assert max(scale) - min(scale) < 1e-9 * max(scale)
    assert min(scale) > 0
    assert bars["ratio 0.9"] < 0 < bars["ratio 1.5"]


def test_the_cap_is_drawn_and_forbids_what_is_below_it(thrifty_answers):
    plane = profit_fronts.profitable(thrifty_answers, OTHERS).panels[0]
    cap = next(curve.points for curve in plane.curves if curve.name.startswith("cap"))
    assert np.allclose(cap[:, 0] / cap[:, 1], profit_fronts.POWER_CAP)
    (region,) = plane.regions
    assert (region.polygon[:, 0] >= 0.999999 * profit_fronts.POWER_CAP * region.polygon[:, 1]).all()
    assert len(RATIOS) == len(thrifty_answers.each)
