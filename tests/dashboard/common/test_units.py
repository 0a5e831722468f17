"""Powers and energies of figures come in units that suit their size."""

import pytest

from dashboard.common.units import energy_unit, power_unit


@pytest.mark.parametrize(
    ("most", "symbol"), [(0.0, "W"), (999.0, "W"), (1e3, "kW"), (2.5e6, "MW"), (1e15, "GW")]
)
def test_a_power_is_given_in_the_largest_unit_that_it_fills(most: float, symbol: str) -> None:
    assert power_unit(most).symbol == symbol


@pytest.mark.parametrize(
    ("most", "symbol"), [(0.0, "J"), (5e3, "kJ"), (3.6e6, "kWh"), (4e9, "MWh"), (1e20, "GWh")]
)
def test_an_energy_is_given_in_watt_hours_from_a_kilowatt_hour_on(most: float, symbol: str) -> None:
    assert energy_unit(most).symbol == symbol
