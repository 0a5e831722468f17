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
from core.vocabulary.say.words import Sense, duration, share
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.drawing import (
    CLICKED,
    Drawing,
    Frame,
    is_near,
    makespan_title,
    spanning,
)
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
_SEEN: Final = 0.004
"""A region that is narrower than this share of the chart gets no label."""
_SHORT: Final = 0.05
"""An axis that spans less than this share of its largest value is said to do so."""
_ASIDE: Final = 56.0
_BELOW: Final = 24.0
"""How far a label is from the bend of the bound, in pixels, where there is room for it."""
_NARROW: Final = 0.3
_HIGH: Final = (0.98, 0.86, 0.74)
"""The heights at which the label at the right can be, as shares of the chart: the first at which it
covers no mark.
"""
_SYMBOLS: Final = ("square", "triangle-up", "triangle-down", "hexagon", "star-diamond")


@dataclass(frozen=True, eq=False)
class Picture:
    """What is drawn: a study on an axis, the layers, the rivals, the chosen schedule as (joules,
    seconds), the points that polish has underway, the line of a wish, the study before the idle
    power was changed, the corners that must stay in sight while it is changing, and where the log
    stands.
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
    here: Schedule | None = None

    @property
    def here_at(self) -> FloatArray | None:
        """Where the log stands, as (joules, seconds)."""
        return None if self.here is None else np.array([self.here.energy, self.here.makespan])


def front_figure(picture: Picture) -> go.Figure:
    """Energy to the right, time upwards. `customdata[0]` of a point names its schedule: "study 12",
    "here 0", or the name of a rival and a number.
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
    _label_regions(drawing, frame, picture)
    if picture.underway is not None:
        _add_underway(drawing, frame, picture.underway)
    for contender, symbol in zip(picture.rivals, cycle(_SYMBOLS), strict=False):
        _add_rival(drawing, frame, study.proven, contender, symbol)
    if "corners" in picture.layers:
        _add_corner(drawing, frame, study.front.utopia, "Utopia", "star-open", "top right")
        _add_corner(drawing, frame, study.nadir, "Nadir", "x-thin-open", "top left")
    if picture.wish is not None:
        _add_wish(drawing, frame, picture.wish)
    if picture.here_at is not None:
        _add_here(drawing, frame, study.proven, picture.here_at, picture.chosen)
    if picture.chosen is not None:
        drawing.add_ring(**frame.xy(np.array([picture.chosen])))
    across, upwards = frame.ranges
    energy, time = (frame.high - frame.low) / np.maximum(frame.high, 1e-300)
    drawing.x_axis(_titled(picture.axis.label, energy), range=across)
    drawing.y_axis(_titled(makespan_title(frame.time), time), range=upwards)
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
    if (here := picture.here_at) is not None and is_near(here, np.concatenate(seen)):
        seen.append(here[None])
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


def _add_here(
    drawing: Drawing,
    frame: Frame,
    proven: Proven,
    here: FloatArray,
    chosen: tuple[float, float] | None,
) -> None:
    """Where the log stands, and an arrow to the chosen schedule; or an arrow to where it is."""
    if note := _beyond(frame, Corners(here, here)):
        arrow, place = note
        span = f"{frame.axis.say(here[0], Sense.PLAIN)}, {duration(here[1], Sense.PLAIN)}"
        if arrow in "←→" and frame.low[1] < here[1] < frame.high[1]:
            place |= {"y": float(frame.xy(here[None])["y"][0]), "yref": "y"}
        _add_note(drawing, f"{arrow} you are here ({span})", place)
        return
    across, upwards = _parts(frame, here)
    (said,) = _hover(proven, here[None], frame.axis, "You are here: placed as in the log")
    drawing.add_here(
        left=across > 0.5,
        low=upwards < 0.2,
        customdata=[("here 0", said)],
        **CLICKED,
        **frame.xy(here[None]),
    )
    if chosen is None or np.allclose(chosen, here, rtol=1e-9):
        return
    begin, end = (
        {key: float(value[0]) for key, value in frame.xy(np.array([point])).items()}
        for point in (here, chosen)
    )
    drawing.add_annotation(
        **{**end, "text": "", "showarrow": True, "axref": "x", "ayref": "y"},
        **{"ax": begin["x"], "ay": begin["y"], "standoff": 12, "startstandoff": 8},
        **{"arrowcolor": CHOSEN, "arrowwidth": 1.5, "arrowhead": 2},
    )


def _add_note(drawing: Drawing, text: str, place: dict[str, Any]) -> None:
    """A text at an edge of the chart."""
    font = {"size": 12, "color": INK}
    refs = {"xref": "paper", "yref": "paper"}
    drawing.add_annotation(**{"text": text, "font": font, "bgcolor": PAPER, **refs, **place})


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
        _add_note(drawing, f"{arrow} {before.title.lower()} ({span})", place)


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
    look = {"name": wish.title, "showlegend": not wish.has_handle}
    drawing.add_line(CHOSEN, 2, "dot", **frame.xy(ends), **look)


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
        showlegend=False,
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

    def add(colour: str, corners: FloatArray, name: str, **look: Any) -> None:
        drawing.add_area(colour, **frame.xy(corners), name=name, showlegend=False, **look)

    add(FORBIDDEN, forbidden, "Impossible", fillpattern=HATCHED)
    inner = extended(study.inner, right, top) if len(study.achieved) else None
    corner = np.array([[right, top]])
    if inner is None:
        add(POSSIBLE, np.vstack([outer, corner]), "Possible")
    else:
        add(POSSIBLE, np.vstack([outer, inner[::-1]]), "Possible")
        add(ACHIEVED, np.vstack([inner, corner]), "Achieved")
        drawing.add_line(OURS, 1, "solid", **frame.xy(inner))
    drawing.add_line(BOUND, 1.6, "solid", **frame.xy(outer), name="Lower bound")


def _label_regions(drawing: Drawing, frame: Frame, picture: Picture) -> None:
    """Says what the regions and the bound are where they lie. The lower edge is always impossible,
    and the upper right corner always achieved once there are schedules.
    """
    study = picture.study
    right = {"x": 0.99, "xanchor": "right"}
    _add_note(drawing, "Impossible", {**right, "y": 0, "yanchor": "bottom"})
    found = len(study.achieved) > 0
    _add_note(
        drawing,
        "Achieved: each dot is a schedule" if found else "Possible",
        {**right, "y": _free_height(frame, picture), "yanchor": "top"},
    )
    bound = study.outer if len(study.outer) else study.front.points
    bend = bound[_parts(frame, bound).sum(axis=1).argmin()]
    across, upwards = _parts(frame, bend)
    aside = _ASIDE if across < _NARROW else -_ASIDE
    below = min(_BELOW, max(upwards * HEIGHT * 0.88 - 12, 0.0))
    _add_label(drawing, frame, bend, "Lower bound", (aside, below))
    if found and (between := _widest_gap(frame, study)) is not None:
        _add_label(drawing, frame, between, "Possible", (44, -30))


def _parts(frame: Frame, points: FloatArray) -> FloatArray:
    """How far points are across the chart and up, from 0 to 1."""
    found: FloatArray = (points - frame.low) / np.maximum(frame.high - frame.low, 1e-300)
    return found


def _free_height(frame: Frame, picture: Picture) -> float:
    """The height of a label at the right that covers neither the chosen schedule nor the log."""
    marks = [np.array(at) for at in (picture.chosen, picture.here_at) if at is not None]
    right = [up for across, up in (_parts(frame, at) for at in marks) if across > _NARROW]
    free = (high for high in _HIGH if all(abs(up - high + 0.03) > 0.07 for up in right))
    return next(free, _HIGH[0])


def _titled(title: str, span: float) -> str:
    """The title of an axis, which says if it shows little of its quantity, so that nobody takes a
    small difference for a large one.
    """
    return title if span >= _SHORT else f"{title} – spans only {share(span, Sense.HEADLINE)}"


def _widest_gap(frame: Frame, study: Study) -> FloatArray | None:
    """A point in the region between bound and schedules where it is widest in energy; None if
    nobody would see it.
    """
    steps, bound = study.achieved, study.front.points
    seconds = steps[:-1, 1] - (steps[:-1, 1] - steps[1:, 1]) / 4
    least = np.interp(seconds, bound[::-1, 1], bound[::-1, 0])
    wide = np.append(steps[1:, 0] - least, 0.0)
    k = int(wide.argmax())
    if wide[k] < _SEEN * (frame.high - frame.low)[0]:
        return None
    return np.array([least[k] + wide[k] / 2, seconds[k]])


def _add_label(
    drawing: Drawing, frame: Frame, point: FloatArray, text: str, away: tuple[float, float]
) -> None:
    """A text so many pixels right of a point and below it, with a line to it."""
    at = {key: float(value[0]) for key, value in frame.xy(point[None]).items()}
    drawing.add_annotation(
        **{**at, "text": text, "ax": away[0], "ay": away[1], "font": {"size": 12, "color": INK}},
        **{"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": INK, "bgcolor": PAPER},
    )
