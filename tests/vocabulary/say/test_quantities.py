"""What people write is an amount in the first unit, up to a limit, or a message says why not."""

import re

import pytest

from core.vocabulary.say.quantities import ENERGY, POWER, TIME, Quantity, read_quantity


@pytest.mark.parametrize(
    ("text", "quantity", "amount"),
    [
        ("7200", TIME, 7200.0),
        ("1.5 d", TIME, 129_600.0),
        ("2.5kWh", ENERGY, 9e6),
        ("-0W", POWER, 0.0),
        ("0.999e24", POWER, 0.999e24),
        ("1e24", POWER, 1e24),
        ("1e21kW", POWER, 1e24),
    ],
)
def test_an_amount_is_in_the_first_unit(text: str, quantity: Quantity, amount: float) -> None:
    assert read_quantity(text, quantity) == amount


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.001e24", "1.001e24 is out of range; give 0 to 1e+24 W"),
        ("1.001e21kW", "1.001e21kW is out of range; give 0 to 1e+24 W"),
        ("-1e-9", "-1e-9 is out of range; give 0 to 1e+24 W"),
        ("2 h", "'h' is not a unit of power; give one of W, kW, MW"),
        ("1:30", "'1:30' is not a quantity of power; give W, or with a unit as in 55kW (kW, MW)"),
        ("1.2.3", "'1.2.3' is not a quantity of power; give W, or with a unit as in 55kW (kW, MW)"),
    ],
)
def test_what_is_refused_says_what_to_give(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=rf"^{re.escape(message)}$"):
        read_quantity(text, POWER)
