"""The value of one unit more of each quantity, as tables."""

from typing import Final

import pandas as pd

from core.profit.conditions import ProfitSettings
from core.profit.earn import Profit
from core.profit.words import told
from core.profit.worth import machine_worths, price_worths
from core.say.words import Sense, rounded

WHAT: Final = "One more"
COUNT: Final = "Machines now"


def price_table(profit: Profit, conditions: ProfitSettings) -> pd.DataFrame:
    """How the upper bound on profit changes with one unit more of each price and of the cap."""
    worths = price_worths(profit, conditions)
    changes = [_rate(worth.change, profit, conditions) for worth in worths]
    return pd.DataFrame({WHAT: [worth.what for worth in worths], _column(conditions): changes})


def machine_table(profit: Profit, conditions: ProfitSettings) -> pd.DataFrame:
    """How much the upper bound rises with one more machine of each type, the largest first."""
    worths = machine_worths(profit)
    return pd.DataFrame(
        {
            WHAT: [machine.name for machine, _ in worths],
            COUNT: [machine.count for machine, _ in worths],
            _column(conditions): [_rate(value, profit, conditions) for _, value in worths],
        }
    )


def _rate(a_second: float, profit: Profit, conditions: ProfitSettings) -> float:
    return rounded(conditions.money.rate(told(a_second, profit)), Sense.PLAIN)


def _column(conditions: ProfitSettings) -> str:
    return f"is worth, {conditions.money.rate_unit}"
