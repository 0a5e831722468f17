"""The content of figures and tables, before they are drawn or written."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from benchmarks.publications.claim import Claim
from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.points import nadir, utopia

Meaning = Literal["impossible", "unknown", "possible"]
Step = Literal["rounding", "local assignment"]
Strokes = Literal["line", "dots", "joined dots"]

MARGIN: Final = 0.04


@dataclass(frozen=True, eq=False)
class Curve:
    """Points (joules, seconds) by rising energy; `colour` is a position in the palette."""

    name: str
    points: FloatArray
    strokes: Strokes
    colour: int


@dataclass(frozen=True, eq=False)
class Region:
    """A polygon in which schedules cannot be, may be, or can be, as is proven."""

    meaning: Meaning
    polygon: FloatArray


@dataclass(frozen=True, eq=False)
class Arrows:
    """How a step of recovery moved each solution: from `tails[k]` to `heads[k]`."""

    step: Step
    tails: FloatArray
    heads: FloatArray


@dataclass(frozen=True, eq=False)
class Plane:
    """One pair of axes, from the corner `low` to the corner `high`; regions are drawn first."""

    title: str
    low: FloatArray
    high: FloatArray
    curves: Sequence[Curve] = ()
    regions: Sequence[Region] = ()
    arrows: Sequence[Arrows] = ()


def window(points: FloatArray, headroom: float = MARGIN) -> tuple[FloatArray, FloatArray]:
    """Corners around all points, with a margin, and above them a share of their extent."""
    low, high = utopia(points), nadir(points)
    across = high - low
    return low - MARGIN * across, high + [MARGIN, headroom] * across


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
    """One pair of axes. Lines are through means, or through medians if `robust` (for run times).
    With `intervals`, each mean has its interval of 95 %.
    """

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
    intervals: bool = False


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
