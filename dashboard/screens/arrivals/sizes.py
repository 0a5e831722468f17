"""Sizes in which jobs ran under each policy, and what cores and memory are worth by the hour."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.capabilities.arrivals.trials import ReplayComparison
from core.capabilities.arrivals.value_told import priced_lines, prices_table, sizes_table
from core.engines.replay.hourly_prices import HourlyPrices
from core.shells.told.told import ToldTable
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.told import show_table
from dashboard.screens.arrivals.prices_chart import prices_figure


def show_sizes_and_prices(found: ReplayComparison) -> None:
    """A table of sizes and a chart of prices, beside each other, as far as there are any."""
    parts = list[tuple[ToldTable, Callable[[ToldTable], None]]]()
    if (sizes := sizes_table(found)) is not None:
        parts.append((sizes, show_table))
    if found.prices is not None:
        parts.append((prices_table(found.prices), partial(_show_prices, found.prices)))
    if not parts:
        return
    for place, (table, show) in zip(st.columns(len(parts), gap="large"), parts, strict=True):
        with place:
            st.subheader(table.title, anchor=False)
            show(table)


def _show_prices(prices: HourlyPrices, table: ToldTable) -> None:
    lines = priced_lines(prices)
    most = ", ".join(
        f"{name} at most {amount(float(worth.max()), Sense.PLAIN)}" for name, worth in lines.items()
    )
    alt = f"Line chart over the hours of the day: what 1 more would be worth. {most}."
    show_chart(prices_figure(lines), "arrivals_prices", alt=alt)
    st.caption(table.note)
    with st.expander("The numbers"):
        show_table(table)
