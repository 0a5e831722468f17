"""Numbers come in units that make them a few to a few hundred."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary.say.units import (
    Unit,
    durations,
    energies,
    energy_unit,
    power_unit,
    round_step,
    time_unit,
)

SIZES = [
    *((time_unit, *row) for row in ((0.0, "µs", 0), (5e-3, "ms", 5), (299, "s", 299))),
    *((time_unit, *row) for row in ((300, "min", 5), (7200, "h", 2), (172_800, "d", 2))),
    *((energy_unit, *row) for row in ((0.0, "mJ", 0), (900, "J", 900), (5e3, "kJ", 5))),
    *((energy_unit, *row) for row in ((3.6e5 - 1, "kJ", 359.999), (3.6e5, "kWh", 0.1))),
    *((energy_unit, *row) for row in ((3.6e6, "kWh", 1), (7.2e9, "MWh", 2), (3.6e12, "GWh", 1))),
    *((power_unit, *row) for row in ((0.0, "W", 0), (999, "W", 999), (1e3, "kW", 1))),
    *((power_unit, *row) for row in ((2.5e6, "MW", 2.5), (1e9, "GW", 1), (1e15, "GW", 1e6))),
]


@pytest.mark.parametrize(("unit_of", "value", "symbol", "counted"), SIZES)
def test_units_by_size(
    unit_of: Callable[[float], Unit], value: float, symbol: str, counted: float
) -> None:
    unit = unit_of(value)
    assert unit.symbol == symbol
    assert unit.of(np.array([value])) == pytest.approx(counted)


@given(st.floats(1e-3, 8e7), st.floats(1.0, 3e15))
def test_nothing_is_said_in_tiny_fractions_or_in_thousands(seconds: float, joules: float) -> None:
    assert 1 <= time_unit(seconds).of(np.array(seconds)) < 1000
    assert 0.1 <= energy_unit(joules).of(np.array(joules)) < 1000


@pytest.mark.parametrize(
    ("say", "values", "said"),
    [
        (energies, (1050.0, 770.0), ["1.05 kJ", "0.77 kJ"]),
        (energies, (36e5, 900.0), ["1 kWh", "0.00025 kWh"]),
        (energies, (0.0, 0.0), ["0 J", "0 J"]),
        (durations, (3.0, 0.5), ["3 s", "0.5 s"]),
        (durations, (4000.0, 0.25, 0.0), ["1 h 6 min 40 s", "0.25 s", "0 s"]),
        (durations, (0.5, 0.002), ["500 ms", "2 ms"]),
        (durations, (0.0005, 0.02), ["0.5 ms", "20 ms"]),
    ],
)
def test_values_of_a_sentence_have_one_unit(say, values, said):
    """Issue 33, point 12: `compare-run` keeps one unit in a sentence."""
    assert say(values) == said


@pytest.mark.parametrize(
    ("least", "step"),
    [(1, 1), (1.01, 2), (2, 2), (4, 5), (5.1, 10), (0.1 + 0.2, 0.5), (0.1 * 2 + 2e-17, 0.2)],
)
def test_a_step_of_an_axis_is_1_2_or_5_times_a_power_of_ten(least: float, step: float) -> None:
    assert round_step(least) == pytest.approx(step, rel=1e-12)
    assert round_step(least * 1e3 * (1 + 1e-12)) == pytest.approx(step * 1e3, rel=1e-12)
