"""A quantity of all pairs as a heat map, with marks on estimates and on pairs that cannot run."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from core import System
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.say.phrases import SIGN
from core.vocabulary.say.words import Sense, counted, duration, in_joules, power
from core.vocabulary.system import NoPowerData
from dashboard.parts.charts.drawing import Drawing, log_ticks
from dashboard.parts.charts.palette import INK, OTHERS, PAPER
from dashboard.parts.charts.text import LONGEST, labels, plain

MOST_ROWS: Final = 80
MOST_COLUMNS: Final = 50


@dataclass(frozen=True, slots=True)
class PairQuantity:
    """A quantity of every pair: its values (NaN where the pair cannot run), and how to say one.

    `word` is its name in a menu, `title` its name with its unit, and `per` what follows a value.
    """

    word: str
    title: str
    per: str
    needs_power: bool
    values: Callable[[System], FloatArray]
    say: Callable[[float], str]


def _times(system: System) -> FloatArray:
    return np.where(np.isfinite(system.etc), system.etc, np.nan)


def _powers(system: System) -> FloatArray:
    if system.apc is None:
        raise NoPowerData
    return system.apc


def energies(system: System) -> FloatArray:
    """Energy (kJ) that a machine uses while it runs one task, idle power included."""
    return _times(system) * _powers(system) / 1e3


def _kilojoules(value: float) -> str:
    return in_joules(1e3 * value, Sense.PLAIN)


TIME: Final = PairQuantity(
    "Time", "Seconds per task", "per task", False, _times, partial(duration, sense=Sense.PLAIN)
)
POWER: Final = PairQuantity(
    "Power", "Watts at work", "at work", True, _powers, partial(power, sense=Sense.PLAIN)
)
ENERGY: Final = PairQuantity(
    "Energy", "Kilojoules per task", "per task", True, energies, _kilojoules
)
QUANTITIES: Final = (TIME, POWER, ENERGY)


@dataclass(frozen=True, eq=False, slots=True)
class PairGrid:
    """Cell (r, c) stands for the task types `rows[r]:rows[r+1]` and machine types likewise.

    `mean`, `least` and `most` are over the pairs that can run, NaN where none can; `possible`
    counts those.
    """

    rows: IntArray
    columns: IntArray
    mean: FloatArray
    least: FloatArray
    most: FloatArray
    possible: IntArray

    @property
    def pairs(self) -> IntArray:
        """The number of pairs in each cell."""
        return np.outer(np.diff(self.rows), np.diff(self.columns))

    @property
    def is_whole(self) -> bool:
        """Whether every pair has its own cell."""
        return int(self.rows[-1]) == len(self.mean) and int(self.columns[-1]) == len(self.mean.T)


def grid(
    values: FloatArray, most_rows: int = MOST_ROWS, most_columns: int = MOST_COLUMNS
) -> PairGrid:
    """The values in at most so many rows and columns; all cells have nearly the same size."""
    rows, columns = _cuts(values.shape[0], most_rows), _cuts(values.shape[1], most_columns)
    known = np.isfinite(values)

    def over(operation: np.ufunc, pairs: np.ndarray) -> np.ndarray:
        return _over(operation, pairs, rows, columns)

    possible = over(np.add, known.astype(np.int64))
    total = over(np.add, np.where(known, values, 0.0))
    mean = np.divide(total, possible, out=np.full(total.shape, np.nan), where=possible > 0)
    return PairGrid(rows, columns, mean, over(np.fmin, values), over(np.fmax, values), possible)


def estimates_in(cells: PairGrid, system: System) -> IntArray | None:
    """The number of estimated pairs in each cell; None if no pair is an estimate."""
    if system.estimated is None:
        return None
    return _over(np.add, system.estimated.astype(np.int64), cells.rows, cells.columns)


def _over(operation: np.ufunc, pairs: np.ndarray, rows: IntArray, columns: IntArray) -> np.ndarray:
    """An operation over the pairs of each cell."""
    down = operation.reduceat(pairs, rows[:-1], axis=0)
    return operation.reduceat(down, columns[:-1], axis=1)


def names_of(names: Sequence[str], cuts: IntArray) -> list[str]:
    """The name of each row or column of a grid: one name, or the first and the last of several."""
    return [
        names[first] if end - first == 1 else f"{names[first]} … {names[end - 1]}"
        for first, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
    ]


def _cuts(length: int, most: int) -> IntArray:
    return np.linspace(0, length, min(length, most) + 1).astype(np.int64)


MOST_CROSSES: Final = 3_000
WIDE: Final = 20.0
"""Colours are logarithmic where the largest value is more than this times the smallest."""

_RING: Final = "○"
_MOST_NAMES_DOWN: Final = 36
_MOST_NAMES_ACROSS: Final = 20


def heat_map(system: System, quantity: PairQuantity) -> go.Figure:
    """Dark means large. Cells in which no pair can run are blank, or crossed out if few."""
    cells = grid(quantity.values(system))
    estimates = estimates_in(cells, system)
    task_names, machine_names = system.task_names, system.machine_names
    tasks, machines = names_of(task_names, cells.rows), names_of(machine_names, cells.columns)
    gap = 1 if len(tasks) <= _MOST_NAMES_DOWN else 0
    blank = cells.possible == 0
    crossed = 0 < blank.sum() <= MOST_CROSSES
    known = cells.mean[~blank]
    lowest, highest = (float(known.min()), float(known.max())) if known.size else (1.0, 1.0)
    logarithmic = 0 < WIDE * lowest < highest
    scale = math.log10 if logarithmic else float
    drawing = Drawing()
    drawing.add_heatmap(
        log_ticks(lowest, highest) if logarithmic else {},
        quantity.title + (" (log scale)" if logarithmic else ""),
        zmin=scale(lowest),
        zmax=scale(highest),
        z=np.log10(cells.mean) if logarithmic else cells.mean,
        customdata=_hover(cells, quantity, tasks, machines, estimates),
        hoverongaps=True,
        xgap=gap,
        ygap=gap,
    )
    if crossed:
        cross = {"symbol": "x-thin", "size": 9, "line": {"width": 1.6, "color": OTHERS}}
        _add_marks(drawing, blank, cross)
    if estimates is not None:
        # Filled and edged, so that it is seen on pale cells and on dark ones.
        ring = {"size": 6 if gap else 3, "color": PAPER, "line": {"width": 1, "color": INK}}
        _add_marks(drawing, 2 * estimates > cells.possible, ring)
    drawing.x_names(
        "Machine type"
        + _grouped(cells.columns)
        + _key(blank, crossed=crossed)
        + _key_of_rings(cells, estimates),
        **name_ticks(machine_names, cells.columns, _MOST_NAMES_ACROSS, 12),
        showgrid=False,
    )
    drawing.y_names(
        "Task type" + _grouped(cells.rows),
        **name_ticks(task_names, cells.rows, _MOST_NAMES_DOWN),
        range=[len(tasks) - 0.5, -0.5],
        showgrid=False,
    )
    return drawing.figure(min(max(170 + 16 * len(tasks), 280), 720), above=56)


def _add_marks(drawing: Drawing, cells: BoolArray, marker: dict[str, Any]) -> None:
    """The same mark in each of these cells."""
    row, column = np.nonzero(cells)
    look = {"mode": "markers", "marker": marker, "hoverinfo": "skip", "showlegend": False}
    drawing.add_scatter(x=column, y=row, **look)


def _key(blank: BoolArray, *, crossed: bool) -> str:
    """The meaning of the marks, if there are any."""
    if not blank.any():
        return ""
    return "; ×: cannot run" if crossed else "; blank: cannot run"


def _key_of_rings(cells: PairGrid, estimates: IntArray | None) -> str:
    """The meaning of the rings, if there are any."""
    if estimates is None:
        return ""
    # A title that says how cells are grouped is too long for more words on a phone.
    return f"; {_RING}: estimate" if cells.is_whole else f"<br>{_RING}: most are estimates"


def name_ticks(
    names: Sequence[str], cuts: IntArray, most: int, longest: int = LONGEST
) -> dict[str, list[Any]]:
    """Ticks with as many names as fit. A group is called by its first name."""
    firsts, ends = cuts[:-1].tolist(), cuts[1:].tolist()
    step = math.ceil(len(firsts) / most)
    shown = labels([names[first] for first in firsts[::step]], longest)
    return {
        "tickvals": list(range(0, len(firsts), step)),
        "ticktext": [
            name + (" …" if end - first > 1 else "")
            for name, first, end in zip(shown, firsts[::step], ends[::step], strict=True)
        ],
    }


def _grouped(cuts: IntArray) -> str:
    most = int(np.diff(cuts).max())
    return f" ({cuts[-1]:,}; a cell is the mean of up to {most:,})" if most > 1 else ""


def _hover(
    cells: PairGrid,
    quantity: PairQuantity,
    tasks: list[str],
    machines: list[str],
    estimates: IntArray | None,
) -> list[list[str]]:
    whole, pairs = cells.is_whole, cells.pairs

    def said(i: int, j: int) -> str:
        if not cells.possible[i, j]:
            return "cannot run" if pairs[i, j] == 1 else f"none of {pairs[i, j]:,} pairs can run"
        mean = quantity.say(float(cells.mean[i, j]))
        estimated = 0 if estimates is None else int(estimates[i, j])
        if whole:
            value = f"{mean} {quantity.per}"
            return f"{SIGN} {value}<br>an estimate, not a measurement" if estimated else value
        least, most = quantity.say(float(cells.least[i, j])), quantity.say(float(cells.most[i, j]))
        return (
            f"mean {mean}, from {least} to {most}<br>"
            f"{cells.possible[i, j]:,} of {counted(int(pairs[i, j]), 'pair')} can run"
            + (f"<br>{counted(estimated, 'estimate')} among them" if estimated else "")
        )

    down, across = [plain(name) for name in tasks], [plain(name) for name in machines]
    return [
        [f"<b>{task}</b> on <b>{machine}</b><br>{said(i, j)}" for j, machine in enumerate(across)]
        for i, task in enumerate(down)
    ]
