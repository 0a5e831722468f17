"""Program and front by the price: equal from ratio 1 on, and the verdicts follow from the watts."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.profit import ratios as profit_ratios


@pytest.fixture(scope="module")
def ratios(larger_nine_idle):
    return profit_ratios.measure(larger_nine_idle, (80, 90, 95, 100, 120))


def verdicts(ratios):
    return [claim.holds for claim in profit_ratios.figure(ratios).claims]


def test_watts_are_those_computed_elsewhere(ratios):
    idle = ratios.front.system.total_idle_power
    assert ratios.program[:3] == pytest.approx([-idle, -1971.287, -1102.537], abs=1e-3)
    assert ratios.on_front[1:3] == pytest.approx([-2396.683, -1198.341], abs=1e-3)
    assert ratios.runs_from == pytest.approx(0.874233, abs=1e-6)
    assert verdicts(ratios) == [True, True]


def test_near_ratio_1_the_front_is_as_good_and_the_figure_says_so(ratios, larger_nine_idle):
    assert 0.95 < ratios.off_front_until < 0.99
    assert verdicts(profit_ratios.measure(larger_nine_idle, (95, 99, 100))) == [True, False]


def test_a_program_that_beats_the_front_at_a_profit_flips_the_first(ratios):
    better = np.where(ratios.percents > 100, ratios.program + 1, ratios.program)
    assert verdicts(replace(ratios, program=better)) == [False, True]


def test_losses_and_profits_are_drawn_upward_each_in_its_panel(ratios):
    for panel in profit_ratios.figure(ratios).panels:
        assert all((series.values >= -1e-9).all() for series in panel.series)
    loss, profit = (panel.series[0].x for panel in profit_ratios.figure(ratios).panels)
    assert loss.tolist() == [80, 90, 95]
    assert profit.tolist() == [100, 120]
