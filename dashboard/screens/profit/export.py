"""The numbers of the page Profit as CSV tables."""

import pandas as pd

from core.capabilities.profit.curve import ProfitCurve
from core.capabilities.profit.earn import Profit
from core.capabilities.profit.settings import ProfitSettings
from core.files.sheet import neutralised
from dashboard.screens.profit.worth import COUNT, WHAT, machine_table, price_table


def curve_csv(curve: ProfitCurve, unit_price: float, settings: ProfitSettings) -> bytes:
    """Profit over the price of a batch, and over the profit ratio if there is one. A cell is blank
    if no schedule keeps the power cap.
    """
    money = settings.money
    columns = {
        f"price of a batch ({money.currency})": curve.prices,
        f"at most ({money.rate_unit})": money.rate(1.0) * curve.at_most,
        f"best of the front ({money.rate_unit})": money.rate(1.0) * curve.on_front,
    }
    if unit_price:
        columns = {"profit ratio": curve.prices / unit_price} | columns
    return _csv(pd.DataFrame(columns))


def worth_csv(profit: Profit, settings: ProfitSettings) -> bytes:
    """The value of one unit more of each price, of the cap, and of each machine type."""
    machines = machine_table(profit, settings)
    machines[WHAT] = [neutralised(name) for name in machines[WHAT]]
    both = pd.concat([price_table(profit, settings), machines])
    return _csv(both[machines.columns].astype({COUNT: "Int64"}))


def _csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False, lineterminator="\n").encode()
