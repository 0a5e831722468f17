"""The exports of the page Profit: tables of its numbers, and a study with its profit."""

from dataclasses import replace
from functools import partial
from typing import Final

import pandas as pd

from core.capabilities.profit import CAPABILITY
from core.capabilities.profit.earn import Profit
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.sweep import ProfitCurve
from core.capabilities.profit.told import machine_worths, price_worths, title
from core.engines.relaxed import Front
from core.files.sheet import neutralised
from core.vocabulary.say.words import Sense, rounded
from dashboard.parts.taking.batch_dialog import offer_batch_scripts
from dashboard.parts.taking.take_away import (
    csv_of,
    download,
    show_files,
    study_at_hand,
    study_settings,
)
from dashboard.workspace import session
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.export import file_name

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
    return rounded(settings.money.rate(profit.settled(a_second)), Sense.PLAIN)


def _column(settings: ProfitSettings) -> str:
    return f"is worth, {settings.money.rate_unit}"


def curve_csv(curve: ProfitCurve, unit_price: float, settings: ProfitSettings) -> bytes:
    """Profit over the price of a batch, and the ratio if any; blank where none keeps the cap."""
    money = settings.money
    columns = {
        f"price of a batch ({money.currency})": curve.prices,
        f"at most ({money.rate_unit})": money.rate(1.0) * curve.at_most,
        f"best of the front ({money.rate_unit})": money.rate(1.0) * curve.on_front,
    }
    if unit_price:
        columns = {"profit ratio": curve.prices / unit_price} | columns
    return csv_of(pd.DataFrame(columns))


def worth_csv(profit: Profit, settings: ProfitSettings) -> bytes:
    """The value of one unit more of each price, of the cap, and of each machine type."""
    machines = machine_table(profit, settings)
    machines[WHAT] = [neutralised(name) for name in machines[WHAT]]
    both = pd.concat([price_table(profit, settings), machines])
    return csv_of(both[machines.columns].astype({COUNT: "Int64"}))


def show_profit_downloads(
    profit: Profit, earned: ProfitCurve, settings: ProfitSettings, front: Front
) -> None:
    """Buttons for the numbers of the page, and for a study with the schedule found."""
    name = session.workspace().version.title
    unit = settings.unit_price(front)
    curve = partial(curve_csv, earned, unit, settings)
    download("Profit over the price (CSV)", curve, file_name(name, ".csv", "profit"))
    worth = partial(worth_csv, profit, settings)
    download("Value of small changes (CSV)", worth, file_name(name, ".csv", "worth"))
    chosen = None
    if profit.earnings is not None:
        chosen = Chosen.of(profit.earnings.schedule, title(profit, settings.money))
    study, polish = study_at_hand(profit.system)
    show_files(study, chosen, replace(study_settings(polish), blocks=CAPABILITY.block(settings)))
    if chosen is not None:
        offer_batch_scripts(chosen.schedule, name, "profit")
