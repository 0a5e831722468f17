"""Power over time is exact: its integral is the energy, and nothing is lost when it is thinned."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import schedules, systems
from studied import on_the_wasteful, uneven

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.colours import leaders
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import NoPowerData, System
from dashboard.parts.charts.palette import paint_machine
from dashboard.screens.schedule.power_chart import PowerCurve, power_chart, power_curve


@given(schedules(systems(dyadic=True, with_apc=True)))
def test_the_integral_of_the_power_is_the_energy(schedule):
    curve = power_curve(schedule)
    assert curve.energy == schedule.energy
    by_band = curve.watts @ np.diff(curve.times)
    joules = schedule.busy_energy + schedule.idle_energy
    expected = np.bincount(curve.bands.rank, weights=joules, minlength=len(by_band))
    assert by_band == pytest.approx(expected)


def long_then_short():
    """A machine works for 7e19 s, and then on tasks that are shorter than the rounding of that."""
    system = System(
        tuple(TaskType(name, count) for name, count in zip("abcd", (8, 1, 1, 348365), strict=True)),
        (MachineType("M", 57, 0.0),),
        np.array([[512.0], [1.0], [4097.0], [232375041007000.0]]),
        np.zeros((4, 1)),
    )
    tasks = np.array([[8, 1, 1, 317165], [0, 0, 0, 0], [0, 0, 0, 600], [0, 0, 0, 0]])
    return Schedule(system, np.zeros(4, np.int64), np.array([1, 2, 52, 2]), tasks)


def short_after_long():
    """A task of 1 s begins within a millionth of a millionth of the makespan."""
    types = tuple(TaskType(name, 1) for name in "ab")
    etc = np.array([[1.0], [9.99961086e11]])
    system = System(types, (MachineType("M", 1, 0.0),), etc, np.ones((2, 1)))
    return Schedule(system, np.zeros(1, np.int64), np.ones(1, np.int64), np.ones((1, 2), np.int64))


@given(schedules(systems(with_apc=True)))
@example(long_then_short())
@example(short_after_long())
def test_extreme_times_and_powers_do_not_upset_it(schedule):
    curve, system = power_curve(schedule), schedule.system
    assert system.apc is not None
    most_watts = np.maximum(np.nan_to_num(system.apc).max(axis=0), system.idle_power)
    most = float(most_watts @ system.machine_counts)
    assert curve.times[0] == 0
    assert curve.times[-1] == schedule.makespan
    assert (curve.watts >= 0).all()
    assert curve.peak <= most * (1 + 1e-9)
    assert abs(curve.energy - schedule.energy) <= 1e-9 * most * schedule.makespan


@given(schedules(systems(dyadic=True, with_apc=True)), st.integers(1, 5))
def test_thinning_keeps_the_energy_and_never_adds_a_peak(schedule, most):
    curve = power_curve(schedule)
    thin = curve.thinned(most)
    assert len(thin.total) <= most
    assert thin.energy == pytest.approx(curve.energy)
    assert thin.average == pytest.approx(curve.average)
    assert thin.peak <= curve.peak * (1 + 1e-9) or thin is curve


def test_a_schedule_by_hand():
    system = System(
        (TaskType("long", 1), TaskType("short", 1)),
        (MachineType("A", 1, 10.0), MachineType("B", 2, 1.0)),
        np.array([[4.0, 9.0], [9.0, 1.0]]),
        np.array([[100.0, 5.0], [5.0, 30.0]]),
    )
    schedule = Schedule(
        system, np.array([0, 1, 1]), np.array([1, 1, 1]), np.array([[1, 0], [0, 1], [0, 0]])
    )
    curve = power_curve(schedule)
    assert curve.times.tolist() == [0, 1, 4]
    assert curve.total.tolist() == [131, 102]
    assert (curve.peak, curve.average) == (131, (131 + 3 * 102) / 4)
    assert curve.bands.own == (0, 1)


def test_of_many_machine_types_the_tail_is_one_band():
    types = 30
    system = System(
        (TaskType("T", 60),),
        tuple(MachineType(f"M{j}", 1, 2.0) for j in range(types)),
        np.full((1, types), 3.0),
        np.arange(1.0, types + 1)[None],
    )
    curve = power_curve(solve(system, method="paper").schedule)
    assert (len(curve.watts), curve.bands.others) == (9, 22)
    assert curve.bands.own[0] == types - 1


def test_without_powers_there_is_no_curve():
    with pytest.raises(NoPowerData):
        power_curve(solve(load_sample("e1"), method="paper").schedule)


def test_the_area_is_the_energy_and_the_lines_are_average_and_peak():
    system = load_sample("nine").with_idle_fraction(0.2)
    schedule = solve(system, method="paper").schedule
    curve = power_curve(schedule)
    figure = power_chart(system, curve)
    seconds = np.diff(np.asarray(figure.data[0].x) * 60)
    joules = sum(1e3 * np.asarray(trace.y)[:-1] @ seconds for trace in figure.data)
    assert joules == pytest.approx(schedule.energy)
    assert all(trace.line.shape == "hv" and trace.stackgroup for trace in figure.data)
    lines = [line.y0 for line in figure.layout.shapes]
    assert lines == pytest.approx([curve.peak / 1e3, curve.average / 1e3])
    assert [note.text.split()[0] for note in figure.layout.annotations] == ["peak", "average"]
    assert "(kW)" in figure.layout.yaxis.title.text
    assert "(min)" in figure.layout.xaxis.title.text


def test_a_machine_type_has_the_same_colour_under_every_schedule():
    system = load_sample("nine")
    fills = {name: paint_machine(place).fill for place, name in enumerate(system.machine_names)}
    for minimise in ("makespan", "energy"):
        schedule = solve(system, minimise=minimise, method="paper").schedule
        bands = power_chart(system, power_curve(schedule)).data
        assert {band.name: band.fillcolor for band in bands} == fills


def test_average_and_peak_are_rounded_up():
    """A machine draws 14,400.3 W."""
    figure = power_chart(uneven(), power_curve(on_the_wasteful()))
    said = [note.text for note in figure.layout.annotations]
    assert said == ["peak 14.41 kW", "average 14.41 kW"]


def test_of_many_machine_types_the_rest_is_one_band(many_types):
    figure = power_chart(many_types.system, power_curve(many_types))
    assert len(figure.data) == 9
    assert figure.data[-1].name == "52 others"


def test_a_long_curve_is_drawn_by_its_means_and_says_so():
    steps = 5_000
    watts = np.random.default_rng(0).uniform(50.0, 100.0, (1, steps))
    curve = PowerCurve("machine type", leaders(np.ones(1), 8), np.arange(steps + 1.0), watts)
    system = System((TaskType("T"),), (MachineType("M"),), np.ones((1, 1)), np.ones((1, 1)))
    figure = power_chart(system, curve)
    assert len(figure.data[0].x) == 601
    assert "mean of each 1/600" in figure.layout.xaxis.title.text
    assert figure.layout.shapes[0].y0 == curve.peak


def test_names_are_text_and_nothing_drawn_is_no_failure():
    system = System(
        (TaskType("T"),), (MachineType("<b>%{x}</b>"),), np.array([[3.0]]), np.array([[0.0]])
    )
    figure = power_chart(system, power_curve(solve(system, method="paper").schedule))
    assert figure.data[0].name == "&lt;b&gt;%{x}&lt;/b&gt;"
    assert "{x}" not in figure.data[0].hovertemplate
    assert figure.layout.yaxis.range == (0, 1)
