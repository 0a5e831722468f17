"""The toolbar of the page Trade-offs: axis, tariff, layers of the chart, rivals, and polish."""

from typing import Final

import streamlit as st

from core.model.ranges import Range
from core.say.words import Sense, duration, share
from dashboard.common.trade_off_state import key
from dashboard.trade_offs.contenders import SECONDS_EACH
from dashboard.workspace import axis
from dashboard.workspace.trade_off_settings import LAYERS, RIVAL_NAMES, TradeOffSettings

SPACINGS: Final = (0.1, 0.05, 0.02, 0.01, 0.005)
SECONDS: Final = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)
_WITH_TARIFF: Final = ("money", "carbon")


def show_toolbar(settings: TradeOffSettings) -> None:
    """The widgets above the chart."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="toolbar"):
        st.selectbox(
            "Axis",
            axis.QUANTITIES,
            list(axis.QUANTITIES).index(settings.axis),
            format_func=axis.QUANTITIES.__getitem__,
            key=key("axis"),
            label_visibility="collapsed",
            width=150,
        )
        if settings.axis in _WITH_TARIFF:
            with st.popover("Tariff", icon=":material/payments:"):
                _show_tariff(settings)
        with st.popover("Show", icon=":material/layers:"):
            st.pills(
                "Show in the chart",
                LAYERS,
                selection_mode="multi",
                default=settings.show,
                format_func=LAYERS.__getitem__,
                key=key("show"),
            )
            st.pills(
                "Compare with other methods",
                RIVAL_NAMES,
                selection_mode="multi",
                default=settings.rivals,
                format_func=RIVAL_NAMES.__getitem__,
                key=key("rivals"),
                help="Each method runs in the background for at most "
                f"{duration(SECONDS_EACH, Sense.TYPED)}. All except NSGA-II minimise the makespan "
                "alone.",
            )
        with st.popover("Effort", icon=":material/tune:"):
            _show_effort(settings)


def show_prices(settings: TradeOffSettings) -> None:
    """The fields for price and PUE that the tariff of the axis does not show."""
    if settings.axis != "money":
        _show_price(settings)
    if settings.axis not in _WITH_TARIFF:
        _show_pue(settings)


def _show_tariff(settings: TradeOffSettings) -> None:
    if settings.axis == "money":
        _show_price(settings)
    else:
        _number("Carbon (kg CO₂ per kWh)", "carbon", settings.carbon, axis.CARBON, "%.4g")
    _show_pue(settings)


def _show_price(settings: TradeOffSettings) -> None:
    price, currency = st.columns([3, 2], gap="small", wrap=False)
    with price:
        _number("Price per kWh", "price", settings.price, axis.PRICE, "%.4g")
    with currency:
        st.selectbox(
            "Currency",
            axis.CURRENCIES,
            axis.CURRENCIES.index(settings.currency),
            key=key("currency"),
        )


def _show_pue(settings: TradeOffSettings) -> None:
    _number(
        "PUE",
        "pue",
        settings.pue,
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


def _show_effort(settings: TradeOffSettings) -> None:
    st.select_slider(
        "Spacing of the schedules",
        _with(SPACINGS, settings.spacing, down=True),
        settings.spacing,
        format_func=lambda value: share(value, Sense.TYPED),
        key=key("spacing"),
        help="The distance between neighbouring schedules before polish, as a share of the front.",
    )
    st.select_slider(
        "Polish for",
        _with(SECONDS, settings.polish),
        settings.polish,
        format_func=lambda value: duration(value, Sense.TYPED),
        key=key("polish"),
        help="Local search in the background that brings the schedules closer to the lower bound.",
    )


def _with(offered: tuple[float, ...], value: float, *, down: bool = False) -> list[float]:
    """The values offered, and the one that the address asks for."""
    return sorted({*offered, value}, reverse=down)
