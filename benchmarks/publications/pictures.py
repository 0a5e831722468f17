"""Figures as image files. Matplotlib is optional: without it there are only tables.

The plane of energy and makespan is drawn regions first, then curves, then arrows.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from benchmarks.publications.figure import Arrows, Curve, Figure, Meaning, Panel, Plane, Step
from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection


PICTURE_COLOURS: Final = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
    "#000000",
)
"""By Okabe and Ito, which colour-blind readers can tell apart, the most distinct first."""
# Positions in `PICTURE_COLOURS`.
BLUE, VERMILION, GREEN, PURPLE, BLACK = 0, 1, 2, 3, 6


# Megajoules and seconds, the units of the publication.
UNITS: Final = np.array([1e6, 1.0])
REGIONS: Final[dict[Meaning, tuple[str, str]]] = {
    "impossible": ("#e4e4e4", "proven impossible"),
    "unknown": ("#E69F00", "the true front is in here"),
    "possible": ("#F7F0A8", "dominated by known schedules"),
}
ARROWS: Final[dict[Step, str]] = {"rounding": "#D55E00", "local assignment": "#0072B2"}


def draw_plane(axes: "Axes", plane: Plane) -> None:
    for region in plane.regions:
        colour, label = REGIONS[region.meaning]
        axes.fill(*_shown(region.polygon), facecolor=colour, edgecolor="none", label=label)
    for curve in plane.curves:
        _draw_curve(axes, curve)
    for arrows in plane.arrows:
        _draw_arrows(axes, arrows)
    (left, bottom), (right, top) = plane.low / UNITS, plane.high / UNITS
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    axes.set_xlabel("energy (MJ)")
    axes.set_ylabel("makespan (s)")
    axes.legend(loc="upper right", frameon=True, edgecolor="none")


def _draw_curve(axes: "Axes", curve: Curve) -> None:
    axes.plot(
        *_shown(curve.points),
        linestyle="none" if curve.strokes == "dots" else "-",
        color=PICTURE_COLOURS[curve.colour],
        marker="o" if "dots" in curve.strokes else None,
        markersize=2.6,
        linewidth=1.0 if "dots" in curve.strokes else 1.4,
        label=curve.name,
    )


def _draw_arrows(axes: "Axes", arrows: Arrows) -> None:
    axes.quiver(
        *_shown(arrows.tails),
        *_shown(arrows.heads - arrows.tails),
        angles="xy",
        scale_units="xy",
        scale=1,
        width=0.0022,
        headwidth=5,
        headlength=6,
        headaxislength=5.5,
        minlength=0,
        color=ARROWS[arrows.step],
        label=arrows.step,
    )


def _shown(points: FloatArray) -> FloatArray:
    shown: FloatArray = (points / UNITS).T
    return shown


# The third line may coincide with the second, and is visible on top of it.
LINES: Final = ("-", "-", ":", "-.", "--")
LINE_WIDTHS: Final = (1.5, 3.0, 1.8, 1.5, 1.5)
PANEL_INCHES: Final = (7.2, 3.6)
SEVERAL_PANELS_INCHES: Final = (4.2, 3.4)
PLANE_INCHES: Final = (5.6, 4.2)
PLANES_A_ROW: Final = 2
DOTS_PER_INCH: Final = 110
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
    # Text stays text, so that files are small and can be searched. With fixed ids, equal data give
    # equal files.
    "svg.fonttype": "none",
    "svg.hashsalt": "wattfront",
}


def can_draw() -> bool:
    return find_spec("matplotlib") is not None


def draw(figure: Figure, path: Path) -> None:
    """Draw all panels of a figure: planes at most two in a row, others side by side.

    The suffix of `path` is the format.
    """
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    with style.context(STYLE):
        panels = figure.panels
        columns, (width, height) = len(panels), SEVERAL_PANELS_INCHES
        if any(isinstance(panel, Plane) for panel in panels):
            columns, (width, height) = min(len(panels), PLANES_A_ROW), PLANE_INCHES
        elif len(panels) == 1:
            width, height = PANEL_INCHES
        rows = -(-len(panels) // columns)
        canvas = Canvas(figsize=(width * columns, height * rows))
        FigureCanvasAgg(canvas)
        places = canvas.subplots(rows, columns, squeeze=False).ravel()
        for axes, panel in zip(places, panels, strict=True):
            if isinstance(panel, Plane):
                draw_plane(axes, panel)
            else:
                _measured(axes, panel)
            if len(panels) > 1:
                axes.set_title(panel.title, loc="left")
        metadata = {"Date": None} if path.suffix == ".svg" else None
        canvas.savefig(path, metadata=metadata, dpi=DOTS_PER_INCH)


def _measured(axes: "Axes", panel: Panel) -> None:
    if panel.marks == "violins":
        _violins(axes, panel)
    else:
        _lines(axes, panel)
    _label(axes, panel)


def _lines(axes: "Axes", panel: Panel) -> None:
    middle = np.median if panel.robust else np.mean
    for k, series in enumerate(panel.series):
        few = len(series.x) < 10
        axes.plot(
            series.x,
            middle(series.values, axis=1),
            LINES[k],
            linewidth=LINE_WIDTHS[k],
            color=PICTURE_COLOURS[k],
            label=series.name,
            marker="o" if few else None,
            markersize=3.5,
        )
        if panel.intervals:
            means = [Interval.of(values) for values in series.values]
            middles, sides = [one.mean for one in means], np.array([one.sides() for one in means])
            axes.errorbar(
                series.x,
                middles,
                sides.T,
                fmt="none",
                ecolor=PICTURE_COLOURS[k],
                elinewidth=1.0,
                capsize=2.0,
            )
    if panel.log_y:
        axes.set_yscale("log")
        axes.yaxis.set_minor_formatter(_plain_one_two_five)
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
            body.set(
                facecolor=PICTURE_COLOURS[k],
                edgecolor=PICTURE_COLOURS[k],
                alpha=0.55,
                linewidth=0.5,
            )
        centre = middle(series.values, axis=1)
        axes.hlines(
            np.log10(centre) if panel.log_y else centre,
            places - 0.4 * width,
            places + 0.4 * width,
            color=PICTURE_COLOURS[k],
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
    if panel.log_x:
        axes.set_xscale("log")
    elif panel.marks == "lines":
        axes.locator_params(axis="x", nbins=5)
    if panel.marks == "lines":
        axes.xaxis.set_major_formatter(_large)
    if panel.marks == "lines" or not panel.log_y:
        axes.yaxis.set_major_formatter(_plain)
    if len(panel.series) > 1:
        axes.legend(
            loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0, ncols=len(panel.series)
        )


def _large(value: float, _position: float) -> str:
    if abs(value) >= 1e5:
        return f"{value / 1e6:g} M"
    return f"{value:,.0f}" if value == round(value) else f"{value:g}"


def _plain(value: float, _position: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"


def _plain_one_two_five(value: float, position: float) -> str:
    """Between powers of ten, more labels would crowd a logarithmic axis."""
    return _plain(value, position) if f"{value:.0e}"[0] in "25" else ""
