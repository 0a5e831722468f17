"""The toolbar of the page Trade-offs: axis, tariff, layers of the chart, rivals, and effort."""

from typing import Final

import streamlit as st

from core.model.ranges import Range
from core.say.words import Sense, duration, share
from dashboard.common.options_state import key
from dashboard.trade_offs.contenders import SECONDS_EACH
from dashboard.workspace import axis
from dashboard.workspace.options import LAYERS, NAMES, TradeOffSettings

SPACINGS: Final = (0.1, 0.05, 0.02, 0.01, 0.005)
SECONDS: Final = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)
_WITH_TARIFF: Final = ("money", "carbon")


def show_toolbar(chosen: TradeOffSettings) -> None:
    """The widgets above the chart."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="toolbar"):
        st.selectbox(
            "Axis",
            axis.QUANTITIES,
            list(axis.QUANTITIES).index(chosen.axis),
            format_func=axis.QUANTITIES.__getitem__,
            key=key("axis"),
            label_visibility="collapsed",
            width=150,
        )
        if chosen.axis in _WITH_TARIFF:
            with st.popover("Tariff", icon=":material/payments:"):
                _show_tariff(chosen)
        with st.popover("Show", icon=":material/layers:"):
            st.pills(
                "Show in the chart",
                LAYERS,
                selection_mode="multi",
                default=chosen.show,
                format_func=LAYERS.__getitem__,
                key=key("show"),
            )
            st.pills(
                "Compare with other methods",
                NAMES,
                selection_mode="multi",
                default=chosen.rivals,
                format_func=NAMES.__getitem__,
                key=key("rivals"),
                help="Each method runs in the background for at most "
                f"{duration(SECONDS_EACH, Sense.TYPED)}. All except NSGA-II minimise the makespan "
                "alone.",
            )
        with st.popover("Effort", icon=":material/tune:"):
            _show_effort(chosen)


def show_prices(chosen: TradeOffSettings) -> None:
    """The fields for price and PUE that the tariff of the axis does not show."""
    if chosen.axis != "money":
        _show_price(chosen)
    if chosen.axis not in _WITH_TARIFF:
        _show_pue(chosen)


def _show_tariff(chosen: TradeOffSettings) -> None:
    if chosen.axis == "money":
        _show_price(chosen)
    else:
        _number("Carbon (kg CO₂ per kWh)", "carbon", chosen.carbon, axis.CARBON, "%.4g")
    _show_pue(chosen)


def _show_price(chosen: TradeOffSettings) -> None:
    price, currency = st.columns([3, 2], gap="small", wrap=False)
    with price:
        _number("Price per kWh", "price", chosen.price, axis.PRICE, "%.4g")
    with currency:
        st.selectbox(
            "Currency",
            axis.CURRENCIES,
            axis.CURRENCIES.index(chosen.currency),
            key=key("currency"),
        )


def _show_pue(chosen: TradeOffSettings) -> None:
    _number(
        "PUE",
        "pue",
        chosen.pue,
        axis.PUE,
        "%.3g",
        "Power usage effectiveness: the energy of the whole site for each joule of the machines.",
    )


def _number(
    label: str, field: str, value: float, allowed: Range, form: str, meaning: str | None = None
) -> None:
    st.number_input(
        label,
        allowed.low,
        allowed.high,
        value,
        key=key(field),
        format=form,
        help=meaning,
    )


def _show_effort(chosen: TradeOffSettings) -> None:
    st.select_slider(
        "Spacing of the schedules",
        _with(SPACINGS, chosen.spacing, down=True),
        chosen.spacing,
        format_func=lambda value: share(value, Sense.TYPED),
        key=key("spacing"),
        help="The distance between neighbouring schedules before polish, as a share of the front.",
    )
    st.select_slider(
        "Polish for",
        _with(SECONDS, chosen.polish),
        chosen.polish,
        format_func=lambda value: duration(value, Sense.TYPED),
        key=key("polish"),
        help="Local search in the background that brings the schedules closer to the lower bound.",
    )


def _with(offered: tuple[float, ...], value: float, *, down: bool = False) -> list[float]:
    """The values offered, and the one that the address asks for."""
    return sorted({*offered, value}, reverse=down)
