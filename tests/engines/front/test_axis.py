"""The axis counts joules as energy, money or carbon, in a unit that people read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.front.axis import QUANTITIES, axis_for, units_of
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.say.words import Sense

TARIFF = Tariff(0.25, 0.4, pue=1.5)
KWH = 3.6e6


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("joules", [1.0, KWH, 3000 * KWH, 4e6 * KWH])
def test_the_choice_of_a_quantity_names_no_unit_but_that_of_the_axis(quantity, joules):
    """Issue 33, point 22: a choice in kWh had stood beside an axis in MWh."""
    units = {unit for one in ("kWh", "MJ", "carbon") for unit in units_of(one)}
    own = axis_for(quantity, TARIFF, "EUR", joules).unit
    assert not (units - {own}) & set(QUANTITIES[quantity].replace(",", " ").split())


@pytest.mark.parametrize(
    ("quantity", "joules", "said"),
    [
        ("kWh", 3 * KWH, "3 kWh"),
        ("kWh", 3000 * KWH, "3 MWh"),
        ("kWh", 0.5 * KWH, "500 Wh"),
        ("MJ", 3 * KWH, "10.8 MJ"),
        ("MJ", 900.0, "900 J"),
        ("money", 3 * KWH, "1.125 EUR"),
        ("carbon", 3 * KWH, "1.8 kg CO₂"),
        ("carbon", 3000 * KWH, "1,800 kg CO₂"),
    ],
)
def test_a_quantity_is_said_with_its_unit(quantity, joules, said):
    assert axis_for(quantity, TARIFF, "EUR", joules).say(joules, Sense.PLAIN) == said


@pytest.mark.parametrize(
    ("quantity", "said"),
    [
        ("kWh", "10 Wh, 3 kWh, 3 MWh, 4 GWh"),
        ("MJ", "36 kJ, 10.8 MJ, 10.8 GJ, 14.4 TJ"),
        ("carbon", "6 g CO₂, 1.8 kg CO₂, 1.8 t CO₂, 2400 t CO₂"),
        ("money", "0.00375 EUR, 1.125 EUR, 1125 EUR, 1.5e+06 EUR"),
    ],
)
def test_the_unit_of_an_axis_suits_the_energy(quantity, said):
    energies = [0.01 * KWH, 3 * KWH, 3000 * KWH, 4e6 * KWH]
    axes = [(axis_for(quantity, TARIFF, "EUR", joules), joules) for joules in energies]
    assert ", ".join(f"{axis.of(joules):g} {axis.unit}" for axis, joules in axes) == said


@given(st.sampled_from(tuple(QUANTITIES)), st.floats(1e-6, 1e18))
def test_an_axis_counts_back_to_joules(quantity, joules):
    axis = axis_for(quantity, TARIFF, "USD", joules)
    assert axis.joules(axis.of(joules)) == pytest.approx(joules)
    assert axis.unit in axis.label


def test_no_energy_at_all_has_an_axis_too():
    assert axis_for("kWh", TARIFF, "EUR", 0.0).say(0.0, Sense.PLAIN) == "0 J"
