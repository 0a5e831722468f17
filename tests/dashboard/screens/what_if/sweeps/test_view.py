"""Charts show each run at its place, in one unit and with one range of colours."""

import math

import numpy as np
import pytest

from core.capabilities.sweep.axes import read_axis
from core.capabilities.sweep.question import SweepQuestion, columns_of, figures_of
from core.capabilities.sweep.run import computed_run
from dashboard.screens.what_if.sweeps.map_chart import (
    MOST_CLICKED,
    MOST_LINES,
    sweep_lines,
    sweep_map,
)
from dashboard.screens.what_if.sweeps.view import MOST_PANELS, figure_said, view_of


def asked(two_by_two, *axes):
    return SweepQuestion(two_by_two(), tuple(map(read_axis, axes)))


def rows_of(question, *, without=()):
    return {run: computed_run(question, run) for run in range(question.runs) if run not in without}


@pytest.fixture(scope="module")
def question(two_by_two):
    return asked(two_by_two, "idle=0,0.5", "energy_price=0.3", "machines.A=1:3", "tasks.1=1:4")


@pytest.fixture(scope="module")
def rows(question):
    return rows_of(question)


def test_each_value_is_at_its_place(question, rows):
    fastest = figures_of(question)[0]
    view = view_of(question, rows, fastest)
    assert [axis.name for axis in view.axes] == ["idle", "machines.A", "tasks.1"]
    assert view.values.shape == (4, 3, 2)
    assert view.panels == (1, 2, 3, 4)
    place = columns_of(question).index("fastest_s")
    for (p, u, a), run in np.ndenumerate(view.runs):
        values = question.values(int(run))
        assert (values["tasks.1"], values["machines.A"]) == (p + 1, u + 1)
        assert values["idle"] == (0, 0.5)[a]
        assert view.values[p, u, a] == rows[int(run)][place]
    assert view.label == "Makespan at least (s)"
    assert "Machines of type A: 3" in view.words(int(view.runs[-1, -1, -1]))


def test_what_is_not_there_is_blank_and_said(two_by_two):
    question = asked(two_by_two, "machines.A=0,1", "machines.B=0,1")
    rows = rows_of(question, without=[3])
    fastest = figures_of(question)[0]
    view = view_of(question, rows, fastest)
    assert np.isnan(view.values).sum() == 2
    assert figure_said(question, rows, 0, fastest) == "impossible"
    assert figure_said(question, rows, 3, fastest) == "not computed yet"
    assert figure_said(question, rows, 1, figures_of(question)[4]) == "none"


def test_units_suit_the_largest_value(two_by_two):
    question = asked(two_by_two, "tasks.1=1000,2000000")
    view = view_of(question, rows_of(question), figures_of(question)[0])
    assert view.unit.symbol == "d"
    assert view.values.max() < 100


def test_one_axis_is_one_line_and_no_axis_one_point(two_by_two):
    for axes, points in ((("idle=0:1:0.5",), 3), (("idle=0.5",), 1)):
        question = asked(two_by_two, *axes)
        view = view_of(question, rows_of(question), figures_of(question)[2])
        figure = sweep_lines(view, 0, 0)
        assert len(figure.data[0].x) == points
        assert not figure.layout.showlegend


def test_maps_have_the_same_colours_and_clicks_say_runs(question, rows):
    view = view_of(question, rows, figures_of(question)[0])
    figures = [sweep_map(view, panel, None) for panel in range(4)]
    ends = {(figure.data[0].zmin, figure.data[0].zmax) for figure in figures}
    assert ends == {(view.values.min(), view.values.max())}
    clicks = figures[2].data[1].customdata
    assert [click[0] for click in clicks] == view.runs[2].ravel().tolist()
    assert figures[0].data[0].x.tolist() == [0, 50]


def test_a_map_of_few_values_has_no_ticks_between_them(question, rows, two_by_two):
    """There are no half machines; where values are many or uneven, ticks are Plotly's own."""
    few = sweep_map(view_of(question, rows, figures_of(question)[0]), 0, None).layout
    assert (list(few.xaxis.tickvals), list(few.yaxis.tickvals)) == ([0, 50], [1, 2, 3])
    other = asked(two_by_two, "machines.A=1:7", "tasks.1=1,2,9")
    layout = sweep_map(view_of(other, {}, figures_of(other)[0]), 0, None).layout
    assert (layout.xaxis.tickvals, layout.yaxis.tickvals) == (None, None)


def test_the_picked_run_has_a_ring_in_its_panel_alone(question, rows):
    view = view_of(question, rows, figures_of(question)[0])
    run = int(view.runs[2, 1, 0])
    maps = [sweep_map(view, panel, run) for panel in range(4)]
    assert [len(figure.data) for figure in maps] == [2, 2, 3, 2]
    assert (maps[2].data[2].x[0], maps[2].data[2].y[0]) == (0, 2)
    lines = [sweep_lines(view, panel, run) for panel in range(4)]
    assert [len(figure.data) for figure in lines] == [3, 3, 4, 3]


@pytest.mark.parametrize(("panels", "shown"), [(MOST_PANELS, 9), (MOST_PANELS + 1, 9)])
def test_of_many_panels_both_ends_are_shown(two_by_two, panels, shown):
    question = asked(two_by_two, "idle=0,1", "machines.A=1,2", f"tasks.1=1:{panels}")
    view = view_of(question, {}, figures_of(question)[0])
    assert len(view.panels) == shown
    assert view.panels[0] == 1
    assert view.panels[-1] == panels
    for p, value in enumerate(view.panels):
        assert question.values(int(view.runs[p, 0, 0]))["tasks.1"] == value


def test_large_maps_have_no_marks_and_many_lines_are_thinned(two_by_two):
    question = asked(two_by_two, "machines.A=1:50", "tasks.1=1:50")
    view = view_of(question, {}, figures_of(question)[0])
    assert view.runs.size == MOST_CLICKED
    assert len(sweep_map(view, 0, None).data) == 2
    larger = asked(two_by_two, "machines.A=1:51", "tasks.1=1:50")
    view = view_of(larger, {}, figures_of(larger)[0])
    assert len(sweep_map(view, 0, None).data) == 1
    figure = sweep_lines(view, 0, None)
    assert len(figure.data) == MOST_LINES
    assert [figure.data[0].name, figure.data[-1].name] == ["Tasks of type 1: 1", "50"]


def test_a_flat_figure_has_room_around_its_line(two_by_two):
    question = asked(two_by_two, "idle=0:1:0.5")
    view = view_of(question, rows_of(question), figures_of(question)[0])
    low, high = sweep_lines(view, 0, None).layout.yaxis.range
    assert low < view.values[0, 0, 0] < high
    assert math.isfinite(low)
