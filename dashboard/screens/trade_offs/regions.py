"""The regions in the chart of the front: impossible, possible, achieved."""

import numpy as np

from core.engines.front.study import Study
from core.vocabulary.arrays import FloatArray
from dashboard.parts.charts.drawing import Drawing, Frame
from dashboard.parts.charts.palette import ACHIEVED, BOUND, FORBIDDEN, HATCHED, OURS, POSSIBLE


def add_regions(drawing: Drawing, frame: Frame, study: Study) -> None:
    """Impossible below the lower bound, achieved above the staircase of schedules, possible
    between.
    """
    # The regions go on beyond the chart, for people who zoom out.
    beyond = 3 * (frame.high - frame.low)
    (left, bottom), (right, top) = frame.low - beyond, frame.high + beyond
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
            **frame.xy(inner),
            mode="lines",
            line={"color": OURS, "width": 1},
            hoverinfo="skip",
            showlegend=False,
        )
    drawing.add_scatter(
        **frame.xy(outer),
        mode="lines",
        line={"color": BOUND, "width": 1.6},
        name="Lower bound",
        hoverinfo="skip",
    )


def _extended(boundary: FloatArray, right: float, top: float) -> FloatArray:
    """The boundary, extended from its first point upwards, and from its last to the right."""
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
        **frame.xy(polygon),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=colour,
        fillpattern=HATCHED if hatched else None,
        name=name,
        hoverinfo="skip",
    )
