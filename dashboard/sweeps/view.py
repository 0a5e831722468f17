"""The results of a sweep as arrays for charts: across, up, and a panel for each third value."""

import math
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from core.model.arrays import FloatArray, IntArray
from core.say.units import Unit, energy_unit, time_unit
from core.say.words import Sense, share, typed
from core.sweep.axes import SweptAxis
from core.sweep.question import SweepQuestion
from core.sweep.results import FigureKind, columns_of
from core.sweep.words import figure_in_words
from dashboard.sweeps.choices import PlannedAxis, short_title_of, varied
from dashboard.sweeps.running import SweepRows

MOST_PANELS: Final = 9
"""Of more values of the third axis, so many are shown."""
_PLAIN: Final = Unit("", 1.0)


@dataclass(frozen=True, eq=False)
class SweepView:
    """One figure of all runs. `values[p, u, a]` is that of panel p, at place u of the axis up and
    place a of the axis across, in `unit`; NaN where there is none. `runs` are the runs there, and
    `words` what is said of each.
    """

    question: SweepQuestion
    figure: FigureKind
    axes: tuple[SweptAxis, ...]
    panels: tuple[float, ...]
    unit: Unit
    values: FloatArray
    runs: IntArray
    words: tuple[str, ...]

    @property
    def label(self) -> str:
        """The figure with its unit."""
        symbol = self.unit.symbol or self.figure.unit
        title = self.figure.title.capitalize()
        return f"{title} ({symbol})" if symbol else title

    def ticks(self, axis: SweptAxis) -> FloatArray:
        """The values of an axis as they are typed on the page."""
        return np.array(axis.values) / _typed_as(axis).size


def view_of(question: SweepQuestion, rows: SweepRows, figure: FigureKind) -> SweepView:
    """The view of a figure. Axes of one value are not shown; without any other, one run is."""
    axes = varied(question) or question.axes[:1]
    shape = [len(axis.values) for axis in axes]
    across, up, panels = (*shape, 1, 1)[:3]
    column = columns_of(question).index(figure.column)
    shown = _spread(panels)
    runs = np.empty((len(shown), up, across), np.int64)
    found = np.full(runs.shape, math.nan)
    words = []
    for (p, panel), u, a in product(enumerate(shown), range(up), range(across)):
        run = run_at(question, axes, (a, u, panel))
        row = rows.get(run)
        value = None if row is None else row[column]
        runs[p, u, a] = run
        if isinstance(value, int | float):
            found[p, u, a] = value
        words.append(said_of(question, rows, run, figure))
    unit = _unit_of(figure, found)
    third = axes[2].values if len(axes) > 2 else (math.nan,)
    return SweepView(
        question,
        figure,
        axes,
        tuple(third[panel] for panel in shown),
        unit,
        unit.of(found),
        runs,
        tuple(words),
    )


def run_at(question: SweepQuestion, axes: tuple[SweptAxis, ...], places: tuple[int, ...]) -> int:
    """The run at these places of the varied axes."""
    place = dict(zip((axis.name for axis in axes), places, strict=False))
    return int(
        np.ravel_multi_index([place.get(axis.name, 0) for axis in question.axes], question.shape)
    )


def said_of(
    question: SweepQuestion, rows: SweepRows, run: int, figure: FigureKind | None = None
) -> str:
    """What a run is, and its figure if one is asked for."""
    values = question.values(run)
    where = ", ".join(
        f"{short_title_of(axis.name)}: {in_words(axis, values[axis.name])}"
        for axis in varied(question) or question.axes
    )
    if figure is None:
        return where
    return f"{where}; {figure.title} {figure_said(question, rows, run, figure)}"


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


def _spread(number: int) -> list[int]:
    """All places, or `MOST_PANELS` of them, both ends included."""
    if number <= MOST_PANELS:
        return list(range(number))
    return [round(k * (number - 1) / (MOST_PANELS - 1)) for k in range(MOST_PANELS)]


def _unit_of(figure: FigureKind, values: FloatArray) -> Unit:
    known = values[np.isfinite(values)]
    most = float(known.max()) if known.size else 1.0
    if figure.unit == "s":
        return time_unit(most)
    if figure.unit == "J":
        return energy_unit(most)
    return _PLAIN
