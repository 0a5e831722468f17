"""No plan is drawn below its line, and each mark says which point it is of."""

from itertools import pairwise
from typing import Any

import numpy as np
from shown_days import small_answer, small_slices

from dashboard.screens.centre.front_chart import front_figure


def drawn(aim: Any = "cost") -> Any:
    return front_figure(small_answer(), small_slices(), aim)


def test_no_plan_is_below_its_line() -> None:
    lines = [one for one in drawn().data if one.mode == "lines"]
    assert lines[0].name == "nothing late"
    assert len(lines) == len(small_slices())
    first = 0
    marks = {
        mark[0]: at
        for one in drawn().data
        if one.mode == "markers" and one.customdata
        for mark, *at in zip(one.customdata, one.x, one.y, strict=True)
    }
    for slice_, line in zip(small_slices(), lines, strict=True):
        for place, point in enumerate(slice_.points, first):
            assert (place in marks) == (point.found is not None and point.found.beyond == 0)
            if place in marks:
                x, y = marks[place]
                assert y >= float(np.interp(x, line.x, line.y)) - 1e-6
        first += len(slice_.points)
    assert marks


def test_lateness_that_is_allowed_never_costs_more() -> None:
    """But for what a point that is left out would save."""
    lines = [one for one in drawn().data if one.mode == "lines"]
    for before, after in pairwise(lines):
        at = np.linspace(before.x[0], before.x[-1], 9)
        least = (1 - 1e-3) * np.interp(at, after.x, after.y)
        assert (least <= np.interp(at, before.x, before.y)).all()


def test_our_plan_is_ringed_and_methods_far_away_are_left_out() -> None:
    named = [one.text[0] for one in drawn().data if one.mode == "markers+text"]
    assert "Our plan" in named
    assert drawn().layout.yaxis.title.text == "Cost (EUR)"
