"""The power of a schedule over time, by machine type or by task type, and its chart."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core import System
from core.vocabulary import power
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.kinds import TypeKind
from core.vocabulary.say.colours import MOST_MACHINE_TYPES, Leaders, leaders, leading_task_types
from core.vocabulary.say.units import Unit, power_unit, time_unit
from core.vocabulary.say.without_work import rest_word
from core.vocabulary.say.words import Sense
from core.vocabulary.say.words import power as in_watts
from core.vocabulary.schedule import Schedule
from core.vocabulary.tolerances import SAME
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import (
    IDLE,
    LEVEL,
    MIXED,
    PAPER,
    Paint,
    paint_machine,
    paint_task,
)
from dashboard.parts.charts.text import labels

MOST_STEPS: Final = 600


@dataclass(frozen=True, eq=False)
class PowerCurve:
    """`watts[b, s]` is the power of all types of rank b in `bands` from `times[s]` to `times[s +
    1]` seconds. By machine type, idle power is included. By task type, it is the last band.
    """

    by: TypeKind
    bands: Leaders
    times: FloatArray
    watts: FloatArray

    @cached_property
    def total(self) -> FloatArray:
        """The power of the whole system in each step (W)."""
        total: FloatArray = self.watts.sum(axis=0)
        return total

    @property
    def energy(self) -> float:
        """The energy (J): the area under the curve."""
        return float(self.total @ np.diff(self.times))

    @property
    def average(self) -> float:
        """The average power (W); 0 if the curve has no length."""
        length = float(self.times[-1] - self.times[0])
        return self.energy / length if length > 0 else 0.0

    @property
    def peak(self) -> float:
        """The largest power at any moment (W)."""
        return float(self.total.max(initial=0.0))

    def thinned(self, most: int = MOST_STEPS) -> "PowerCurve":
        """The curve itself if it has at most `most` steps, else its means over `most` equal spans.

        The energy stays the same. Peaks within a span are not visible.
        """
        if len(self.total) <= most:
            return self
        spent = np.cumsum(self.watts * np.diff(self.times), axis=1)
        spent = np.concatenate([np.zeros((len(spent), 1)), spent], axis=1)
        times = np.linspace(self.times[0], self.times[-1], most + 1)
        until = np.array([np.interp(times, self.times, band) for band in spent])
        return PowerCurve(self.by, self.bands, times, np.diff(until, axis=1) / np.diff(times))


def power_curve(schedule: Schedule) -> PowerCurve:
    """The power by machine type, the largest energy first. Raises `NoPowerData` without APC."""
    bands = leaders(schedule.busy_energy + schedule.idle_energy, MOST_MACHINE_TYPES)
    return PowerCurve("machine type", bands, *power.power_curve(schedule, bands.rank))


def power_of_tasks(schedule: Schedule, machines: IntArray) -> PowerCurve:
    """The power of so many machines of each group by task type. Raises `NoPowerData`."""
    bands = leading_task_types(schedule.system)
    times, watts = power.power_by_task_type(schedule, bands.rank, machines)
    return PowerCurve("task type", bands, times, watts)


_HEIGHT: Final = 340
_MOST_TOGETHER: Final = 10


def power_chart(system: System, curve: PowerCurve) -> go.Figure:
    """If a curve has very many steps, their means are drawn. Average and peak are exact."""
    drawn = curve.thinned()
    time, power = time_unit(float(curve.times[-1])), power_unit(curve.peak)
    x = drawn.times / time.size
    # Power that is only rounding is 0: the hover would say 3.6e-13 kW.
    bands = np.where(drawn.watts > SAME * curve.peak, drawn.watts, 0.0)
    drawing = Drawing()
    for (name, colour), band in zip(_looks(system, curve), bands / power.size, strict=True):
        if curve.by == "machine type" or band.any():  # a task type may not run here
            drawing.add_scatter(
                x=x,
                y=np.append(band, band[-1:]),
                mode="lines",
                line={"shape": "hv", "width": 0.8, "color": PAPER},
                fillcolor=colour.fill,
                fillpattern=colour.pattern,
                stackgroup="bands",
                name=name,
                hovertemplate=f"%{{y:,.4~r}} {power.symbol}",
            )
    _add_level(drawing, power, "peak", curve.peak, dash="dash", yanchor="bottom")
    _add_level(drawing, power, "average", curve.average, dash="dot", yanchor="top")
    steps = "" if drawn is curve else f"; mean of each 1/{len(drawn.total):,}"
    drawing.x_axis(f"Time since the start ({time.symbol}{steps})", range=[0, float(x[-1])])
    drawing.y_axis(f"Power ({power.symbol})", range=[0, 1.16 * curve.peak / power.size or 1.0])
    return drawing.figure(
        height=_HEIGHT,
        # A box with more lines would be higher than the chart.
        hovermode="x unified" if len(drawn.watts) <= _MOST_TOGETHER else "closest",
        legend={"orientation": "h", "y": -0.24, "yanchor": "top"},
        showlegend=True,
    )


def _add_level(
    drawing: Drawing, unit: Unit, word: str, watts: float, *, dash: str, yanchor: str
) -> None:
    """A line at a power, which says what it is."""
    drawing.add_hline(watts / unit.size, line={"color": LEVEL, "width": 1.5, "dash": dash})
    drawing.add_annotation(
        text=f"{word} {in_watts(watts, Sense.SPENT)}",
        x=1,
        xref="x domain",
        xanchor="right",
        y=watts / unit.size,
        yanchor=yanchor,
        bgcolor=PAPER,
        borderpad=2,
    )


def _looks(system: System, curve: PowerCurve) -> list[tuple[str, Paint]]:
    """The name and the look of each band."""
    by_task, bands = curve.by == "task type", curve.bands
    names = labels(system.task_names if by_task else system.machine_names)
    looks = [
        (names[kind], paint_task(rank) if by_task else paint_machine(kind))
        for rank, kind in enumerate(bands.own)
    ]
    if bands.others:
        looks.append((f"{bands.others:,} others", MIXED))
    if by_task:
        looks.append((rest_word(system), Paint(IDLE)))
    return looks
