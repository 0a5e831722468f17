"""A grid holds every pair once, and its cells say what their pairs are."""

import numpy as np
import pytest
from hypothesis import given
from strategies import systems

from core.files.samples.named import load_sample
from core.vocabulary.system import NoPowerData, System
from dashboard.parts.charts.heat_map import (
    ENERGY,
    POWER,
    QUANTITIES,
    TIME,
    PairQuantity,
    grid,
    names_of,
)


@given(systems(max_task_types=7, max_machine_types=7))
def test_cells_keep_the_extremes_and_the_number_of_pairs(system: System) -> None:
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


def test_a_small_system_has_a_cell_a_pair() -> None:
    system = load_sample("testbed")
    cells = grid(POWER.values(system))
    assert cells.is_whole
    np.testing.assert_array_equal(cells.mean, system.apc)


def test_a_group_is_called_by_its_first_and_last() -> None:
    cells = grid(np.ones((5, 1)), 2, 2)
    assert not cells.is_whole
    assert names_of(list("abcde"), cells.rows) == ["a … b", "c … e"]
    assert names_of(["M"], cells.columns) == ["M"]


def test_energy_is_time_times_power_in_kilojoules() -> None:
    energy = ENERGY.values(load_sample("two-by-two"))
    np.testing.assert_allclose(energy, [[0.1, 0.06], [0.2, 0.09]])


def test_without_powers_there_is_only_time() -> None:
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
def test_values_are_said_with_their_unit(quantity: PairQuantity, value: float, said: str) -> None:
    assert quantity.say(value) == said
