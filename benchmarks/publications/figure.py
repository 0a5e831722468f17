"""The content of figures and tables, before they are drawn or written."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchmarks.publications.claim import Claim
from benchmarks.publications.plane import Plane
from core.vocabulary.arrays import FloatArray

Marks = Literal["violins", "lines"]


@dataclass(frozen=True, eq=False)
class Series:
    """A quantity that is measured several times at every x: `values[point, trial]`, in the panel's
    unit.
    """

    name: str
    x: FloatArray
    values: FloatArray


@dataclass(frozen=True, eq=False)
class Panel:
    """One pair of axes. Lines are through means, or through medians if `robust` (for run times)."""

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
    """Rows of cells as text; all rows are as wide as the head."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class Figure:
    """A reproduced figure or table: its published number, its claims, and its setting.

    A figure without a `table` gets one of the measurements in its panels.
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
    def label(self) -> str:
        """How its claims name it."""
        return self.number if self.kind == "Figure" else self.name

    @property
    def file_stem(self) -> str:
        return self.name.lower().replace(" ", "-").replace(".", "-")
