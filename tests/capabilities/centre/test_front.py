"""Slices of the front: no plan is below their lines."""

import numpy as np
import pytest
from capabilities.centre.tiny_days import AIMS, all_plans, tiny_days
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.bound import DaySearch
from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.front import LATE_SHARES, DaySlice, SlicePoint, front_slices
from core.capabilities.centre.objectives import NO_CAPS
from core.capabilities.centre.settings import DaySettings


@examples(6)
@given(tiny_days(), st.sampled_from(["cost", "carbon", "energy", "lateness"]))
def test_no_plan_is_below_a_slice(day: CentreDay, aim: str) -> None:
    """Of lateness and excess as aims, the slices have the cost."""
    plans = all_plans(day).reached
    asked = DaySettings(minimise=aim, seconds=0.02)
    slices = list(front_slices(DaySearch(day), asked, NO_CAPS))
    if len(plans):
        earliest = plans[:, AIMS.index("lateness")].min() / day.jobs.execution_steps
        assert {one.late for one in slices} >= {late for late in LATE_SHARES if late >= earliest}
    shown = AIMS.index("cost" if aim == "lateness" else aim)
    excess = plans[:, AIMS.index("excess")]
    for one in slices:
        late = one.late * day.jobs.execution_steps
        kept = plans[:, AIMS.index("lateness")] <= late + 1e-9
        least = one.least(excess[kept])
        values = plans[kept][:, shown]
        assert (least <= values + 1e-9 * np.maximum(np.abs(values), 1)).all()
        levels = [point.excess for point in one.points]
        assert levels == sorted(levels)
        for point in one.points:
            if point.found is not None and point.found.beyond == 0:
                assert point.found.value >= point.least - 1e-9


@given(
    st.lists(st.tuples(st.floats(0, 5), st.floats(0, 9), st.floats(0, 4)), min_size=1, max_size=6)
)
def test_a_slice_is_straight_between_its_corners(lines: list[tuple[float, float, float]]) -> None:
    one = DaySlice(0.0, 0.5, tuple(SlicePoint(*line, None) for line in lines))
    corners = one.corners(6.0)
    assert [corners[0], corners[-1]] == [0.5, 6.0]
    between = np.linspace(0.5, 6.0, 50)
    drawn = np.interp(between, corners, one.least(corners))
    assert drawn == pytest.approx(one.least(between), abs=1e-6)
