"""Shows a chart on a page."""

from typing import Any, Final

import plotly.graph_objects as go
import streamlit as st

_TOOLS: Final[dict[str, Any]] = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d"],
}
"""The tool bar of every chart offers download, zoom and pan, but no selections."""


def show_chart(figure: go.Figure, key: str, alt: str, **selecting: Any) -> None:
    """Shows a figure; `alt` says what is on it to those who do not see it. `selecting` has
    Streamlit's arguments of a chart that can be clicked.
    """
    st.plotly_chart(figure, key=key, config=_TOOLS, alt=alt, **selecting)
