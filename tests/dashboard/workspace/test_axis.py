"""The axis counts joules as energy, money or carbon, in a unit that people read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.front.tariff import Tariff
from core.say.words import Sense
from dashboard.workspace.axis import QUANTITIES, AxisQuantity, axis_for

TARIFF = Tariff(0.25, 0.4, pue=1.5)
KWH = 3.6e6


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
def test_a_quantity_is_said_with_its_unit(quantity: AxisQuantity, joules: float, said: str) -> None:
    assert axis_for(quantity, TARIFF, "EUR", joules).say(joules, Sense.PLAIN) == said


@given(st.sampled_from(tuple(QUANTITIES)), st.floats(1e-6, 1e18))
def test_an_axis_counts_back_to_joules(quantity: AxisQuantity, joules: float) -> None:
    axis = axis_for(quantity, TARIFF, "USD", joules)
    assert axis.joules(axis.of(joules)) == pytest.approx(joules)
    assert axis.unit in axis.label


def test_no_energy_at_all_has_an_axis_too() -> None:
    assert axis_for("kWh", TARIFF, "EUR", 0.0).say(0.0, Sense.PLAIN) == "0 J"
