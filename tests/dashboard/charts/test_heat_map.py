"""The heat map shows every pair of a system of ordinary size, and marks those that cannot run."""

import numpy as np

from core.samples import load_sample
from core.system import MachineType, System, TaskType
from dashboard.charts.heat_map import MOST_COLUMNS, MOST_ROWS, heat_map


def test_cells_are_logarithms_of_the_times() -> None:
    system = load_sample("nine")
    (cells,) = heat_map(system).data
    np.testing.assert_allclose(10.0 ** np.array(cells.z), system.etc)


def test_impossible_pairs_are_crossed_out_in_their_place() -> None:
    system = load_sample("testbed")
    cells, crosses = heat_map(system).data
    assert np.isnan(np.array(cells.z)[1, 2:]).all()
    assert sorted(zip(crosses.x, crosses.y, strict=True)) == [(2, 1), (3, 1)]
    assert crosses.customdata[0] == "MG.8 cannot run on cluster 3"


def test_equal_times_still_have_a_scale() -> None:
    system = System((TaskType("T"),), (MachineType("M"),), np.array([[7.0]]))
    figure = heat_map(system)
    assert figure.data[0].colorbar.ticktext == ("7",)


def test_of_a_large_system_the_first_part_is_shown_and_said_so() -> None:
    size = (MOST_ROWS + 100, MOST_COLUMNS + 40)
    system = System(
        tuple(TaskType(f"T{i}") for i in range(size[0])),
        tuple(MachineType(f"M{j}") for j in range(size[1])),
        np.ones(size),
    )
    figure = heat_map(system)
    assert np.array(figure.data[0].z).shape == (MOST_ROWS, MOST_COLUMNS)
    assert figure.layout.yaxis.title.text == "Task type (first 200 of 300)"
    assert figure.layout.xaxis.title.text == "Machine type (first 60 of 100)"
    assert len(figure.layout.yaxis.ticktext) <= 36


def test_a_part_in_which_no_pair_can_run_is_all_crosses() -> None:
    etc = np.full((1, MOST_COLUMNS + 1), np.inf)
    etc[0, -1] = 1.0
    machines = tuple(MachineType(f"M{j}") for j in range(MOST_COLUMNS + 1))
    _, crosses = heat_map(System((TaskType("T"),), machines, etc)).data
    assert len(crosses.x) == MOST_COLUMNS


def test_names_that_are_markup_are_shown_as_text() -> None:
    system = System((TaskType("<b>T</b>"),), (MachineType("<i>"),), np.array([[7.0]]))
    figure = heat_map(system)
    assert figure.layout.xaxis.ticktext == ("&lt;i&gt;",)
    assert "&lt;b&gt;T&lt;/b&gt;" in figure.data[0].customdata[0][0]
