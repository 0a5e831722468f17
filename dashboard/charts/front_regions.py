"""The regions of the front's chart: forbidden, possible, achieved."""

from dataclasses import dataclass

import numpy as np

from core.study import Study
from core.system import FloatArray
from dashboard.charts.drawing import Drawing
from dashboard.charts.palette import ACHIEVED, BOUND, FORBIDDEN, HATCHED, OURS, POSSIBLE
from dashboard.charts.time_axis import TimeUnit
from dashboard.logic.axis import Axis


@dataclass(frozen=True, eq=False)
class Frame:
    """From joules and seconds to where they are drawn."""

    axis: Axis
    time: TimeUnit
    low: FloatArray
    high: FloatArray

    @property
    def beyond(self) -> FloatArray:
        """As far as regions go, for those who zoom out."""
        return self.high + 3 * (self.high - self.low)

    def x(self, points: FloatArray) -> FloatArray:
        return self.axis.of(points[:, 0])

    def y(self, points: FloatArray) -> FloatArray:
        seconds: FloatArray = points[:, 1] / self.time.seconds
        return seconds


def add_regions(drawing: Drawing, frame: Frame, study: Study) -> None:
    """Forbidden below the proven boundary, achieved above the staircase, possible between."""
    (left, bottom), (right, top) = frame.low - (frame.high - frame.low) * 3, frame.beyond
    outer = _extended(study.outer, right, top)
    forbidden = np.vstack([outer, [[right, bottom], [left, bottom], [left, top]]])
    _add_region(drawing, frame, forbidden, "Impossible", FORBIDDEN, hatched=True)
    inner = _extended(study.inner, right, top) if len(study.achieved) else None
    corner = np.array([[right, top]])
    if inner is None:
        _add_region(drawing, frame, np.vstack([outer, corner]), "Possible", POSSIBLE)
    else:
        _add_region(drawing, frame, np.vstack([outer, inner[::-1]]), "Possible", POSSIBLE)
        _add_region(drawing, frame, np.vstack([inner, corner]), "Achieved", ACHIEVED)
        drawing.add_scatter(
            x=frame.x(inner),
            y=frame.y(inner),
            mode="lines",
            line={"color": OURS, "width": 1},
            hoverinfo="skip",
            showlegend=False,
        )
    drawing.add_scatter(
        x=frame.x(outer),
        y=frame.y(outer),
        mode="lines",
        line={"color": BOUND, "width": 1.6},
        name="Proven bound",
        hoverinfo="skip",
    )


def _extended(boundary: FloatArray, right: float, top: float) -> FloatArray:
    """From its first point straight up, from its last straight to the right."""
    return np.vstack([[boundary[0, 0], top], boundary, [right, boundary[-1, 1]]])


def _add_region(
    drawing: Drawing,
    frame: Frame,
    polygon: FloatArray,
    name: str,
    colour: str,
    *,
    hatched: bool = False,
) -> None:
    drawing.add_scatter(
        x=frame.x(polygon),
        y=frame.y(polygon),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=colour,
        fillpattern=HATCHED if hatched else None,
        name=name,
        hoverinfo="skip",
    )
