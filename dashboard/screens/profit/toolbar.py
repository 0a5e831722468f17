"""The price of a batch as a profit ratio or as money, and how to convert one to the other."""

import math
from dataclasses import replace
from functools import partial
from typing import Any, Final

import pandas as pd
import streamlit as st

from core import System
from core.capabilities.profit.settings import (
    ELECTRICITY,
    RATE,
    RATIO,
    USUAL_RATIOS,
    PriceBasis,
    ProfitSettings,
)
from core.capabilities.profit.told import costs_said
from core.engines.relaxed import Front
from core.vocabulary.say.words import Sense, counted, rounded
from core.vocabulary.setting import settings_in
from dashboard.parts.fields.setting import show_choice, show_widget
from dashboard.parts.frame import markup
from dashboard.parts.tables.editor import FIXED
from dashboard.screens.profit.editor import Rows, show_editor
from dashboard.screens.profit.state import keep, key, types_of
from dashboard.server.guard import callback
from dashboard.workspace import session

_DIGITS: Final = 12


def told_by(settings: ProfitSettings, by: PriceBasis, unit_price: float) -> ProfitSettings:
    """The same price, set by `by`. Unchanged if no allowed ratio gives this price."""
    if by == settings.by:
        return settings
    if by == "bag":
        return replace(settings, by="bag", price=settings.ratio * unit_price)
    ratio = ratio_of(settings.price, unit_price)
    return settings if ratio is None else replace(settings, by="ratio", ratio=ratio)


def ratio_of(price: float, unit_price: float) -> float | None:
    """The ratio that gives a price: exactly the typed one if it has few digits. None if it is not
    an allowed ratio.
    """
    if not unit_price > 0 or not math.isfinite(price / unit_price):
        return None
    found = price / unit_price
    # A typed ratio has few digits.
    few = rounded(found, Sense.PLAIN, _DIGITS)
    ratio = few if few * unit_price == price else found
    return ratio if ratio in RATIO else None


def meaning(system: System) -> str:
    """What a batch of this system is."""
    every = f"all {system.tasks:,} tasks" if system.tasks > 1 else counted(system.tasks, "task")
    return f"A **batch** is {every} of this system, run once. One batch follows the other."


def in_force(settings: ProfitSettings, system: System) -> list[str]:
    """The price of electricity, and every other cost or cap that is set."""
    now = settings.of(system)
    said = [f"{what} {how_much}" for what, how_much in costs_said(now)]
    for name, rates in (("Wear", now.wear), ("Depreciation", now.depreciation)):
        if rates:
            said.append(f"{name} of {counted(len(rates), 'machine type')}")
    return said


PRICED_BY: Final[dict[PriceBasis, str]] = {"ratio": "Profit ratio", "bag": "Price per batch"}
_RATES: Final = ("wear", "depreciation")
_NAME: Final = "Machine type"


def show_price(settings: ProfitSettings, system: System, front: Front) -> None:
    """The price of a batch, and the costs in force."""
    unit_price = settings.unit_price(front)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        show_choice(
            "Set the price of a batch by",
            PRICED_BY,
            format_func=PRICED_BY.__getitem__,
            key=key("by"),
            persist_state="session",
            width="content",
            disabled=not unit_price,
            on_change=callback(_change_price_basis),
            args=(settings, unit_price),
        )
        if settings.by == "bag":
            _number(settings, "price", width=200)
        else:
            ratio = settings_in(ProfitSettings)["ratio"]
            st.slider(
                ratio.label,
                min(USUAL_RATIOS.low, settings.ratio),
                max(USUAL_RATIOS.high, settings.ratio),
                step=0.01,
                key=key("ratio"),
                persist_state="session",
                help=ratio.meaning,
                width=560,
            )
        with st.popover("Costs", icon=":material/payments:"):
            _show_costs(settings)
        with st.popover("Wear and depreciation", icon=":material/build:"):
            _show_rates(settings)
        st.html(markup.chips(in_force(settings, system)), width="content")


def _change_price_basis(settings: ProfitSettings, unit_price: float) -> None:
    """Changes how the price is set. The price itself, and every number of the page, stays."""
    now = told_by(settings, st.session_state[key("by")], unit_price)
    for field in ("by", "ratio", "price"):
        st.session_state[key(field)] = getattr(now, field)


def _show_costs(settings: ProfitSettings) -> None:
    electricity = settings_in(ProfitSettings)["electricity"]
    show_choice(
        electricity.label,
        ELECTRICITY,
        format_func=ELECTRICITY.__getitem__,
        key=key("electricity"),
        persist_state="session",
        help=electricity.meaning,
    )
    st.caption("What a kWh costs and the power cap are set above, for every page.")
    _number(settings, "overhead")


def _number(settings: ProfitSettings, name: str, **how: Any) -> None:
    """A field for a number, which the state of the page has."""
    label = settings_in(ProfitSettings)[name].label.format(currency=settings.money.currency)
    how = {"value": "min", **how}
    show_widget(settings, name, label=label, key=key(name), persist_state="session", **how)


def _show_rates(settings: ProfitSettings) -> None:
    """A table to edit: the rates of each machine type."""
    system = session.system()
    per = "hour" if settings.money.per == "h" else "second"
    unit = settings.money.currency
    names = system.machine_names
    rates = {rate: dict(getattr(settings, rate)) for rate in _RATES}
    frame = pd.DataFrame(
        {_NAME: names} | {rate: [rates[rate].get(name, 0.0) for name in names] for rate in _RATES}
    )

    def rate_column(label: str) -> Any:
        return st.column_config.NumberColumn(label, min_value=RATE.low, max_value=RATE.high)

    show_editor(
        f"profit.rates {hash(types_of(system))}",
        frame,
        partial(_take_rates, system),
        columns={
            _NAME: FIXED,
            "wear": rate_column(f"Wear ({unit} per busy {per})"),
            "depreciation": rate_column(f"Depreciation ({unit} per {per})"),
        },
    )
    st.caption(
        "All rates are for one machine. Depreciation is the purchase price divided by the "
        f"lifetime; it is due even if the machine is switched off. Wear is due only for {per}s at "
        "work."
    )


def _take_rates(system: System, rows: Rows) -> None:
    """Takes the rates. An empty cell is 0."""
    rates = {
        rate: tuple((str(row[_NAME]), float(row[rate])) for row in rows if row[rate])
        for rate in _RATES
    }
    keep(system, **rates)
