"""Draws the plane of energy and makespan: regions first, then curves, then arrows."""

from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.publications.colours import PICTURE_COLOURS
from benchmarks.publications.plane import Arrows, Curve, Meaning, Plane, Step
from core.vocabulary.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
