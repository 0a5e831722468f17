"""Figures as SVG files. Matplotlib is an extra: without it there are no pictures, only tables."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from core.reproduce.figure import Figure, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection

# Okabe and Ito's palette, which colour-blind readers can tell apart; the most distinct first.
COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
# The third line may coincide with the second, and shows on top of it.
LINES: Final = ("-", "-", ":", "-.")
LINE_WIDTHS: Final = (1.5, 3.0, 1.8, 1.5)
PANEL_INCHES: Final = (7.2, 3.6)
SEVERAL_PANELS_INCHES: Final = (4.2, 3.4)
GAP_BETWEEN_GROUPS: Final = 0.2

STYLE: Final[dict[str, Any]] = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.columnspacing": 1.0,
    "legend.fontsize": "small",
    "legend.frameon": False,
    "legend.handlelength": 1.5,
    # Text stays text: small files that can be searched. Fixed ids: equal data, equal files.
    "svg.fonttype": "none",
    "svg.hashsalt": "wattfront",
}


def can_draw() -> bool:
    return find_spec("matplotlib") is not None


def draw(figure: Figure, path: Path) -> None:
    """Draw all panels of a figure side by side; the suffix of `path` says in which format."""
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    with style.context(STYLE):
        panels = figure.panels
        width, height = PANEL_INCHES
        if len(panels) > 1:
            width, height = SEVERAL_PANELS_INCHES[0] * len(panels), SEVERAL_PANELS_INCHES[1]
        canvas = Canvas(figsize=(width, height))
        FigureCanvasAgg(canvas)
        for axes, panel in zip(
            canvas.subplots(1, len(panels), squeeze=False)[0], panels, strict=True
        ):
            if panel.marks == "violins":
                _violins(axes, panel)
            else:
                _lines(axes, panel)
            _label(axes, panel)
            if len(panels) > 1:
                axes.set_title(panel.title, loc="left")
        canvas.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=110)


def _lines(axes: "Axes", panel: Panel) -> None:
    middle = np.median if panel.robust else np.mean
    for k, series in enumerate(panel.series):
        few = len(series.x) < 10
        axes.plot(
            series.x,
            middle(series.values, axis=1),
            LINES[k],
            linewidth=LINE_WIDTHS[k],
            color=COLOURS[k],
            label=series.name,
            marker="o" if few else None,
            markersize=3.5,
        )
    if panel.log_y:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)


def _violins(axes: "Axes", panel: Panel) -> None:
    """The distribution at each x, the series side by side; a bar marks mean or median.

    On a logarithmic axis the density is that of the logarithm, as the eye expects.
    """
    width = (1.0 - GAP_BETWEEN_GROUPS) / len(panel.series)
    middle = np.median if panel.robust else np.mean
    for k, series in enumerate(panel.series):
        places = np.arange(len(series.x)) + width * (k - (len(panel.series) - 1) / 2)
        values = np.log10(series.values) if panel.log_y else series.values
        bodies = axes.violinplot(
            list(values), places, widths=0.95 * width, showextrema=False, points=40
        )
        for body in cast("list[PolyCollection]", bodies["bodies"]):
            body.set(facecolor=COLOURS[k], edgecolor=COLOURS[k], alpha=0.55, linewidth=0.5)
        centre = middle(series.values, axis=1)
        axes.hlines(
            np.log10(centre) if panel.log_y else centre,
            places - 0.4 * width,
            places + 0.4 * width,
            color=COLOURS[k],
            label=series.name,
        )
    axes.set_xticks(np.arange(len(panel.categories)), panel.categories)
    axes.grid(visible=False, axis="x")
    if panel.log_y:
        _label_powers(axes)


def _label_powers(axes: "Axes") -> None:
    """Ticks 1, 2, 5 of every decade on an axis that holds logarithms."""
    low, high = axes.get_ylim()
    decades = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    many = high - low > 2.5
    ticks = [
        decade + np.log10(step) for decade in decades for step in ((1,) if many else (1, 2, 5))
    ]
    ticks = [tick for tick in ticks if low <= tick <= high]
    axes.set_yticks(ticks, [f"{10**tick:,.6g}" for tick in ticks])


def _label(axes: "Axes", panel: Panel) -> None:
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(f"{panel.y_label} ({panel.unit})" if panel.unit else panel.y_label)
    if panel.marks == "lines":
        axes.locator_params(axis="x", nbins=5)
        axes.xaxis.set_major_formatter(_large)
    if panel.marks == "lines" or not panel.log_y:
        axes.yaxis.set_major_formatter(_plain)
    if len(panel.series) > 1:
        axes.legend(
            loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0, ncols=len(panel.series)
        )


def _large(value: float, _position: float) -> str:
    return f"{value / 1e6:g} M" if abs(value) >= 1e5 else f"{value:,.0f}"


def _plain(value: float, _position: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
