"""Days of a week, or of a month, as small charts of power against the target."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.centre.files.centre_file import CentreFile
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.units import power_unit
from core.vocabulary.say.words import DAY, HOUR, Sense, energy, power
from dashboard.parts.charts.drawing import CLICKED, Drawing
from dashboard.parts.charts.palette import INK, LOSS, PAPER, UNSEEN
from dashboard.screens.centre.clock_axis import CentreClock, OneDate
from dashboard.screens.centre.power_panel import BANDS, ShownPlan, highest

_ROW: Final = 84.0
_APART: Final = 40.0
_ABOVE: Final = 40.0
_A_WEEK: Final = 7
_LEFT: Final = 52.0
"""Room for numbers with units, in pixels."""
_SLOT: Final = 26.0
"""Hours from one small chart to the next: dates have up to 25."""
_SEVERAL: Final = 1.5
"""So many days are shown as several."""


def dates_of(file: CentreFile) -> list[OneDate]:
    """The dates of a centre that is planned for several days; none for one day."""
    if file.grid.seconds < _SEVERAL * DAY:
        return []
    return CentreClock.of(file.grid).dates()


def week_figure(
    file: CentreFile, plan: ShownPlan, dates: Sequence[OneDate], chosen: OneDate | None
) -> go.Figure:
    """A small chart for each date, seven in a row, which says its place among all where it is
    clicked.
    """
    drawing = Drawing()
    weeks = [dates[place : place + _A_WEEK] for place in range(0, len(dates), _A_WEEK)]
    whole = drawing.panels([_ROW] * len(weeks), _APART)
    most = highest(file, [plan])
    unit = power_unit(most)
    for place, week in enumerate(weeks):
        row = _Row(file, drawing, drawing.panel(place), week)
        row.add_bands(plan, unit.size)
        row.add_target(plan, unit.size)
        row.add_dates(plan, most / unit.size, place * _A_WEEK, chosen)
        look = {"nticks": 3, "ticksuffix": f" {unit.symbol}"}
        drawing.panel_axis(row.panel, left=_LEFT, range=[0, most / unit.size], **look)
    drawing.x_names(
        range=[0.0, _SLOT * min(len(dates), _A_WEEK)], showticklabels=False, showgrid=False
    )
    return drawing.figure(
        whole + _ABOVE + 8, above=_ABOVE, barmode="overlay", hovermode="closest", showlegend=False
    )


class _Row:
    """Small charts beside each other on the vertical axis of a panel."""

    def __init__(
        self, file: CentreFile, drawing: Drawing, panel: str, dates: Sequence[OneDate]
    ) -> None:
        self.file, self.drawing, self.panel, self.dates = file, drawing, panel, dates
        self.day = file.day()
        step = self.day.step
        self.steps: list[IntArray] = [
            np.arange(round(one.begins / step), round(one.ends / step)) for one in dates
        ]
        self.left = [_SLOT * place + one.hour for place, one in enumerate(dates)]

    def add_bands(self, plan: ShownPlan, size: float) -> None:
        for name, (_, colour) in BANDS.items():
            watts = getattr(plan.measures, name)
            if watts.any():
                look: dict[str, Any] = {"fillcolor": colour, "stackgroup": self.panel}
                self._add_line(watts / size, PAPER, 0.0, 0.6, **look)

    def add_target(self, plan: ShownPlan, size: float) -> None:
        """The target, and what is above it."""
        target, over = self.day.curves.target, plan.measures.over
        if (target >= self.file.most_watts).all():
            return
        self._add_line(target / size, INK, np.nan, 0.0)
        look = {"fill": "tonexty", "fillcolor": LOSS}
        self._add_line((target + over) / size, LOSS, np.nan, 0.0, **look)
        self._add_line(target / size, INK, np.nan, 2.0)

    def add_dates(self, plan: ShownPlan, most: float, first: int, chosen: OneDate | None) -> None:
        """What each date is called, and what is clicked."""
        for place, (one, left, steps) in enumerate(
            zip(self.dates, self.left, self.steps, strict=True)
        ):
            name = f"<b>{one.name}</b>" if one is chosen else one.name
            middle = left + len(steps) * self.day.step / HOUR / 2
            self.drawing.add_annotation(
                text=name.replace(" ", "<br>", 1),
                x=middle,
                y=most,
                yref=self.panel,
                yanchor="bottom",
            )
            self.drawing.add_bar(
                x=[middle],
                y=[most],
                width=len(steps) * self.day.step / HOUR,
                marker={"color": UNSEEN, "line": {"width": 2 * (one is chosen), "color": INK}},
                customdata=[[first + place, self._said(one, plan, steps)]],
                yaxis=self.panel,
                **CLICKED,
            )

    def _said(self, one: OneDate, plan: ShownPlan, steps: IntArray) -> str:
        measures, step = plan.measures, self.day.step
        lines = [
            f"<b>{one.name}</b>",
            f"{energy(float(measures.power[steps].sum()) * step, Sense.PLAIN)} in all",
            f"{energy(float(measures.grid[steps].sum()) * step, Sense.PLAIN)} from the grid",
            f"at most {power(float(measures.power[steps].max()), Sense.PLAIN)}",
        ]
        over = float(measures.over[steps].sum()) * step
        if over > 0:
            lines.append(f"excess {energy(over, Sense.PLAIN)}")
        return "<br>".join([*lines, "Click to open it"])

    def _add_line(
        self, values: FloatArray, colour: str, between: float, width: float, **look: Any
    ) -> None:
        """A line of steps in each small chart, and another value between them."""
        hours = self.day.step / HOUR
        edges = [
            left + np.arange(len(steps) + 1) * hours
            for left, steps in zip(self.left, self.steps, strict=True)
        ]
        x = np.concatenate([[each[0], *each, each[-1]] for each in edges])
        levels = [[between, *values[steps], values[steps[-1]], between] for steps in self.steps]
        y = np.concatenate(levels)
        line = {"shape": "hv", "color": colour, "width": width}
        self.drawing.add_scatter(
            **{"mode": "lines", "hoverinfo": "skip", "x": x, "y": y, "line": line},
            yaxis=self.panel,
            **look,
        )
