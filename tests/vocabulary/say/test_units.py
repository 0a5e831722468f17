"""Numbers come in units that make them a few to a few hundred."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary.say.units import durations, energies, energy_unit, power_unit, time_unit


@pytest.mark.parametrize(
    ("seconds", "symbol", "counted"),
    [
        (0.0, "µs", 0.0),
        (5e-3, "ms", 5.0),
        (299.0, "s", 299.0),
        (300.0, "min", 5.0),
        (7200.0, "h", 2.0),
        (172_800.0, "d", 2.0),
    ],
)
def test_times_by_their_size(seconds: float, symbol: str, counted: float) -> None:
    unit = time_unit(seconds)
    assert unit.symbol == symbol
    assert unit.of(np.array([seconds])) == pytest.approx(counted)


@pytest.mark.parametrize(
    ("joules", "symbol", "counted"),
    [
        (0.0, "mJ", 0.0),
        (900.0, "J", 900.0),
        (5e3, "kJ", 5.0),
        (3.6e5 - 1, "kJ", 359.999),
        (3.6e5, "kWh", 0.1),
        (3.6e6, "kWh", 1.0),
        (7.2e9, "MWh", 2.0),
        (3.6e12, "GWh", 1.0),
    ],
)
def test_energies_by_their_size(joules: float, symbol: str, counted: float) -> None:
    unit = energy_unit(joules)
    assert unit.symbol == symbol
    assert unit.of(np.array([joules])) == pytest.approx(counted)


@pytest.mark.parametrize(
    ("watts", "symbol", "counted"),
    [
        (0.0, "W", 0.0),
        (999.0, "W", 999.0),
        (1e3, "kW", 1.0),
        (2.5e6, "MW", 2.5),
        (1e9, "GW", 1.0),
        (1e15, "GW", 1e6),
    ],
)
def test_powers_by_their_size(watts: float, symbol: str, counted: float) -> None:
    unit = power_unit(watts)
    assert unit.symbol == symbol
    assert unit.of(np.array([watts])) == pytest.approx(counted)


@given(st.floats(1e-3, 8e7), st.floats(1.0, 3e15))
def test_nothing_is_said_in_tiny_fractions_or_in_thousands(seconds: float, joules: float) -> None:
    assert 1 <= time_unit(seconds).of(np.array(seconds)) < 1000
    assert 0.1 <= energy_unit(joules).of(np.array(joules)) < 1000


@pytest.mark.parametrize(("longest", "symbol"), [(264, "s"), (2_600, "min"), (14_000, "h")])
def test_usual_makespans_have_the_usual_units(longest: float, symbol: str) -> None:
    assert time_unit(longest).symbol == symbol


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((1050.0, 770.0), ["1.05 kJ", "0.77 kJ"]),
        ((36e5, 900.0), ["1 kWh", "0.00025 kWh"]),
        ((0.0, 0.0), ["0 J", "0 J"]),
    ],
)
def test_energies_of_a_sentence_have_one_unit(values, said):
    """Issue 33, point 12: `compare-run` keeps one unit in a sentence."""
    assert energies(values) == said


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((3.0, 0.5), ["3 s", "0.5 s"]),
        ((4000.0, 0.25, 0.0), ["1 h 6 min 40 s", "0.25 s", "0 s"]),
        ((0.5, 0.002), ["500 ms", "2 ms"]),
        ((0.0005, 0.02), ["0.5 ms", "20 ms"]),
    ],
)
def test_times_of_a_sentence_have_one_unit(values, said):
    """Issue 33, point 12: `compare-run` keeps one unit in a sentence."""
    assert durations(values) == said
