"""What the figures of the profit page have in common: gains, losses, axes and legend."""

from typing import Any, Final

import plotly.graph_objects as go

from dashboard.charts.palette import GRID

HEIGHT: Final = 430
GAIN: Final = "#009e73"
LOSS: Final = "#cc3311"
STRIPES: Final[dict[str, Any]] = {
    "shape": "/",
    "size": 6,
    "solidity": 0.35,
    "fgcolor": "rgba(255, 255, 255, 0.85)",
    "bgcolor": LOSS,
}
"""A loss is told from a gain by more than its colour."""


def of_value(value: float) -> str:
    return LOSS if value < 0 else GAIN


def laid_out(figure: go.Figure, x: str, y: str, *, height: int = HEIGHT) -> go.Figure:
    """With titled axes, and the legend above."""
    figure.update_xaxes(title=x, gridcolor=GRID, zeroline=False)
    figure.update_yaxes(title=y, gridcolor=GRID, zeroline=False)
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 24, "b": 8},
        hovermode="closest",
        legend={"orientation": "h", "y": 1.01, "yanchor": "bottom", "x": 0, "font": {"size": 12}},
    )
    return figure
