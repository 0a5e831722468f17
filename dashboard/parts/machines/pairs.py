"""The pairs of the system in force as a heat map, and what its data say, each computed once."""

from typing import Final

import plotly.graph_objects as go
import streamlit as st

from core import System
from dashboard.pages import HowToRead
from dashboard.parts.charts.heat_map import QUANTITIES, PairQuantity, heat_map
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.setting import show_look
from dashboard.parts.machines.insight import Insight, insight
from dashboard.server.caching import BY_CONTENT

READING: Final = HowToRead(
    "Pairs as a heat map",
    "Each row is a task type, each column a machine type. Dark means a large value. A cell "
    "with a cross, or a blank one, is a pair that cannot run. A ring marks a pair whose values "
    "are estimates and not measurements; if neighbours share a cell, more than half of them "
    "are. If values differ widely, the colours have a logarithmic scale, and the title says "
    "so.",
)


@st.cache_data(max_entries=8, show_spinner=False, hash_funcs=BY_CONTENT)
def found_in(system: System) -> Insight:
    return insight(system)


@st.cache_data(max_entries=8, show_spinner=False, hash_funcs=BY_CONTENT)
def picture(system: System, word: str) -> go.Figure:
    return heat_map(system, _quantity(word))


def show_pairs(system: System) -> None:
    st.subheader("Pairs of task type and machine type", anchor=False)
    offered = [q.word for q in QUANTITIES if system.apc is not None or not q.needs_power]
    word = show_look("Quantity", offered, "pairs.quantity")
    show_chart(
        picture(system, word),
        "pairs",
        alt=f"Heat map: {_quantity(word).title.lower()} of each pair of task type and machine type",
    )
    if system.estimated is not None:
        st.caption("A ring marks pairs that are estimates and not measurements.")
    if system.apc is None:
        st.caption("Without powers (APC), there is no power and no energy to show.")


def _quantity(word: str) -> PairQuantity:
    return next(quantity for quantity in QUANTITIES if quantity.word == word)
