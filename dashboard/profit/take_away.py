"""The exports of the page Profit: its numbers, and a study with its profit."""

from dataclasses import replace
from functools import partial

from core.profit.conditions import ProfitSettings
from core.profit.curve import ProfitCurve
from core.profit.earn import Profit
from core.profit.study_block import as_block
from core.profit.words import title
from core.relaxed import Front
from dashboard.common.take_away import CSV_MIME, download, settings_at, show_files, study_at_hand
from dashboard.profit.export import curve_csv, worth_csv
from dashboard.workspace import session
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.export import file_name
from dashboard.workspace.options import TradeOffSettings


def show_profit_downloads(
    profit: Profit,
    earned: ProfitCurve,
    conditions: ProfitSettings,
    front: Front,
    options: TradeOffSettings,
) -> None:
    """Buttons for the numbers of the page, and for a study with the schedule found."""
    name = session.workspace().version.title
    unit = conditions.unit_price(front)
    curve = partial(curve_csv, earned, unit, conditions)
    download("Profit over the price (CSV)", curve, file_name(name, ".csv", "profit"), CSV_MIME)
    worth = partial(worth_csv, profit, conditions)
    download("Value of small changes (CSV)", worth, file_name(name, ".csv", "worth"), CSV_MIME)
    chosen = None
    if profit.earnings is not None:
        chosen = Chosen.of(profit.earnings.schedule, title(profit, conditions.money))
    study, effort = study_at_hand(profit.system)
    show_files(study, chosen, replace(settings_at(effort, options), blocks=as_block(conditions)))
