"""What a little more of anything is worth: the prices that prove the bound, in words."""

import numpy as np
import pandas as pd

from core.profit.earn import Profit
from core.words import JOULES_PER_KWH
from dashboard.logic.profit_conditions import Conditions

WHAT = "One more"
COUNT = "Machines now"


def price_table(profit: Profit, conditions: Conditions) -> pd.DataFrame:
    """What one unit of each price, and of the cap, changes the most that can be earned by."""
    money, bound, system = conditions.money, profit.bound, profit.system
    terms = bound.terms
    watts = bound.rate * profit.bound_energy if bound.runs else system.total_idle_power
    tighter = bound.cap_value * terms.power_cap / terms.pue if bound.cap_price else 0.0
    cents, a_kwh = "0.01 " + money.currency, 0.01 / JOULES_PER_KWH
    rows = [
        (f"1 {money.currency} more a bag", bound.rate),
        (f"1 {money.currency} more overhead a bag", -bound.rate),
        ("0.1 more PUE", -0.1 * (terms.energy_price * watts + tighter)),
        ("1 kW more power cap", 1e3 * bound.cap_value),
    ]
    if conditions.electricity == "kWh":
        rows.insert(2, (f"{cents} more a kWh", -terms.pue * watts * a_kwh))
    else:
        rows.insert(2, ("1 % more a joule", -0.01 * terms.pue * watts * terms.energy_price))
    changes = [money.rate(change) + 0.0 for _, change in rows]
    return pd.DataFrame({WHAT: [what for what, _ in rows], _column(conditions): changes})


def machine_table(profit: Profit, conditions: Conditions) -> pd.DataFrame:
    """What one machine more of each type would earn at most, the most valuable first."""
    values = conditions.money.rate(1.0) * profit.machine_values
    order = np.argsort(-values, kind="stable")
    types = [profit.system.machine_types[kind] for kind in order.tolist()]
    return pd.DataFrame(
        {
            WHAT: [kind.name for kind in types],
            COUNT: [kind.count for kind in types],
            _column(conditions): values[order] + 0.0,
        }
    )


def _column(conditions: Conditions) -> str:
    return f"is worth, {conditions.money.rate_unit}"
