"""Time, power and energy of each pair of a task type and a machine type (s, W, kJ).

For a large system, neighbours share a cell, so that a picture has a few thousand cells at most.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from core import System
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.words import Sense, duration, in_joules, power
from core.vocabulary.system import NoPowerData

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
        pairs: IntArray = np.outer(np.diff(self.rows), np.diff(self.columns))
        return pairs

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

    def over(operation: np.ufunc, cells: np.ndarray) -> np.ndarray:
        down = operation.reduceat(cells, rows[:-1], axis=0)
        across: np.ndarray = operation.reduceat(down, columns[:-1], axis=1)
        return across

    possible = over(np.add, known.astype(np.int64))
    total = over(np.add, np.where(known, values, 0.0))
    mean = np.divide(total, possible, out=np.full(total.shape, np.nan), where=possible > 0)
    return PairGrid(rows, columns, mean, over(np.fmin, values), over(np.fmax, values), possible)


def estimates_in(cells: PairGrid, system: System) -> IntArray | None:
    """The number of estimated pairs in each cell; None if no pair is an estimate."""
    if system.estimated is None:
        return None
    marks = system.estimated.astype(np.int64)
    down = np.add.reduceat(marks, cells.rows[:-1], axis=0)
    across: IntArray = np.add.reduceat(down, cells.columns[:-1], axis=1)
    return across


def names_of(names: Sequence[str], cuts: IntArray) -> list[str]:
    """The name of each row or column of a grid: one name, or the first and the last of several."""
    return [
        names[first] if end - first == 1 else f"{names[first]} … {names[end - 1]}"
        for first, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
    ]


def _cuts(length: int, most: int) -> IntArray:
    cuts: IntArray = np.linspace(0, length, min(length, most) + 1).astype(np.int64)
    return cuts
