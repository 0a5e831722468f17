"""The toolbar of the page Profit: prices and costs."""

from functools import partial
from typing import Any, Final, Literal

import pandas as pd
import streamlit as st

from core import System
from core.profit.settings import (
    RANGES,
    RATE,
    USUAL_RATIOS,
    Electricity,
    PriceBasis,
    ProfitSettings,
)
from core.relaxed import Front
from dashboard.common import markup
from dashboard.common.choice import show_choice
from dashboard.common.grid import FIXED
from dashboard.profit.costs import in_force
from dashboard.profit.editor import Rows, show_editor
from dashboard.profit.price import told_by
from dashboard.profit.state import keep, key, types_of
from dashboard.shell.guard import callback
from dashboard.workspace import axis, session

PRICED_BY: Final[dict[PriceBasis, str]] = {"ratio": "Profit ratio", "bag": "Price per batch"}
ELECTRICITY: Final[dict[Electricity, str]] = {
    "kWh": "Price per kWh",
    "joule": "1 per joule, as published",
}
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
            _number(f"Price per batch ({settings.money.currency})", "price", "%.6g", width=200)
        else:
            st.slider(
                "Profit ratio",
                min(USUAL_RATIOS.low, settings.ratio),
                max(USUAL_RATIOS.high, settings.ratio),
                step=0.01,
                key=key("ratio"),
                persist_state="session",
                help="The price of a batch divided by the cost of its least energy, without the "
                "PUE.",
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
    show_choice(
        "Electricity",
        ELECTRICITY,
        format_func=ELECTRICITY.__getitem__,
        key=key("electricity"),
        persist_state="session",
        help="As published: the unit of money (¤) is the cost of one joule, and rates are per "
        "second.",
    )
    currency = settings.money.currency
    if settings.electricity == "kWh":
        left, right = st.columns([3, 2], gap="small")
        with left:
            _number(f"Electricity ({currency} per kWh)", "energy_price", "%.4g", step=0.01)
            _number("Carbon (kg CO₂ per kWh)", "carbon", "%.4g", step=0.05)
        with right:
            st.selectbox(
                "Currency",
                # A study file may name any currency.
                dict.fromkeys((*axis.CURRENCIES, settings.currency)),
                key=key("currency"),
                persist_state="session",
            )
            _number(f"Carbon price ({currency} per kg)", "carbon_price", "%.4g", step=0.01)
    left, right = st.columns([3, 2], gap="small")
    with left:
        _number(
            f"Overhead ({currency} per batch)",
            "overhead",
            "%.6g",
            "What each batch costs in addition, however it is run.",
        )
    with right:
        _number(
            "PUE",
            "pue",
            "%.3g",
            "Power usage effectiveness: the energy of the whole site for each joule of the "
            "machines.",
        )
    st.number_input(
        "Power cap (kW)",
        RANGES["cap_kw"].low,
        RANGES["cap_kw"].high,
        value=None,
        placeholder="none",
        key=key("cap_kw"),
        persist_state="session",
        format="%.6g",
        help="The limit on the average power of the whole site. Leave it empty for no limit.",
    )


def _number(
    label: str,
    field: str,
    form: str,
    meaning: str | None = None,
    *,
    step: float | None = None,
    width: int | Literal["stretch"] = "stretch",
) -> None:
    st.number_input(
        label,
        RANGES[field].low,
        RANGES[field].high,
        step=step,
        key=key(field),
        format=form,
        persist_state="session",
        help=meaning,
        width=width,
    )


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
