"""The results of a sweep as arrays for charts: across, up, and a panel for each third value."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.capabilities.sweep.axes import SweptAxis
from core.capabilities.sweep.question import FigureKind, SweepQuestion, columns_of
from core.capabilities.sweep.told import figure_in_words
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.units import Unit, energy_unit, time_unit
from core.vocabulary.say.words import Sense, share, typed
from dashboard.screens.what_if.sweeps.choices import PlannedAxis, short_title_of, varied
from dashboard.screens.what_if.sweeps.running import SweepRows

MOST_PANELS: Final = 9
"""So many values of the third axis are shown at most."""
_PLAIN: Final = Unit("", 1.0)


@dataclass(frozen=True, eq=False)
class SweepView:
    """One figure of all runs. `values[p, u, a]` is that of panel p, at place u of the axis up and
    place a of the axis across, in `unit`; NaN where there is none. `runs` are the runs there.
    """

    question: SweepQuestion
    figure: FigureKind
    axes: tuple[SweptAxis, ...]
    panels: tuple[float, ...]
    unit: Unit
    values: FloatArray
    runs: IntArray
    rows: SweepRows

    @property
    def label(self) -> str:
        """The figure with its unit."""
        symbol = self.unit.symbol or self.figure.unit
        title = self.figure.title.capitalize()
        return f"{title} ({symbol})" if symbol else title

    def words(self, run: int) -> str:
        """What a run is, and its figure."""
        said = figure_said(self.question, self.rows, run, self.figure)
        return f"{said_of(self.question, run)}; {self.figure.title} {said}"

    def ticks(self, axis: SweptAxis) -> FloatArray:
        """The values of an axis as they are typed on the page."""
        return np.array(axis.values) / _typed_as(axis).size


def view_of(question: SweepQuestion, rows: SweepRows, figure: FigureKind) -> SweepView:
    """The view of a figure. Axes of one value are not shown; without any other, one run is."""
    axes = varied(question) or question.axes[:1]
    across, up, panels = (*(len(axis.values) for axis in axes), 1, 1)[:3]
    column = columns_of(question).index(figure.column)
    every = np.full(question.runs, math.nan)
    for run, row in rows.items():
        value = row[column]
        if isinstance(value, int | float):
            every[run] = value
    shown = some_of(panels, MOST_PANELS)
    # The last axis changes fastest.
    runs = np.arange(question.runs).reshape(across, up, panels).T[shown]
    unit = _unit_of(figure, every)
    third = axes[2].values if len(axes) > 2 else (math.nan,)
    values = unit.of(every[runs])
    return SweepView(
        question, figure, axes, tuple(third[k] for k in shown), unit, values, runs, rows
    )


def said_of(question: SweepQuestion, run: int) -> str:
    """What a run is: the values of its varied axes."""
    values = question.values(run)
    axes = varied(question) or question.axes
    return ", ".join(
        f"{short_title_of(axis.name)}: {in_words(axis, values[axis.name])}" for axis in axes
    )


def figure_said(question: SweepQuestion, rows: SweepRows, run: int, figure: FigureKind) -> str:
    """A figure of a run in words, or why there is none."""
    row = rows.get(run)
    if row is None:
        return "not computed yet"
    value = row[columns_of(question).index(figure.column)]
    if isinstance(value, int | float):
        return figure_in_words(figure, value)
    return "impossible" if row[-1] else "none"


def in_words(axis: SweptAxis, value: float) -> str:
    """A value of an axis as it is typed on the page: `30 %`, `40 kW`, `8`."""
    if axis.name == "idle":
        return share(value, Sense.TYPED)
    planned = _typed_as(axis)
    said = typed(round(value / planned.size, 9))
    return f"{said} {planned.unit}" if planned.unit else said


def _typed_as(axis: SweptAxis) -> PlannedAxis:
    return PlannedAxis(axis.name, axis.values[0], axis.values[-1], 0.0)


def some_of(number: int, most: int) -> list[int]:
    """All places, or at most so many of them, both ends included."""
    if number <= most:
        return list(range(number))
    return [round(k * (number - 1) / (most - 1)) for k in range(most)]


def _unit_of(figure: FigureKind, values: FloatArray) -> Unit:
    known = values[np.isfinite(values)]
    most = float(known.max()) if known.size else 1.0
    if figure.unit == "s":
        return time_unit(most)
    if figure.unit == "J":
        return energy_unit(most)
    return _PLAIN
