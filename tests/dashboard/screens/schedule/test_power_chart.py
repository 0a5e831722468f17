"""The power chart stacks what machine types draw, and says average and peak with their unit."""

import numpy as np
import pytest
from studied import on_the_wasteful, uneven

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.colours import leaders
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.screens.schedule.power import PowerCurve, power_curve
from dashboard.screens.schedule.power_chart import power_chart


def test_the_area_is_the_energy_and_the_lines_are_average_and_peak() -> None:
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


def test_average_and_peak_are_rounded_up() -> None:
    """A machine draws 14,400.3 W."""
    figure = power_chart(uneven(), power_curve(on_the_wasteful()))
    said = [note.text for note in figure.layout.annotations]
    assert said == ["peak 14.41 kW", "average 14.41 kW"]


def test_of_many_machine_types_the_rest_is_one_band(many_types: Schedule) -> None:
    figure = power_chart(many_types.system, power_curve(many_types))
    assert len(figure.data) == 9
    assert figure.data[-1].name == "52 others"


def test_a_long_curve_is_drawn_by_its_means_and_says_so() -> None:
    steps = 5_000
    watts = np.random.default_rng(0).uniform(50.0, 100.0, (1, steps))
    curve = PowerCurve("machine type", leaders(np.ones(1), 8), np.arange(steps + 1.0), watts)
    system = System((TaskType("T"),), (MachineType("M"),), np.ones((1, 1)), np.ones((1, 1)))
    figure = power_chart(system, curve)
    assert len(figure.data[0].x) == 601
    assert "mean of each 1/600" in figure.layout.xaxis.title.text
    assert figure.layout.shapes[0].y0 == curve.peak


def test_names_are_text_and_nothing_drawn_is_no_failure() -> None:
    system = System(
        (TaskType("T"),), (MachineType("<b>%{x}</b>"),), np.array([[3.0]]), np.array([[0.0]])
    )
    figure = power_chart(system, power_curve(solve(system, method="paper").schedule))
    assert figure.data[0].name == "&lt;b&gt;%{x}&lt;/b&gt;"
    assert "{x}" not in figure.data[0].hovertemplate
    assert figure.layout.yaxis.range == (0, 1)
