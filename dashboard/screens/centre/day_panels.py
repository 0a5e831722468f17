"""What the panels of a day share: time, titles, lines of steps, and what a reader points at."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.files.centre_file import CentreFile
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import HOUR
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import UNSEEN
from dashboard.parts.charts.text import plain
from dashboard.screens.centre.clock_axis import CentreClock, OneDate

LEFT: Final = 46.0
"""Room for the numbers of each panel, in pixels."""


class DayPanels:
    """A drawing with the time of a day, in hours since it began, on its one horizontal axis."""

    def __init__(self, file: CentreFile) -> None:
        self.drawing = Drawing()
        self.file = file
        self.clock = CentreClock.of(file.grid)

    @cached_property
    def day(self) -> CentreDay:
        """The day under the curves that came."""
        return self.file.day()

    @cached_property
    def edges(self) -> FloatArray:
        """When steps begin and the last ends, in hours since the day began."""
        return np.asarray(np.arange(self.day.steps + 1) * self.day.step / HOUR)

    @cached_property
    def middles(self) -> FloatArray:
        """The middle of each step, in hours."""
        return (self.edges[:-1] + self.edges[1:]) / 2

    def said(self, step: int, until: int | None = None) -> str:
        """From when to when a step lasts, or several."""
        begin, end = (self.clock.said(each * self.day.step) for each in (step, until or step + 1))
        return f"{begin} to {end}"

    def add_time(self, date: OneDate | None = None) -> None:
        """The axis of time, of one date or of all."""
        ends = (0.0, self.day.steps * self.day.step) if date is None else (date.begins, date.ends)
        self.drawing.x_axis(
            f"{date.name if date else self.clock.date}, {plain(self.clock.zone)}",
            range=[one / HOUR for one in ends],
            **self.clock.ticks(ends),
        )

    def add_title(self, panel: str, text: str) -> None:
        """What a panel shows, above its left end."""
        at = {"x": 0, "xref": "paper", "xanchor": "left", "y": 1, "yref": f"{panel} domain"}
        self.drawing.add_annotation(text=text, yanchor="bottom", yshift=3, align="left", **at)

    def add_steps(self, panel: str, values: FloatArray, colour: str, **look: Any) -> None:
        """A line with a value in each step."""
        line = {"shape": "hv", "color": colour, "width": 2.0, **look.pop("line", {})}
        usual = {"mode": "lines", "hoverinfo": "skip", "showlegend": False, "yaxis": panel}
        at = {"x": self.edges, "y": np.append(values, values[-1:])}
        self.drawing.add_scatter(**{**usual, **at, "line": line, **look})

    def add_pointed(self, panel: str, low: float, high: float, said: Sequence[str]) -> None:
        """What is said of each step where a reader points at a panel, which reaches from low to
        high.
        """
        self.drawing.add_bar(
            x=self.middles,
            y=np.full(self.day.steps, high - low),
            base=low,
            width=np.diff(self.edges),
            marker={"color": UNSEEN},
            showlegend=False,
            yaxis=panel,
            customdata=[f"<b>{self.said(step)}</b><br>{text}" for step, text in enumerate(said)],
        )


def coloured(colour: str, words: str) -> str:
    """Words behind a square of a colour, for titles."""
    return f'<span style="color:{colour}">■</span> {words}'
