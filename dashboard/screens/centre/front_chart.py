"""What other lateness and excess would cost: the bound of each slice of the front, and plans."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.centre.answer import CentreAnswer
from core.capabilities.centre.front import DaySlice
from core.capabilities.centre.method_plan import MethodPlan
from core.capabilities.centre.objectives import DayAim
from core.capabilities.centre.recover import counted
from core.capabilities.centre.settings import METHOD_NAMES
from core.capabilities.centre.told import said
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import JOULES_PER_KWH, Sense, energy, share
from dashboard.parts.charts.drawing import CLICKED, Drawing, is_near
from dashboard.parts.charts.palette import INK, OURS, RIVAL, dash, shade, symbol
from dashboard.parts.charts.text import plain

_HEIGHT: Final = 380
_TITLES: Final[dict[DayAim, str]] = {"cost": "Cost", "carbon": "CO₂", "energy": "Energy"}
_KG: Final = 1000.0
_ROOM: Final = 1.04
_LEAST_SPAN: Final = 0.01
"""The least kWh of the axis: where excess saves nothing, its numbers can still be read."""


def front_figure(answer: CentreAnswer, slices: Sequence[DaySlice], aim: DayAim) -> go.Figure:
    """Excess to the right, an aim upwards; a line for each lateness, below which no plan is. A
    click on a plan says the place of its point among those of all slices.
    """
    return _FrontChart(answer, aim).figure(slices)


class _FrontChart:
    """A drawing of the front, which has aims in units of `size` of the model's."""

    def __init__(self, answer: CentreAnswer, aim: DayAim) -> None:
        self.drawing = Drawing()
        self.answer, self.aim = answer, aim
        self.size = _KG if aim == "carbon" else 1.0

    def figure(self, slices: Sequence[DaySlice]) -> go.Figure:
        points = [point for one in slices for point in one.points]
        right = max(_LEAST_SPAN, *(point.excess * _ROOM for point in points))
        first = 0
        for place, one in enumerate(slices):
            colour = shade(place / max(len(slices) - 1, 1))
            self._add_bound(one, place, right, colour)
            self._add_plans(one, first, {"color": colour, "size": 8, "symbol": symbol(place)})
            first += len(one.points)
        seen = np.array([(point.excess, point.least / self.size) for point in points])
        for method in (*self.answer.plans, self.answer.usual):
            self._add_method(method, seen)
        self.drawing.x_axis("Excess (kWh above the target)", rangemode="tozero")
        self.drawing.y_axis(f"{_TITLES[self.aim]} ({self._unit})")
        left = {"align": "left"}
        return self.drawing.figure(
            _HEIGHT, above=44, hovermode="closest", hoverlabel=left, showlegend=True
        )

    @property
    def _unit(self) -> str:
        money = plain(self.answer.file.currency)
        return {"cost": money, "carbon": "kg", "energy": "kWh"}[self.aim]

    def _add_bound(self, one: DaySlice, place: int, right: float, colour: str) -> None:
        """The line below which no plan of this lateness is."""
        excess = one.corners(right)
        self.drawing.add_line(
            colour,
            2,
            dash(place),
            x=excess,
            y=one.least(excess) / self.size,
            name=f"late by {share(one.late, Sense.TYPED)}" if one.late else "nothing late",
            showlegend=True,
        )

    def _add_plans(self, one: DaySlice, first: int, marker: dict[str, object]) -> None:
        """The plans that were found for the points of a slice, whose places begin with `first`, and
        that keep it.
        """
        kept = [
            (place, counted(self.answer.day, point.found.measures))
            for place, point in enumerate(one.points, first)
            if point.found is not None and point.found.beyond == 0
        ]
        if kept:
            self.drawing.add_scatter(
                x=[reached["excess"] for _, reached in kept],
                y=[reached[self.aim] / self.size for _, reached in kept],
                mode="markers",
                marker=marker,
                customdata=[(place, self._said(reached)) for place, reached in kept],
                showlegend=False,
                **CLICKED,
            )

    def _said(self, reached: Mapping[DayAim, float]) -> str:
        late = reached["lateness"] / self.answer.day.jobs.execution_steps
        return "<br>".join(
            (
                f"<b>{plain(said(self.answer, self.aim, reached[self.aim]))}</b>",
                f"{energy(reached['excess'] * JOULES_PER_KWH, Sense.PLAIN)} above the target",
                f"late by {share(late, Sense.PLAIN)} of the time that all jobs run",
            )
        )

    def _add_method(self, one: MethodPlan, seen: FloatArray) -> None:
        """What a method came to, unless that is so far away that nothing else could be seen."""
        if one.measures is None:
            return
        reached = counted(self.answer.day, one.measures)
        at = np.array([reached["excess"], reached[self.aim] / self.size])
        if not is_near(at, seen):
            return
        name, is_ours = METHOD_NAMES[one.method], one.method == "plan"
        colour, shape = (OURS, "star") if is_ours else (RIVAL, "x")
        self.drawing.add_scatter(
            x=at[:1],
            y=at[1:],
            mode="markers+text",
            marker={"color": colour, "size": 12, "symbol": shape},
            text=[name],
            textposition="top center",
            textfont={"color": INK},
            customdata=[f"<b>{name}</b><br>{self._said(reached)}"],
            showlegend=False,
        )
        if is_ours:
            self.drawing.add_ring(x=at[:1], y=at[1:])
