"""What small changes are worth: the dual prices of the bound, in words."""

from dataclasses import dataclass

import numpy as np

from core.capabilities.profit.earn import Profit
from core.capabilities.profit.settings import ProfitSettings
from core.vocabulary.kinds import MachineType
from core.vocabulary.say.words import JOULES_PER_KWH


@dataclass(frozen=True, slots=True)
class Worth:
    """How much the upper bound changes with one unit of `what`, in money a second."""

    what: str
    change: float


def price_worths(profit: Profit, settings: ProfitSettings) -> list[Worth]:
    """The worth of changes of each price, and of the power cap."""
    bound, system, currency = profit.bound, profit.system, settings.money.currency
    terms = bound.terms
    watts = bound.rate * profit.bound_energy if bound.runs else system.total_idle_power
    tighter = bound.cap_value * terms.power_cap / terms.pue if bound.cap_price else 0.0
    if settings.electricity == "kWh":
        a_kwh = 0.01 / JOULES_PER_KWH
        electricity = Worth(f"0.01 {currency} more a kWh", -terms.pue * watts * a_kwh)
    else:
        one_percent = -0.01 * terms.pue * watts * terms.energy_price
        electricity = Worth("1 % more a joule", one_percent)
    return [
        Worth(f"1 {currency} more a batch", bound.rate),
        Worth(f"1 {currency} more overhead a batch", -bound.rate),
        electricity,
        Worth("0.1 more PUE", -0.1 * (terms.energy_price * watts + tighter)),
        Worth("1 kW more power cap", 1e3 * bound.cap_value),
    ]


def machine_worths(profit: Profit) -> list[tuple[MachineType, float]]:
    """What one more machine of each type would earn at most, in money a second, the most first."""
    order = np.argsort(-profit.machine_values, kind="stable").tolist()
    values = profit.machine_values.tolist()
    return [(profit.system.machine_types[kind], values[kind]) for kind in order]
