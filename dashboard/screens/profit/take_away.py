"""The exports of the page Profit: its numbers, and a study with its profit."""

from dataclasses import replace
from functools import partial

from core.capabilities.profit.curve import ProfitCurve
from core.capabilities.profit.earn import Profit
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.study_block import as_block
from core.capabilities.profit.words import title
from core.engines.relaxed import Front
from dashboard.parts.taking.batch_dialog import offer_batch_scripts
from dashboard.parts.taking.take_away import (
    CSV_MIME,
    download,
    show_files,
    study_at_hand,
    study_settings,
)
from dashboard.screens.profit.export import curve_csv, worth_csv
from dashboard.workspace import session
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.export import file_name
from dashboard.workspace.trade_off_settings import TradeOffSettings


def show_profit_downloads(
    profit: Profit,
    earned: ProfitCurve,
    settings: ProfitSettings,
    front: Front,
    trade_offs: TradeOffSettings,
) -> None:
    """Buttons for the numbers of the page, and for a study with the schedule found."""
    name = session.workspace().version.title
    unit = settings.unit_price(front)
    curve = partial(curve_csv, earned, unit, settings)
    download("Profit over the price (CSV)", curve, file_name(name, ".csv", "profit"), CSV_MIME)
    worth = partial(worth_csv, profit, settings)
    download("Value of small changes (CSV)", worth, file_name(name, ".csv", "worth"), CSV_MIME)
    chosen = None
    if profit.earnings is not None:
        chosen = Chosen.of(profit.earnings.schedule, title(profit, settings.money))
    study, polish = study_at_hand(profit.system)
    show_files(
        study, chosen, replace(study_settings(polish, trade_offs), blocks=as_block(settings))
    )
    if chosen is not None:
        offer_batch_scripts(chosen.schedule, name, "profit")
