"""Every front is there with its label beside its end, and no label on another."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from studied import uneven

from core import Effort, solve
from core.engines.recover.assignment import assign
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.prices.tariff import Tariff
from dashboard.screens.what_if.compare.fronts_chart import apart, compare_fronts
from dashboard.screens.what_if.compare.outcome import axes, outcome
from dashboard.screens.what_if.compare.what_ifs import WhatIf


@pytest.fixture(scope="module")
def outcomes():
    nine = WhatIf.of(1, "nine", load_sample("nine"))
    more = replace(nine, machines=(9, *nine.machines[1:]), name="<b>more</b>")
    return [outcome(one, trace_front) for one in (nine, more, replace(nine, name="again"))]


def figure(outcomes):
    drawn = compare_fronts(outcomes, axes(outcomes, "kWh", "EUR"))
    assert drawn is not None
    return drawn


def test_fronts_are_drawn_vertex_by_vertex(outcomes):
    drawn = figure(outcomes)
    front = outcomes[0].front
    np.testing.assert_allclose(drawn.data[0].x, front.energy / 3.6e6)
    np.testing.assert_allclose(drawn.data[0].y, front.makespan / 60)
    assert drawn.layout.xaxis.title.text == "Energy (kWh)"
    assert drawn.layout.yaxis.title.text == "Makespan (min): when the last task ends"


def test_where_the_log_stands_is_in_sight_if_it_is_near(outcomes):
    system = load_sample("nine")
    crowded = np.zeros(system.etc.shape, np.int64)
    crowded[:, 0] = system.task_counts
    near, far = solve(system, effort=Effort(0)).schedule, assign(system, crowded)
    for here in (near, far):
        drawn = compare_fronts(outcomes, axes(outcomes, "kWh", "EUR"), here)
        (star,) = (one for one in drawn.data if one.name == "You are here")
        assert star.x[0] == pytest.approx(here.energy / 3.6e6)
        low, high = drawn.layout.yaxis.range
        assert (low < star.y[0] < high) == (here is near)


def test_labels_are_plain_and_within_the_axis(outcomes):
    drawn = figure(outcomes)
    labels = drawn.layout.annotations
    assert [one.text.split("</span> ")[1] for one in labels] == [
        "nine",
        "&lt;b&gt;more&lt;/b&gt;",
        "again",
    ]
    low, high = drawn.layout.yaxis.range
    assert all(low <= one.y <= high for one in labels)


@pytest.mark.parametrize(
    ("quantity", "said"), [("kWh", "100 Wh"), ("money", "0.02 EUR"), ("carbon", "0.1 kg CO₂")]
)
def test_a_vertex_says_its_bounds_rounded_down_with_their_units(quantity, said):
    """One task on the slow machine takes 200.04001 s and 100.02002 Wh, which cost 0.020004 EUR and
    0.10002 kg of CO₂.
    """
    what_if = replace(WhatIf.of(1, "uneven", uneven()), tariff=Tariff(0.2, 1.0))
    one = outcome(what_if, trace_front)
    drawn = compare_fronts([one], axes([one], quantity, "EUR"))
    assert drawn.data[0].customdata[0] == f"<b>uneven</b><br>3 min 20 s, {said}"


def test_what_has_no_front_is_left_out(outcomes):
    e1 = outcome(WhatIf.of(9, "e1", load_sample("e1")), trace_front)
    assert len(figure([e1, *outcomes]).layout.annotations) == 3
    assert compare_fronts([e1], axes([e1], "kWh", "EUR")) is None


def test_a_front_that_is_a_point_is_seen():
    idle = load_sample("two-by-two").with_idle_fraction(1.0)
    point = outcome(WhatIf.of(1, "idle", idle), trace_front)
    assert point.front is not None
    assert len(point.front) == 1
    drawn = figure([point])
    low, high = drawn.layout.xaxis.range
    assert low < drawn.data[0].x[0] < high


@given(values=st.lists(st.floats(0, 100), min_size=1, max_size=12))
def test_labels_keep_their_order_and_distance(values):
    before = np.array(values)
    after = apart(before, 5.0)
    assert (after >= before).all()
    assert (np.diff(np.sort(after)) >= 5.0 - 1e-9).all()
    assert (np.argsort(after, kind="stable") == np.argsort(before, kind="stable")).all()
