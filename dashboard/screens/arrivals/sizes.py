"""Sizes in which jobs ran under each policy, and what cores and memory are worth by the hour."""

import streamlit as st

from core.capabilities.arrivals.trials import ReplayComparison
from core.capabilities.arrivals.value_told import PRICES_TITLE, priced_lines, value_tables
from core.shells.told.told import ToldTable
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.told import show_table
from dashboard.screens.arrivals.prices_chart import prices_figure


def show_sizes_and_prices(found: ReplayComparison) -> None:
    """A table of sizes and a chart of prices, beside each other, as far as there are any."""
    if not (tables := list(value_tables(found))):
        return
    for place, table in zip(st.columns(len(tables), gap="large"), tables, strict=True):
        with place:
            st.subheader(table.title, anchor=False)
            if table.title == PRICES_TITLE:
                _show_prices(found, table)
            else:
                show_table(table)


def _show_prices(found: ReplayComparison, table: ToldTable) -> None:
    lines = {} if found.prices is None else priced_lines(found.prices)
    most = ", ".join(
        f"{name} at most {amount(float(worth.max()), Sense.PLAIN)}" for name, worth in lines.items()
    )
    alt = f"Line chart over the hours of the day: what 1 more would be worth. {most}."
    show_chart(prices_figure(lines), "arrivals_prices", alt=alt)
    st.caption(table.note)
    with st.expander("The numbers"):
        show_table(table)
