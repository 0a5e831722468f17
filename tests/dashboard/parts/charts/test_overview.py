"""The overview draws exactly the shares of machines, few shapes, and names as plain text."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest
from examples import examples
from hypothesis import given
from strategies import schedules, systems
from studied import on_the_wasteful

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.colours import leading_task_types
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.charts.gantt import overview
from dashboard.parts.charts.timeline import occupancy

HEIGHT = 0.88


def drawn(schedule: Schedule, **how: object) -> go.Figure:
    tasks = leading_task_types(schedule.system)
    return overview(schedule, occupancy(schedule, tasks, **how), tasks)


def area(trace: go.Scatter) -> float:
    """Of all outlines of a trace."""
    x, y = np.asarray(trace.x, float), np.asarray(trace.y, float)
    cross = x[:-1] * y[1:] - x[1:] * y[:-1]
    pieces = np.split(cross, np.flatnonzero(np.isnan(x)))
    return sum(abs(np.nansum(piece)) / 2 for piece in pieces)


@examples(10)
@given(schedules(systems(dyadic=True)))
def test_the_area_of_a_colour_is_the_work_in_it(schedule: Schedule) -> None:
    tasks = leading_task_types(schedule.system)
    shown = occupancy(schedule, tasks)
    figure = overview(schedule, shown, tasks)
    unit = shown.edges[-1] / (figure.layout.xaxis.range[1] / 1.01)
    shares = (shown.share * np.diff(shown.edges)).sum(axis=(0, 2)) / unit * HEIGHT
    areas = [area(trace) for trace in figure.data if trace.type == "scatter"]
    assert areas == pytest.approx([share for share in shares if share > 0])


def test_a_row_says_what_it_is_and_leads_to_its_machine_type() -> None:
    figure = drawn(solve(load_sample("nine"), method="paper").schedule)
    hovers = figure.data[-1]
    assert figure.layout.yaxis.ticktext[2] == "M3 ×4"
    assert {said[1] for said in hovers.customdata} == set(range(9))
    assert hovers.customdata[0][0].startswith("<b>M1</b>, 4 machines<br>0 s to ")
    assert "100 % T3" in hovers.customdata[0][0]


def test_spans_of_time_are_rounded_up() -> None:
    hovers = drawn(on_the_wasteful()).data[-1]
    ends = [said[0].split("<br>")[1].split(" to ")[1] for said in hovers.customdata]
    assert ends[-1] == "100.1 s"


def test_many_types_stay_a_few_thousand_shapes(many_types: Schedule) -> None:
    figure = drawn(many_types)
    assert len(figure.data[-1].x) <= 1_200
    assert len(figure.data) <= 26
    assert len(json.dumps(figure.to_plotly_json(), default=str)) < 2_000_000
    assert figure.layout.yaxis.title.text == "Machine type (the 48 of 60 that finish last)"


def test_names_that_are_markup_are_shown_as_text() -> None:
    system = System(
        (TaskType("<b>T</b>"), TaskType("%{x}")),
        (MachineType("<i>M</i>", 2),),
        np.array([[1.0], [2.0]]),
    )
    figure = drawn(solve(system, method="paper").schedule)
    assert {trace.name for trace in figure.data[:-1]} == {"&lt;b&gt;T&lt;/b&gt;", "%{x}"}
    assert figure.layout.yaxis.ticktext[0] == "&lt;i&gt;M&lt;/i&gt; ×2"
    assert all(
        "<b>T" not in said[0] and "<i>" not in said[0] for said in figure.data[-1].customdata
    )
    assert figure.data[-1].hovertemplate == "%{customdata[0]}<extra></extra>"


def test_a_filter_that_leaves_nothing_still_has_rows() -> None:
    system = System(
        (TaskType("T", 2), TaskType("none", 0)), (MachineType("M", 2),), np.ones((2, 1))
    )
    figure = drawn(solve(system, method="paper").schedule, only=[1])
    assert len(figure.data) == 1
    assert "idle" in figure.data[0].customdata[0][0]
