"""The chart of the front: what is impossible, possible and achieved, and the rivals."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from core.engines.front.axis import Axis
from core.engines.front.proven import Proven
from core.engines.front.study import Study
from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.boundaries import extended
from core.vocabulary.plane.points import nadir as largest
from core.vocabulary.say.units import time_unit
from core.vocabulary.say.words import Sense, duration
from dashboard.parts.charts.drawing import CLICKED, Drawing, Frame, makespan_title, spanning
from dashboard.parts.charts.palette import (
    ACHIEVED,
    BOUND,
    CHOSEN,
    FORBIDDEN,
    GHOST,
    HATCHED,
    INK,
    OTHERS,
    OURS,
    PAPER,
    POSSIBLE,
    RIVAL,
)
from dashboard.parts.fields.idle_power import Before, Corners
from dashboard.screens.trade_offs.contenders import Contender
from dashboard.screens.trade_offs.figures import Standing, words_of
from dashboard.screens.trade_offs.picking import Line
from dashboard.workspace.trade_off_settings import Layer

HEIGHT: Final = 470
MOST_ARROWS: Final = 60
MANY: Final = 150
_MARGIN: Final = 0.06
_MISSED: Final = 0.5
"""If more than this share of the front before is out of sight, an arrow says so."""
_SYMBOLS: Final = ("square", "triangle-up", "triangle-down", "hexagon", "star-diamond")


@dataclass(frozen=True, eq=False)
class Picture:
    """What is drawn: a study on an axis, the layers, the rivals, the chosen schedule as (joules,
    seconds), the points that polish has underway, the line of a wish, the study before the idle
    power was changed, and the corners that must stay in sight while it is changing.
    """

    study: Study
    axis: Axis
    layers: Sequence[Layer] = ()
    rivals: Sequence[Contender] = ()
    chosen: tuple[float, float] | None = None
    underway: FloatArray | None = None
    wish: Line | None = None
    before: Before | None = None
    held: Corners | None = None


def front_figure(picture: Picture) -> go.Figure:
    """Energy to the right, time upwards. `customdata[0]` of a point names its schedule: "study 12",
    or the name of a rival and a number.
    """
    study = picture.study
    frame = frame_of(picture)
    drawing = Drawing()
    add_regions(drawing, frame, study)
    if picture.before is not None:
        _add_before(drawing, frame, picture.before)
    if "progression" in picture.layers:
        _add_progression(drawing, frame, study)
    _add_schedules(drawing, frame, picture)
    if picture.underway is not None:
        _add_underway(drawing, frame, picture.underway)
    for contender, symbol in zip(picture.rivals, cycle(_SYMBOLS), strict=False):
        _add_rival(drawing, frame, study.proven, contender, symbol)
    if "corners" in picture.layers:
        _add_corner(drawing, frame, study.front.utopia, "Utopia", "star-open", "top right")
        _add_corner(drawing, frame, study.nadir, "Nadir", "x-thin-open", "top left")
    if picture.wish is not None:
        _add_wish(drawing, frame, picture.wish)
    if picture.chosen is not None:
        drawing.add_ring(**frame.xy(np.array([picture.chosen])))
    across, upwards = frame.ranges
    drawing.x_axis(picture.axis.label, range=across)
    drawing.y_axis(makespan_title(frame.time), range=upwards)
    return drawing.figure(
        height=HEIGHT,
        clickmode="event+select",
        dragmode="zoom",
        hovermode="closest",
        hoverdistance=24,
        modebar={"orientation": "v"},
    )


def frame_of(picture: Picture) -> Frame:
    """The part of the plane that the chart shows, with a margin even around a single point."""
    study = picture.study
    seen = [study.front.points, study.achieved, study.nadir[None]]
    seen += [_points(contender) for contender in picture.rivals if contender.schedules]
    if picture.chosen is not None:
        seen.append(np.array([picture.chosen]))
    if "dominated" in picture.layers:
        seen.append(study.points)
    if picture.underway is not None:
        seen.append(picture.underway)
    points = np.concatenate(seen)
    corners = Corners(points.min(axis=0), largest(points))
    if picture.held is not None:
        corners = picture.held.with_room_for(corners)
    elif picture.before is not None:
        corners = corners.with_before(Corners.around(picture.before.seen))
    low, high = spanning(corners.low, corners.high)
    if picture.held is None:
        room = _MARGIN * np.where(high > low, high - low, 1.0)
        low, high = low - room, high + room
    return Frame(picture.axis, time_unit(float(corners.high[1])), low, high)


def _add_before(drawing: Drawing, frame: Frame, before: Before) -> None:
    """The front before; if most of it is out of sight, an arrow says where it is."""
    points = before.study.front.points
    drawing.add_scatter(
        **frame.xy(points),
        mode="lines" if len(points) > 1 else "markers",
        line={"color": GHOST, "width": 2, "dash": "dash"},
        marker={"color": GHOST, "size": 7},
        name=before.title,
        hovertemplate=f"{before.title}<extra></extra>",
    )
    if len(before.study.achieved):
        drawing.add_scatter(
            **frame.xy(before.study.achieved),
            mode="markers",
            marker={"color": GHOST, "size": 4, "symbol": "circle-open"},
            hoverinfo="skip",
            showlegend=False,
        )
    if note := _beyond(frame, Corners.around(points)):
        arrow, place = note
        energy = frame.axis.say(points[0, 0], Sense.PLAIN)
        span = f"{energy}, {duration(points[0, 1], Sense.PLAIN)}"
        drawing.add_annotation(
            text=f"{arrow} {before.title.lower()} ({span})",
            xref="paper",
            yref="paper",
            font={"size": 12, "color": INK},
            bgcolor=PAPER,
            **place,
        )


def _beyond(frame: Frame, ghost: Corners) -> tuple[str, dict[str, Any]] | None:
    """The arrow to the side on which most of the front before is out of sight, and its place; None
    if most of it is in sight.
    """
    whole = np.maximum(ghost.high - ghost.low, 1e-12)
    left, below = (frame.low - ghost.low) / whole
    right, above = (ghost.high - frame.high) / whole
    sides = (
        (left, "←", {"x": 0.01, "xanchor": "left", "y": 0.5}),
        (right, "→", {"x": 0.99, "xanchor": "right", "y": 0.5}),
        (below, "↓", {"x": 0.5, "y": 0.01, "yanchor": "bottom"}),
        (above, "↑", {"x": 0.5, "y": 0.99, "yanchor": "top"}),
    )
    missing, arrow, place = max(sides, key=lambda side: side[0])
    return (arrow, place) if missing > _MISSED else None


def _add_wish(drawing: Drawing, frame: Frame, wish: Line) -> None:
    ends = wish.within(Corners(frame.low, frame.high))
    drawing.add_scatter(
        **frame.xy(ends),
        mode="lines",
        line={"color": CHOSEN, "width": 2, "dash": "dot"},
        name=wish.title,
        hoverinfo="skip",
        showlegend=not wish.has_handle,
    )


def _add_progression(drawing: Drawing, frame: Frame, study: Study) -> None:
    steps = study.progression
    chosen = np.linspace(0, len(steps.lower) - 1, min(len(steps.lower), MOST_ARROWS)).astype(int)
    for begin, end, name, colour in (
        (steps.lower, steps.rounded, "Rounded", OTHERS),
        (steps.rounded, steps.assigned, "Assigned", RIVAL),
    ):
        pairs = np.stack([begin, end, np.full_like(end, np.nan)], axis=1)[chosen].reshape(-1, 2)
        drawing.add_scatter(
            **frame.xy(pairs),
            mode="lines+markers",
            line={"color": colour, "width": 1.2},
            marker={
                "symbol": "arrow",
                "angleref": "previous",
                "size": [0, 9, 0] * len(chosen),
                "color": colour,
                "standoff": 0,
            },
            name=name,
            hoverinfo="skip",
        )


def _add_schedules(drawing: Drawing, frame: Frame, picture: Picture) -> None:
    study, axis = picture.study, picture.axis
    if "dominated" in picture.layers:
        _add_points(
            drawing,
            frame,
            study.points[~study.on_front],
            [f"study {k}" for k in np.flatnonzero(~study.on_front)],
            _hover(study.proven, study.points[~study.on_front], axis),
            name="Dominated",
            marker={"symbol": "circle-open", "size": 5, "color": OTHERS},
        )
    if "vertices" in picture.layers:
        _add_points(
            drawing,
            frame,
            study.front.points,
            [""] * len(study.front),
            _hover(study.proven, study.front.points, axis, "Vertex of the bound"),
            name="Vertices",
            marker={"symbol": "diamond-open", "size": 7, "color": BOUND},
        )
    _add_points(
        drawing,
        frame,
        study.achieved,
        [f"study {k}" for k in np.flatnonzero(study.on_front)],
        _hover(study.proven, study.achieved, axis),
        name="Schedules",
        # Many large points would hide the bound.
        marker={"size": 6 if len(study.achieved) < MANY else 3.5, "color": OURS},
    )


def _add_underway(drawing: Drawing, frame: Frame, points: FloatArray) -> None:
    drawing.add_scatter(
        **frame.xy(points),
        mode="markers",
        marker={"symbol": "circle-open", "size": 6, "color": OURS},
        name="Polish underway",
        hovertemplate="found during polish, not checked yet<extra></extra>",
    )


def _add_points(
    drawing: Drawing,
    frame: Frame,
    points: FloatArray,
    identities: list[str],
    hover: list[str],
    **look: Any,
) -> None:
    if not len(points):
        return
    drawing.add_scatter(
        **frame.xy(points),
        mode=look.pop("mode", "markers"),
        customdata=list(zip(identities, hover, strict=True)),
        hovertemplate="%{customdata[1]}<extra></extra>",
        **CLICKED,
        **look,
    )


def _hover(proven: Proven, points: FloatArray, axis: Axis, title: str = "") -> list[str]:
    head = f"{title}<br>" if title else ""
    return [head + words for words in words_of(Standing.of(proven, points), axis)]


def _add_rival(
    drawing: Drawing, frame: Frame, proven: Proven, contender: Contender, symbol: str
) -> None:
    if not contender.schedules:
        return
    points = _points(contender)
    took = f"{contender.title}, in {duration(contender.seconds, Sense.PLAIN)}"
    alone = len(points) == 1
    _add_points(
        drawing,
        frame,
        points,
        [f"{contender.name} {k}" for k in range(len(points))],
        _hover(proven, points, frame.axis, took),
        name=took,
        mode="markers+text" if alone else "markers",
        text=[contender.title] if alone else None,
        textposition="top center",
        textfont={"color": RIVAL, "size": 12},
        marker={"symbol": symbol, "size": 10 if alone else 5, "color": RIVAL},
    )


def _add_corner(
    drawing: Drawing, frame: Frame, point: FloatArray, name: str, symbol: str, where: str
) -> None:
    at = point[None]
    said = f"{name}: {duration(point[1], Sense.PLAIN)}, {frame.axis.say(point[0], Sense.PLAIN)}"
    drawing.add_scatter(
        **frame.xy(at),
        mode="markers+text",
        text=[name],
        textposition=where,
        marker={"symbol": symbol, "size": 11, "color": OTHERS, "line": {"width": 2}},
        hovertemplate=f"{said}<extra></extra>",
        showlegend=False,
    )


def _points(contender: Contender) -> FloatArray:
    return np.array([(one.energy, one.makespan) for one in contender.schedules])


def add_regions(drawing: Drawing, frame: Frame, study: Study) -> None:
    """Impossible below the lower bound, achieved above the staircase of schedules, possible
    between.
    """
    # The regions go on beyond the chart, for people who zoom out.
    beyond = 3 * (frame.high - frame.low)
    (left, bottom), (right, top) = frame.low - beyond, frame.high + beyond
    outer = extended(study.outer, right, top)
    forbidden = np.vstack([outer, [[right, bottom], [left, bottom], [left, top]]])
    hatched = {"fillpattern": HATCHED, "name": "Impossible"}
    drawing.add_area(FORBIDDEN, **frame.xy(forbidden), **hatched)
    inner = extended(study.inner, right, top) if len(study.achieved) else None
    corner = np.array([[right, top]])
    if inner is None:
        drawing.add_area(POSSIBLE, **frame.xy(np.vstack([outer, corner])), name="Possible")
    else:
        drawing.add_area(POSSIBLE, **frame.xy(np.vstack([outer, inner[::-1]])), name="Possible")
        drawing.add_area(ACHIEVED, **frame.xy(np.vstack([inner, corner])), name="Achieved")
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
