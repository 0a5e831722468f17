"""The value of one unit more of each quantity, as tables."""

from typing import Final

import pandas as pd

from core.capabilities.profit.earn import Profit
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.words import told
from core.capabilities.profit.worth import machine_worths, price_worths
from core.vocabulary.say.words import Sense, rounded

WHAT: Final = "One more"
COUNT: Final = "Machines now"


def price_table(profit: Profit, settings: ProfitSettings) -> pd.DataFrame:
    """How the upper bound on profit changes with one unit more of each price and of the cap."""
    worths = price_worths(profit, settings)
    changes = [_rate(worth.change, profit, settings) for worth in worths]
    return pd.DataFrame({WHAT: [worth.what for worth in worths], _column(settings): changes})


def machine_table(profit: Profit, settings: ProfitSettings) -> pd.DataFrame:
    """How much the upper bound rises with one more machine of each type, the largest first."""
    worths = machine_worths(profit)
    return pd.DataFrame(
        {
            WHAT: [machine.name for machine, _ in worths],
            COUNT: [machine.count for machine, _ in worths],
            _column(settings): [_rate(value, profit, settings) for _, value in worths],
        }
    )


def _rate(a_second: float, profit: Profit, settings: ProfitSettings) -> float:
    return rounded(settings.money.rate(told(a_second, profit)), Sense.PLAIN)


def _column(settings: ProfitSettings) -> str:
    return f"is worth, {settings.money.rate_unit}"
