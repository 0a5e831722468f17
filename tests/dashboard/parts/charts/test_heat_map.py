"""The heat map shows every pair of a system of ordinary size, and marks those that cannot run."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from marked import marked
from strategies import systems

from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import NoPowerData, System
from dashboard.parts.charts.heat_map import (
    ENERGY,
    POWER,
    QUANTITIES,
    TIME,
    grid,
    heat_map,
    names_of,
)


def sized(task_types, machine_types, etc):
    return System(
        tuple(TaskType(f"T{i}") for i in range(task_types)),
        tuple(MachineType(f"M{j}") for j in range(machine_types)),
        etc,
    )


def test_wide_ranges_are_shown_as_logarithms():
    system = load_sample("nine")
    figure = heat_map(system, TIME)
    (cells,) = figure.data
    np.testing.assert_allclose(10.0 ** np.array(cells.z), system.etc)
    assert figure.layout.annotations[0].text == "Seconds per task (log scale)"


def test_narrow_ranges_are_shown_as_they_are():
    system = load_sample("testbed")
    figure = heat_map(system, POWER)
    cells = figure.data[0]
    np.testing.assert_array_equal(np.array(cells.z), system.apc)
    assert figure.layout.annotations[0].text == "Watts at work"


def test_powers_of_zero_have_no_logarithm():
    bare = sized(1, 2, np.ones((1, 2)))
    system = System(bare.task_types, bare.machine_types, bare.etc, np.array([[0.0, 500.0]]))
    for quantity in (POWER, ENERGY):
        np.testing.assert_array_equal(
            np.array(heat_map(system, quantity).data[0].z), quantity.values(system)
        )


def test_impossible_pairs_are_crossed_out_in_their_place():
    figure = heat_map(load_sample("testbed"), TIME)
    cells, crosses = figure.data
    assert np.isnan(np.array(cells.z)[1, 2:]).all()
    assert sorted(zip(crosses.x, crosses.y, strict=True)) == [(2, 1), (3, 1)]
    assert cells.customdata[1][2] == "<b>MG.8</b> on <b>cluster 3</b><br>cannot run"
    assert figure.layout.xaxis.title.text == "Machine type; ×: cannot run"


@pytest.mark.parametrize(
    ("quantity", "said"),
    [(TIME, "1 s per task"), (POWER, "100 W at work"), (ENERGY, "100 J per task")],
)
def test_hovering_names_the_pair_and_its_value_with_the_unit(quantity, said):
    cells = heat_map(load_sample("two-by-two"), quantity).data[0]
    assert cells.customdata[0][0] == f"<b>T1</b> on <b>A</b><br>{said}"


def test_equal_times_still_have_a_scale():
    cells = heat_map(sized(1, 1, np.array([[7.0]])), TIME).data[0]
    assert (cells.zmin, cells.zmax) == (7.0, 7.0)


def test_of_a_large_system_neighbours_share_a_cell_and_it_is_said_so():
    size = (240, 90)
    etc = np.ones(size)
    etc[0, 0] = np.inf
    figure = heat_map(sized(*size, etc), TIME)
    assert np.array(figure.data[0].z).shape == (80, 50)
    assert "(240; a cell is the mean of up to 3)" in figure.layout.yaxis.title.text
    assert "(90; a cell is the mean of up to 2)" in figure.layout.xaxis.title.text
    assert len(figure.layout.yaxis.ticktext) <= 36
    assert "<b>T0 … T2</b>" in figure.data[0].customdata[0][0]
    assert "2 of 3 pairs can run" in figure.data[0].customdata[0][0]


def test_groups_in_which_no_pair_can_run_say_so():
    etc = np.full((160, 2), np.inf)
    etc[:, 1] = 1.0
    figure = heat_map(sized(160, 2, etc), TIME)
    assert figure.data[0].customdata[0][0].endswith("none of 2 pairs can run")
    assert len(figure.data[1].x) == 80


def test_too_many_crosses_are_left_out():
    size = (80, 50)
    figure = heat_map(
        sized(*size, np.where(np.eye(*size) + (np.arange(size[1]) == 0), 1, np.inf)), TIME
    )
    assert len(figure.data) == 1
    assert figure.layout.xaxis.title.text == "Machine type; blank: cannot run"


@pytest.mark.parametrize(("blank", "crossed"), [(3000, True), (3001, False)])
def test_three_thousand_crosses_are_not_too_many(blank, crossed):
    etc = np.ones((80, 50))
    etc[:, 1:] = np.where(np.arange(80 * 49).reshape(80, 49) < blank, np.inf, 1.0)
    assert (len(heat_map(sized(80, 50, etc), TIME).data) == 2) is crossed


@pytest.mark.parametrize(("types", "named", "gap"), [(35, 35, 1), (36, 36, 1), (37, 19, 0)])
def test_so_many_task_types_are_named_each_and_told_apart(types, named, gap):
    figure = heat_map(sized(types, 1, np.ones((types, 1))), TIME)
    assert len(figure.layout.yaxis.ticktext) == named
    assert (figure.data[0].xgap, figure.data[0].ygap) == (gap, gap)


@pytest.mark.parametrize(("types", "named"), [(19, 19), (20, 20), (21, 11)])
def test_so_many_machine_types_are_named_each(types, named):
    figure = heat_map(sized(1, types, np.ones((1, types))), TIME)
    assert len(figure.layout.xaxis.ticktext) == named


def test_names_that_are_markup_are_shown_as_text():
    system = System((TaskType("<b>T</b>"),), (MachineType("<i>"),), np.array([[7.0]]))
    figure = heat_map(system, TIME)
    assert figure.layout.xaxis.ticktext == ("&lt;i&gt;",)
    assert "&lt;b&gt;T&lt;/b&gt;" in figure.data[0].customdata[0][0]


def test_estimates_have_a_ring_and_are_said_so():
    system = marked(load_sample("testbed"), (0, 3), (2, 1))
    cells, _, rings = heat_map(system, TIME).data
    assert sorted(zip(rings.x, rings.y, strict=True)) == [(1, 2), (3, 0)]
    assert rings.marker.color != rings.marker.line.color
    assert cells.customdata[0][3].endswith(
        "<br>≈ 7 min 10 s per task<br>an estimate, not a measurement"
    )
    assert cells.customdata[0][2].endswith("<br>9 min 12 s per task")
    assert heat_map(system, TIME).layout.xaxis.title.text == (
        "Machine type; ×: cannot run; ○: estimate"
    )


def test_without_estimates_nothing_is_said_of_them():
    figure = heat_map(load_sample("nine"), TIME)
    assert len(figure.data) == 1
    assert figure.layout.xaxis.title.text == "Machine type"


def test_a_cell_of_several_pairs_has_a_ring_if_most_are_estimates():
    etc = np.ones((160, 3))
    etc[6:8, 0] = [np.inf, 1.0]
    marks = [(0, 0), (2, 0), (3, 0), (7, 0)]
    figure = heat_map(marked(sized(160, 3, etc), *marks), TIME)
    cells, rings = figure.data
    assert sorted(zip(rings.y, rings.x, strict=True)) == [(1, 0), (3, 0)]
    said = [cells.customdata[row][0].split("can run")[1] for row in range(5)]
    assert said == [
        "<br>1 estimate among them",
        "<br>2 estimates among them",
        "",
        "<br>1 estimate among them",
        "",
    ]
    assert figure.layout.xaxis.title.text.endswith("<br>○: most are estimates")


@examples(5)
@given(systems(max_task_types=6, max_machine_types=6, with_estimates=True))
def test_every_estimate_of_a_small_system_has_its_ring(system):
    rings = heat_map(system, TIME).data[-1]
    assert system.estimated is not None
    found = np.zeros(system.etc.shape, bool)
    found[list(rings.y), list(rings.x)] = True
    np.testing.assert_array_equal(found, system.estimated)


def test_estimates_are_counted_over_grouped_columns_too():
    system = marked(sized(2, 100, np.ones((2, 100))), (0, 0), (0, 1), (1, 2))
    cells, rings = heat_map(system, TIME).data
    assert list(zip(rings.y, rings.x, strict=True)) == [(0, 0)]
    assert cells.customdata[0][0].endswith("<br>2 estimates among them")
    assert cells.customdata[1][1].endswith("<br>1 estimate among them")


@given(systems(max_task_types=7, max_machine_types=7))
def test_cells_keep_the_extremes_and_the_number_of_pairs(system):
    values = TIME.values(system)
    cells = grid(values, 3, 2)
    assert cells.pairs.sum() == system.etc.size
    assert cells.possible.sum() == np.isfinite(system.etc).sum()
    assert np.nanmin(cells.least) == np.nanmin(values)
    assert np.nanmax(cells.most) == np.nanmax(values)
    known = cells.possible > 0
    assert (np.isnan(cells.mean) == ~known).all()
    assert (cells.least[known] <= cells.mean[known] * (1 + 1e-9)).all()
    assert (cells.mean[known] <= cells.most[known] * (1 + 1e-9)).all()


def test_a_small_system_has_a_cell_a_pair():
    system = load_sample("testbed")
    cells = grid(POWER.values(system))
    assert cells.is_whole
    np.testing.assert_array_equal(cells.mean, system.apc)


def test_a_group_is_called_by_its_first_and_last():
    cells = grid(np.ones((5, 1)), 2, 2)
    assert not cells.is_whole
    assert names_of(list("abcde"), cells.rows) == ["a … b", "c … e"]
    assert names_of(["M"], cells.columns) == ["M"]


def test_energy_is_time_times_power_in_kilojoules():
    energy = ENERGY.values(load_sample("two-by-two"))
    np.testing.assert_allclose(energy, [[0.1, 0.06], [0.2, 0.09]])


def test_without_powers_there_is_only_time():
    bare = load_sample("e1")
    for quantity in QUANTITIES:
        if quantity.needs_power:
            with pytest.raises(NoPowerData):
                quantity.values(bare)


@pytest.mark.parametrize(
    ("quantity", "value", "said"),
    [
        (TIME, 7200.0, "2 h"),
        (POWER, 0.0, "0 W"),
        (POWER, 1234.5, "1.234 kW"),
        (ENERGY, 2e9, "2 TJ"),
        (ENERGY, 0.00012, "120 mJ"),
    ],
)
def test_values_are_said_with_their_unit(quantity, value, said):
    assert quantity.say(value) == said
