"""Sizes in which jobs ran under each policy, and what cores and memory are worth by the hour."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.trials import ReplayComparison
from core.capabilities.arrivals.value_told import (
    jobs_by_size,
    priced_lines,
    prices_table,
    size_said,
    sizes_table,
    taken_resources,
)
from core.engines.replay.hourly_prices import HourlyPrices
from core.shells.told.told import ToldTable
from core.vocabulary.say.words import Sense, amount, counted
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.told import show_table
from dashboard.screens.arrivals.prices_chart import prices_figure
from dashboard.screens.arrivals.value_charts import sizes_figure

_POLICY: Final = "arrivals.sizes.policy"


def show_sizes_and_prices(found: ReplayComparison) -> None:
    """Charts of sizes and of prices, beside each other, as far as there are any."""
    parts = list[tuple[ToldTable, Callable[[], None]]]()
    if (sizes := sizes_table(found)) is not None:
        parts.append((sizes, partial(_show_sizes, found)))
    if found.prices is not None:
        table = prices_table(found.prices)
        parts.append((table, partial(_show_prices, found.prices, table.note)))
    if not parts:
        return
    for place, (table, show) in zip(st.columns(len(parts), gap="large"), parts, strict=True):
        with place:
            st.subheader(table.title, anchor=False)
            show()
            with st.expander("The numbers"):
                show_table(table)


def _show_sizes(found: ReplayComparison) -> None:
    key = f"{_POLICY} {' '.join(found.ranked)}"
    policy = st.selectbox(
        "Under the policy", found.ranked, format_func=policy_label, key=key, width=320
    )
    sizes, resources = jobs_by_size(found, policy), taken_resources(found)
    if not sizes:
        st.caption("No job ran.")
        return
    size, jobs = max(sizes.items(), key=lambda pair: pair[1])
    alt = (
        f"Heat map under {policy_label(policy)}: jobs by cores and memory. Most, "
        f"{counted(round(jobs), 'job')}, had {size_said(size, resources[1:])}."
    )
    show_chart(sizes_figure(sizes, resources), "arrivals_sizes", alt=alt)


def _show_prices(prices: HourlyPrices, note: str) -> None:
    lines = priced_lines(prices)
    most = ", ".join(
        f"{name} at most {amount(float(worth.max()), Sense.PLAIN)}" for name, worth in lines.items()
    )
    alt = f"Line chart over the hours of the day: what 1 more would be worth. {most}."
    show_chart(prices_figure(lines), "arrivals_prices", alt=alt)
    st.caption(note)
