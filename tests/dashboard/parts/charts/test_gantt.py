"""The Gantt chart draws the timeline it is given, in one unit, with names as plain text."""

import json

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from strategies import schedules, systems
from studied import on_the_wasteful

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.colours import leading_task_types
from core.vocabulary.system import System
from dashboard.parts.charts.gantt import _span_in_words, gantt, overview
from dashboard.parts.charts.timeline import occupancy, timeline


@pytest.fixture(scope="module")
def nine():
    return solve(load_sample("nine"), method="paper").schedule


def drawn(schedule):
    return gantt(schedule, timeline(schedule), bound=1.0)


def seen(figure):
    """The bars that are drawn."""
    return [trace for trace in figure.data if trace.hoverinfo == "skip"]


def felt(figure):
    """What is under the pointer."""
    (pieces,) = (trace for trace in figure.data if trace.hoverinfo != "skip")
    return pieces


def test_bars_are_the_blocks_of_the_schedule_in_minutes(nine):
    figure = drawn(nine)
    drawn_seconds = 60 * sum(np.sum(trace.x) for trace in seen(figure))
    assert drawn_seconds == pytest.approx(nine.busy_seconds.sum())
    assert "(min)" in figure.layout.xaxis.title.text
    assert len(figure.layout.yaxis.ticktext) == 36


def test_a_task_type_has_one_colour_whatever_the_schedule():
    system = load_sample("nine")
    colours = [
        {trace.name: trace.marker.color for trace in seen(drawn(schedule))}
        for schedule in (
            solve(system, method="paper").schedule,
            solve(system, method="olb").schedule,
        )
    ]
    shared = colours[0].keys() & colours[1].keys()
    assert len(shared) > 20
    assert colours[0]["all others"] == colours[1]["all others"]
    assert all(colours[0][name] == colours[1][name] for name in shared)


def test_names_that_are_markup_are_shown_as_text():
    system = System(
        (TaskType("<b>T</b>"), TaskType("%{x} &amp;")),
        (MachineType("<a href='x'>"), MachineType("$M$")),
        np.array([[1.0, 9.0], [9.0, 1.0]]),
    )
    figure = drawn(solve(system, method="paper").schedule)
    names = {trace.name for trace in seen(figure)}
    assert names == {"&lt;b&gt;T&lt;/b&gt;", "%{x} &amp;amp;"}
    assert figure.layout.yaxis.ticktext[0].startswith("&lt;a href")
    # What is written in a template would be filled in: names may only come as data.
    assert "{x}" not in felt(figure).hovertemplate


def test_a_machine_type_without_machines_has_an_empty_chart():
    system = System(
        (TaskType("T", 2),), (MachineType("M"), MachineType("none", 0)), np.ones((1, 2))
    )
    schedule = solve(system, method="paper").schedule
    figure = gantt(schedule, timeline(schedule, machine_type=1), bound=1.0)
    assert figure.data == ()
    assert figure.layout.yaxis.tickvals == ()


def test_names_that_begin_alike_keep_rows_of_their_own():
    alike = "a very long name of a machine type, number "
    system = System(
        (TaskType("T", 2),), (MachineType(alike + "1"), MachineType(alike + "2")), np.ones((1, 2))
    )
    figure = drawn(solve(system, method="paper").schedule)
    assert figure.layout.yaxis.tickvals == (0, 1)
    assert sorted(np.concatenate([trace.y for trace in seen(figure)])) == [0, 1]


def test_a_block_leads_to_its_machine(nine):
    shown = timeline(nine, by_finish=True)
    pieces = felt(gantt(nine, shown, bound=1.0))
    for row, said in zip(pieces.y, pieces.customdata, strict=True):
        assert (said[3], said[4]) == (shown.rows[row].machine_type, shown.rows[row].first)


def test_when_a_block_begins_and_ends_is_rounded_up():
    """After 50.024 s the second task begins, and ends after 100.044 s."""
    etc = np.array([[50.024], [50.02]])
    system = System((TaskType("T"), TaskType("U")), (MachineType("M"),), etc)
    schedule = solve(system, method="paper").schedule
    pieces = felt(gantt(schedule, timeline(schedule), bound=1.0))
    assert {said[2] for said in pieces.customdata} == {"0 s to 50.03 s", "50.03 s to 100.1 s"}


def test_what_a_block_says_stands_by_the_pointer_wherever_that_is(nine):
    """A browser puts it at the end of a piece; the pieces of a block cover it and say one thing."""
    shown = timeline(nine)
    figure = gantt(nine, shown, bound=1.0)
    pieces, minutes = felt(figure), nine.makespan / 60
    assert max(pieces.x) <= minutes / 16
    for bar in range(len(shown.bars)):
        start, end = shown.bars.start[bar] / 60, shown.bars.end[bar] / 60
        middle = np.array(pieces.base) + np.array(pieces.x) / 2
        own = (np.array(pieces.y) == shown.bars.row[bar]) & (start < middle) & (middle < end)
        begins, lasts = np.array(pieces.base)[own], np.array(pieces.x)[own]
        assert begins[0] == pytest.approx(start)
        assert begins[1:] == pytest.approx((begins + lasts)[:-1]), "one after the other"
        assert lasts.sum() == pytest.approx(end - start)
        assert len({pieces.customdata[k][1] for k in np.flatnonzero(own)}) == 1


def test_the_pieces_of_many_rows_are_few():
    system = load_sample("nine").with_counts(np.full(30, 4_000), np.full(9, 400))
    schedule = solve(system, method="paper").schedule
    shown = timeline(schedule)
    pieces = felt(gantt(schedule, shown, bound=1.0))
    assert len(shown.rows) > 40
    assert len(pieces.x) <= 1_000 + len(shown.bars)


def test_task_types_without_a_colour_of_their_own_keep_their_names(nine):
    figure = drawn(nine)
    others = next(trace for trace in seen(figure) if trace.name == "all others")
    assert len({text.partition(" ")[0] for text in others.text}) > 1
    assert not any("several" in text for text in others.text)


def test_the_proven_bound_is_a_line_and_said_to_be_one(nine):
    figure = gantt(nine, timeline(nine), bound=120.0)
    (line,) = figure.layout.shapes
    assert line.x0 == line.x1
    assert line.x0 == pytest.approx(2.0)
    assert "(min); dotted: the lower bound" in figure.layout.xaxis.title.text


HEIGHT = 0.88


def overview_of(schedule, **how):
    tasks = leading_task_types(schedule.system)
    return overview(schedule, occupancy(schedule, tasks, **how), tasks)


def area(trace):
    """Of all outlines of a trace."""
    x, y = np.asarray(trace.x, float), np.asarray(trace.y, float)
    cross = x[:-1] * y[1:] - x[1:] * y[:-1]
    pieces = np.split(cross, np.flatnonzero(np.isnan(x)))
    return sum(abs(np.nansum(piece)) / 2 for piece in pieces)


@examples(4)
@given(schedules(systems(dyadic=True)))
def test_the_area_of_a_colour_is_the_work_in_it(schedule):
    tasks = leading_task_types(schedule.system)
    shown = occupancy(schedule, tasks)
    figure = overview(schedule, shown, tasks)
    unit = shown.edges[-1] / (figure.layout.xaxis.range[1] / 1.01)
    shares = (shown.share * np.diff(shown.edges)).sum(axis=(0, 2)) / unit * HEIGHT
    areas = [area(trace) for trace in figure.data if trace.type == "scatter"]
    assert areas == pytest.approx([share for share in shares if share > 0])


def test_a_row_says_what_it_is_and_leads_to_its_machine_type(nine):
    figure = overview_of(nine)
    hovers = figure.data[-1]
    assert figure.layout.yaxis.ticktext[2] == "M3 ×4"
    assert {said[1] for said in hovers.customdata} == set(range(9))
    assert hovers.customdata[0][0].startswith("<b>M1</b>, 4 machines<br>0 s to ")
    assert "100 % T3" in hovers.customdata[0][0]


def test_spans_of_time_are_rounded_up():
    hovers = overview_of(on_the_wasteful()).data[-1]
    ends = [said[0].split("<br>")[1].split(" to ")[1] for said in hovers.customdata]
    assert ends[-1] == "100.1 s"


def test_many_types_stay_a_few_thousand_shapes(many_types):
    figure = overview_of(many_types)
    assert len(figure.data[-1].x) <= 1_200
    assert len(figure.data) <= 26
    assert len(json.dumps(figure.to_plotly_json(), default=str)) < 2_000_000
    assert figure.layout.yaxis.title.text == "Machine type (the 48 of 60 that finish last)"


def test_names_in_the_overview_are_shown_as_text():
    system = System(
        (TaskType("<b>T</b>"), TaskType("%{x}")),
        (MachineType("<i>M</i>", 2),),
        np.array([[1.0], [2.0]]),
    )
    figure = overview_of(solve(system, method="paper").schedule)
    assert {trace.name for trace in figure.data[:-1]} == {"&lt;b&gt;T&lt;/b&gt;", "%{x}"}
    assert figure.layout.yaxis.ticktext[0] == "&lt;i&gt;M&lt;/i&gt; ×2"
    assert all(
        "<b>T" not in said[0] and "<i>" not in said[0] for said in figure.data[-1].customdata
    )
    assert figure.data[-1].hovertemplate == "%{customdata[0]}<extra></extra>"


def test_a_filter_that_leaves_nothing_still_has_rows():
    system = System(
        (TaskType("T", 2), TaskType("none", 0)), (MachineType("M", 2),), np.ones((2, 1))
    )
    figure = overview_of(solve(system, method="paper").schedule, only=[1])
    assert len(figure.data) == 1
    assert "idle" in figure.data[0].customdata[0][0]


def test_what_machines_do_in_a_span_is_said_of_at_most_five_types():
    names = list("abcdefg")
    said = _span_in_words(np.array([0.1, 0.3, 0.2, 0.05, 0.15, 0.0004, 0.0]), names, "idle")
    assert said == "30 % b<br>20 % c<br>15 % e<br>10 % a<br>5 % d<br>20 % idle"
    said = _span_in_words(np.array([0.1, 0.3, 0.2, 0.05, 0.15, 0.12, 0.08]), names, "asleep")
    assert said == "30 % b<br>20 % c<br>15 % e<br>12 % f<br>10 % a<br>13 % more types"
