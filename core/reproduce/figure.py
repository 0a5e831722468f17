"""What a figure or a table holds before anyone draws it or sets it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.model.arrays import FloatArray
from core.reproduce.claim import Claim
from core.reproduce.plane import Plane

Marks = Literal["violins", "lines"]


@dataclass(frozen=True, eq=False)
class Series:
    """One thing measured several times at every x: `values[point, trial]`, in the panel's unit."""

    name: str
    x: FloatArray
    values: FloatArray


@dataclass(frozen=True, eq=False)
class Panel:
    """One pair of axes. Lines go through means, or through medians where `robust` (run times)."""

    title: str
    x_label: str
    y_label: str
    unit: str
    series: Sequence[Series]
    marks: Marks
    log_x: bool = False
    log_y: bool = False
    robust: bool = False
    categories: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as they are read, a row below the other; all rows are as wide as the head."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class Figure:
    """A published figure or table, done again: its number there, claims, and how it was made.

    Without a `table` of its own, a figure is tabulated from what its panels measure.
    """

    number: str
    title: str
    setting: str
    panels: Sequence[Panel | Plane]
    claims: Sequence[Claim]
    notes: Sequence[str] = ()
    table: Table | None = None
    kind: Literal["Figure", "Table"] = "Figure"

    @property
    def name(self) -> str:
        return f"{self.kind} {self.number}"

    @property
    def file_stem(self) -> str:
        return self.name.lower().replace(" ", "-").replace(".", "-")
