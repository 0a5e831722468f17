"""Boxes of bags say what was expected, and what then happened."""

from arriving_days import HOUR, KWH, a_bag, tried

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.trials import TrialBound
from core.capabilities.arrivals.uncertain.methods import BagBound
from dashboard.screens.late.boxes_chart import boxes_figure


def test_boxes_have_the_quarters_of_all_bags() -> None:
    settings = ArrivalsSettings(workload="uncertain", days=5, methods=("greedy-min",))
    hours = (1.0, 2.0, 3.0, 4.0, 9.0)
    runs = {"greedy-min": [a_bag(HOUR * h, KWH * h, (4 * HOUR, 4 * KWH)) for h in hours]}
    bounds = 5 * [TrialBound(1024.0, BagBound(0.5 * HOUR, 0.5 * KWH))]
    partly = tried(settings.question(None), runs, bounds[:4]).so_far
    assert not boxes_figure(partly, "makespan").layout.shapes, "a bag is still to be proven"
    found = tried(settings.question(None), runs, bounds).so_far
    expected, _, actual, whiskers = boxes_figure(found, "makespan").data
    assert (expected.base, expected.name) == ((4.0,), "expected from estimates")
    assert (actual.base[0], actual.x[0]) == (2.0, 2.0), "from 2 h to 4 h"
    assert whiskers.x[0] == 3.0
    assert (whiskers.error_x.array[0], whiskers.error_x.arrayminus[0]) == (6.0, 2.0)
    line = boxes_figure(found, "makespan").layout.shapes[0]
    assert (line.x0, line.x1) == (0.5, 0.5)
    assert boxes_figure(found, "joules").layout.annotations[0].text == "lower bound: 500 Wh"


def test_of_a_single_bag_there_are_bars() -> None:
    settings = ArrivalsSettings(workload="uncertain", methods=("greedy-min",))
    runs = {"greedy-min": [a_bag(2 * HOUR, KWH, (4 * HOUR, 4 * KWH))]}
    bounds = [TrialBound(1024.0, BagBound(0.5 * HOUR, 0.5 * KWH))]
    found = tried(settings.question(None), runs, bounds)
    expected, _, actual, _ = boxes_figure(found, "makespan").data
    assert (expected.base[0], expected.x[0]) == (0.0, 4.0)
    assert (actual.base[0], actual.x[0]) == (0.0, 2.0)
