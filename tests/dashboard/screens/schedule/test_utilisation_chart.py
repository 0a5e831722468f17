"""The heat map of utilisation shows per cent of machine time, a row a machine or a machine type."""

import numpy as np
import pytest
from studied import on_the_wasteful

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System
from dashboard.parts.charts.timeline import timeline, utilisation
from dashboard.screens.schedule.utilisation_chart import utilisation_map


def test_the_mean_of_the_map_is_the_busy_share():
    schedule = solve(load_sample("nine"), method="paper").schedule
    figure = utilisation_map(schedule, utilisation(schedule))
    capacity = schedule.makespan * schedule.system.machines
    assert np.mean(figure.data[0].z) == pytest.approx(100 * schedule.busy_seconds.sum() / capacity)
    assert (figure.data[0].zmin, figure.data[0].zmax) == (0, 100)
    assert figure.layout.yaxis.ticktext[0] == "M1 ×4"
    assert "<b>M1, 4 machines</b>" in figure.data[0].customdata[0][0]


def test_rows_of_a_timeline_are_named_by_their_machines():
    schedule = solve(load_sample("nine"), method="paper").schedule
    shown = timeline(schedule, by_finish=True)
    figure = utilisation_map(schedule, utilisation(schedule, shown))
    first = shown.rows[0]
    assert figure.data[0].z.shape[0] == 36
    assert figure.layout.yaxis.ticktext[0].endswith(first.numbers)
    assert np.asarray(figure.data[0].z)[0] == pytest.approx(100.0)


def test_names_that_are_markup_are_shown_as_text():
    system = System((TaskType("T"),), (MachineType("<b>%{z}</b>"),), np.array([[3.0]]))
    schedule = solve(system, method="paper").schedule
    figure = utilisation_map(schedule, utilisation(schedule))
    assert figure.layout.yaxis.ticktext == ("&lt;b&gt;%{z}&lt;/b&gt; ×1",)
    assert figure.data[0].hovertemplate == "%{customdata}<extra></extra>"
    assert "<b>&lt;b&gt;%{z}" in figure.data[0].customdata[0][0]


def test_spans_of_time_are_rounded_up():
    schedule = on_the_wasteful()
    figure = utilisation_map(schedule, utilisation(schedule))
    assert " to 100.1 s<br>" in figure.data[0].customdata[-1][-1]
