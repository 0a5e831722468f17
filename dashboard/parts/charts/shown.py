"""Shows a chart on a page."""

from collections.abc import Callable
from typing import Any, Final

import plotly.graph_objects as go
import streamlit as st

from dashboard.patches.credible import mark_of
from dashboard.server.guard import callback

_TOOLS: Final[dict[str, Any]] = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d"],
}
"""The tool bar of every chart offers download, zoom and pan, but no selections."""


def show_chart(
    figure: go.Figure,
    key: str,
    alt: str,
    take: Callable[[list[Any]], None] | None = None,
    **selecting: Any,
) -> None:
    """Shows a figure; `alt` says what is on it to those who do not see it. If it can be clicked,
    `take` gets what the mark that was clicked says of itself, or nothing if it is none of ours;
    `selecting` has other arguments of Streamlit's chart.
    """
    if take is not None:
        clicked = callback(lambda: take(mark_of(st.session_state[key])))
        selecting |= {"on_select": clicked, "selection_mode": "points"}
    st.plotly_chart(figure, key=key, config=_TOOLS, alt=alt, **selecting)
