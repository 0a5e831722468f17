"""The chart shows exactly the polygons of the study, and each point knows its schedule."""

from dataclasses import replace

import numpy as np
import pytest
from studied import settled_above

from core.engines.front.axis import axis_for
from core.engines.front.methods import Lp
from core.engines.front.study import study
from core.engines.recover.assignment import assign
from core.engines.rivals import RIVALS
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.without_work import WithoutWork
from dashboard.parts.fields.idle_power import Before, Corners, IdlePowerCurve
from dashboard.screens.trade_offs.contenders import Contender
from dashboard.screens.trade_offs.front_chart import Picture, frame_of, front_figure
from dashboard.screens.trade_offs.idle_powers_chart import idle_figure
from dashboard.screens.trade_offs.picking import Line
from dashboard.workspace.trade_off_settings import LAYERS
from dashboard.workspace.workspace import Sample, Version


def trace(figure, name):
    return next(one for one in figure.data if one.name == name)


def drawn(figure, name, axis):
    """Where a trace is, in joules and seconds."""
    one = trace(figure, name)
    joules = [axis.joules(x) for x in one.x]
    return np.column_stack([joules, np.array(one.y) * 3600])


def test_the_forbidden_region_is_bounded_by_what_is_proven(testbed_study, kwh):
    polygon = drawn(front_figure(Picture(testbed_study, kwh)), "Impossible", kwh)
    outer = testbed_study.outer
    assert polygon[1 : len(outer) + 1] == pytest.approx(outer)
    beyond = polygon[len(outer) + 1 :]
    assert beyond[:2, 0] == pytest.approx(beyond[0, 0])
    assert beyond[0, 0] > testbed_study.nadir[0]
    assert beyond[2] == pytest.approx([beyond[2, 0], beyond[1, 1]])


def test_the_achieved_region_is_bounded_by_the_staircase(testbed_study, kwh):
    figure = front_figure(Picture(testbed_study, kwh))
    inner = testbed_study.inner
    assert drawn(figure, "Achieved", kwh)[1 : len(inner) + 1] == pytest.approx(inner)
    between = drawn(figure, "Possible", kwh)
    assert between[1 : len(testbed_study.outer) + 1] == pytest.approx(testbed_study.outer)
    assert between[::-1][1 : len(inner) + 1] == pytest.approx(inner)


def test_the_bound_alone_leaves_everything_else_possible(kwh):
    bound = study(load_sample("testbed"), method="bound")
    names = {one.name for one in front_figure(Picture(bound, kwh)).data}
    assert {"Impossible", "Possible", "Lower bound"} <= names
    assert "Achieved" not in names
    assert "Schedules" not in names


def test_what_is_underway_is_drawn_where_it_is_and_is_no_schedule(testbed_study, kwh):
    points = testbed_study.front.points[:2] * 1.5
    figure = front_figure(Picture(testbed_study, kwh, underway=points))
    assert drawn(figure, "Polish underway", kwh) == pytest.approx(points)
    assert trace(figure, "Polish underway").customdata is None
    assert figure.layout.xaxis.range[1] > trace(figure, "Polish underway").x.max()


def test_every_point_knows_its_schedule(testbed_study, kwh):
    figure = front_figure(Picture(testbed_study, kwh, layers=("dominated",)))
    seen = set()
    for name in ("Schedules", "Dominated"):
        points = drawn(figure, name, kwh)
        for at, (identity, hover) in zip(points, trace(figure, name).customdata, strict=True):
            index = int(identity.removeprefix("study "))
            seen.add(index)
            assert at == pytest.approx(testbed_study.points[index])
            assert "one second less costs" in hover or "no schedule can be faster" in hover
            assert "gap at most" in hover
    assert seen == set(range(len(testbed_study.schedules)))


@pytest.mark.parametrize(
    ("layer", "name"),
    [("vertices", "Vertices"), ("dominated", "Dominated"), ("progression", "Rounded")],
)
def test_layers_are_drawn_on_demand(testbed_study, kwh, layer, name):
    without = {one.name for one in front_figure(Picture(testbed_study, kwh)).data}
    with_it = {one.name for one in front_figure(Picture(testbed_study, kwh, layers=(layer,))).data}
    assert name not in without
    assert name in with_it


def test_utopia_and_nadir_are_where_the_core_has_them(testbed_study, kwh):
    figure = front_figure(Picture(testbed_study, kwh, layers=("corners",)))
    corners = {one.text[0]: one for one in figure.data if one.text}
    for name, point in (("Utopia", testbed_study.front.utopia), ("Nadir", testbed_study.nadir)):
        assert corners[name].x[0] == pytest.approx(kwh.of(point[0]))
        assert corners[name].y[0] == pytest.approx(point[1] / 3600)


def idle(fraction):
    return study(
        load_sample("testbed").with_idle_fraction(fraction), method=Lp(0.05), effort=Effort(0)
    )


def ranges(picture):
    layout = front_figure(picture).layout
    return np.array([layout.xaxis.range, layout.yaxis.range])


def test_while_the_idle_power_is_dragged_axes_hold_and_the_front_before_stays(kwh):
    version = Version(load_sample("testbed"), Sample("testbed"))
    one, other = idle(0.0), idle(0.05)
    before = Before(one, version, WithoutWork(0.0))
    frame = frame_of(Picture(one, kwh))
    held = Corners(frame.low, frame.high)
    figure = front_figure(Picture(other, kwh, before=before, held=held))
    assert drawn(figure, "Before: idle power 0 %", kwh) == pytest.approx(one.front.points)
    at_first = ranges(Picture(one, kwh))
    for fraction in (0.01, 0.02):
        assert ranges(Picture(idle(fraction), kwh, before=before, held=held)) == pytest.approx(
            at_first
        )


def test_what_a_jump_of_scale_hides_is_told_at_the_edge(kwh):
    version = Version(load_sample("testbed"), Sample("testbed"))
    far = front_figure(Picture(idle(1.0), kwh, before=Before(idle(0.0), version, WithoutWork())))
    (note,) = (one.text for one in far.layout.annotations if "before: " in one.text)
    assert note[0] in "←→↑↓"
    assert "before: idle power as given" in note
    near = front_figure(Picture(idle(0.01), kwh, before=Before(idle(0.0), version, WithoutWork())))
    assert not any("before: " in one.text for one in near.layout.annotations)


def test_the_line_of_a_wish_is_drawn_across_the_chart(testbed_study, kwh):
    line = Line("Done within 5 h", 0.0, 1.0, 5 * 3600.0)
    figure = front_figure(Picture(testbed_study, kwh, wish=line))
    assert trace(figure, "Done within 5 h").y == pytest.approx([5.0, 5.0])
    assert trace(figure, "Done within 5 h").x == pytest.approx(figure.layout.xaxis.range)


def test_what_idle_power_does_is_a_curve_with_the_power_at_hand_marked():
    curve = IdlePowerCurve(
        "Least energy", "kWh", np.array([0.0, 0.5, 1.0]), np.array([3.0, 4.0, 4.5])
    )
    figure = idle_figure(curve, 0.25)
    assert figure.data[0].x == pytest.approx([0, 50, 100])
    assert figure.data[1].y == pytest.approx([3.5])
    assert figure.data[1].text[0] == "3.5 kWh"
    assert figure.layout.yaxis.range[1] > 4.5


def test_rivals_are_points_with_their_times(testbed_study, kwh):
    schedule = RIVALS["min-min"].solve(testbed_study.system)
    rival = Contender("min-min", (schedule,), 0.25)
    silent = Contender("cp-sat", (), 5.0, "no schedule within 5 s")
    figure = front_figure(Picture(testbed_study, kwh, rivals=[rival, silent]))
    assert drawn(figure, "Min-min, in 250 ms", kwh)[0] == pytest.approx(
        (schedule.energy, schedule.makespan)
    )
    high = kwh.joules(figure.layout.xaxis.range[1])
    assert high > schedule.energy, "it is in view"
    assert not any("CP-SAT" in (one.name or "") for one in figure.data)


def test_the_chosen_schedule_is_marked(testbed_study, kwh):
    joules, seconds = testbed_study.achieved[3]
    figure = front_figure(Picture(testbed_study, kwh, chosen=(joules, seconds)))
    assert figure.data[-1].x[0] == pytest.approx(kwh.of(joules))
    assert figure.data[-1].y[0] == pytest.approx(seconds / 3600)


def test_axes_have_titles_with_units(testbed_study, kwh):
    layout = front_figure(Picture(testbed_study, kwh)).layout
    assert layout.xaxis.title.text == f"Energy ({kwh.unit})"
    assert layout.yaxis.title.text == "Makespan (h): when the last task ends"
    money = axis_for("money", Tariff(1.0), "EUR", 1.0)
    assert front_figure(Picture(testbed_study, money)).layout.xaxis.title.text == "Cost (EUR)"


def test_a_front_that_is_a_point_can_be_seen():
    point = study(load_sample("two-by-two").with_idle_fraction(1.0), effort=Effort(0))
    axis = axis_for("kWh", Tariff(1.0), "EUR", float(point.nadir[0]))
    layout = front_figure(Picture(point, axis, layers=tuple(LAYERS))).layout
    for span in (layout.xaxis.range, layout.yaxis.range):
        assert span[1] > span[0]


def test_a_bound_that_only_parts_of_tasks_can_keep_is_drawn():
    bound = study(settled_above(), method="bound")
    assert not len(bound.outer)
    axis = axis_for("kWh", Tariff(1.0), "EUR", float(bound.nadir[0]))
    forbidden = trace(front_figure(Picture(bound, axis)), "Impossible")
    frame = frame_of(Picture(bound, axis))
    assert min(forbidden.x) < axis.of(frame.low[0]) < axis.of(frame.high[0]) < max(forbidden.x)


def test_nothing_but_what_is_hovered_is_sent(testbed_study, kwh):
    assert len(front_figure(Picture(testbed_study, kwh)).to_json()) < 60_000


def test_where_the_log_stands_is_a_point_with_an_arrow_to_the_chosen_schedule(testbed_study, kwh):
    front = testbed_study.achieved
    here = testbed_study.schedules[int(np.flatnonzero(testbed_study.on_front)[0])]
    chosen = (float(front[-1, 0]), float(front[-1, 1]))
    figure = front_figure(Picture(testbed_study, kwh, here=here, chosen=chosen))
    assert drawn(figure, "You are here", kwh)[0] == pytest.approx(front[0])
    assert trace(figure, "You are here").customdata[0][0] == "here 0"
    (arrow,) = (one for one in figure.layout.annotations if one.axref == "x")
    tip = [kwh.joules(arrow.x), arrow.y * 3600]
    tail = [kwh.joules(arrow.ax), arrow.ay * 3600]
    assert tip == pytest.approx(chosen)
    assert tail == pytest.approx(front[0])


def test_far_from_the_schedules_only_an_arrow_says_where_the_log_stands(testbed_study, kwh):
    system = testbed_study.system
    crowded = np.zeros(system.etc.shape, np.int64)
    crowded[:, np.argmax(system.etc[0] / system.machine_counts)] = system.task_counts
    there = assign(system, crowded)
    figure = front_figure(Picture(testbed_study, kwh, here=there))
    assert any("you are here (" in note.text for note in figure.layout.annotations)
    usual = frame_of(Picture(testbed_study, kwh))
    assert frame_of(Picture(testbed_study, kwh, here=there)).high == pytest.approx(usual.high)


def test_an_axis_far_from_zero_that_shows_little_says_so(testbed_study, kwh):
    def spans(found):
        layout = front_figure(Picture(found, kwh)).layout
        titles = (layout.xaxis.title.text, layout.yaxis.title.text)
        return [title.partition(" – ")[2] for title in titles]

    assert spans(testbed_study) == ["", ""]
    front = testbed_study.achieved
    one = replace(testbed_study, front=replace(testbed_study.front, points=front[:1] * 0.999))
    one = replace(one, points=one.points[:1] * 0 + front[:1], on_front=np.ones(1, bool))
    assert spans(one) == ["spans only 2.2 %"] * 2
    # Such a spot shows nothing more without the log, however far that is.
    here = testbed_study.schedules[0]
    there = np.array([here.energy, here.makespan])
    seen = frame_of(Picture(one, kwh, here=here))
    assert ((seen.low < there) & (there < seen.high)).all()


def test_the_label_of_what_is_achieved_leaves_the_chosen_schedule_in_sight(testbed_study, kwh):
    corner = tuple(1.5 * testbed_study.nadir)
    for chosen, high in ((None, 0.98), (corner, 0.86)):
        notes = front_figure(Picture(testbed_study, kwh, chosen=chosen)).layout.annotations
        (label,) = (one for one in notes if one.text.startswith("Achieved"))
        assert label.y == high


def test_the_label_of_what_is_possible_lies_between_bound_and_schedules(testbed_study, kwh):
    notes = front_figure(Picture(testbed_study, kwh)).layout.annotations
    (label,) = (one for one in notes if one.text == "Possible")
    joules, seconds = kwh.joules(label.x), label.y * 3600
    assert joules > testbed_study.front.least_energy(seconds)
    there = testbed_study.achieved
    assert not ((there[:, 0] <= joules) & (there[:, 1] <= seconds)).any()
