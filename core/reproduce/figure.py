"""What a figure holds before anyone draws it or tabulates it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.reproduce.claim import Claim
from core.system import FloatArray

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
    log_y: bool = False
    robust: bool = False
    categories: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class Figure:
    """A published figure, done again: its number there, panels, claims, and how it was made."""

    number: str
    title: str
    setting: str
    panels: Sequence[Panel]
    claims: Sequence[Claim]
    notes: Sequence[str] = ()

    @property
    def file_name(self) -> str:
        number = self.number.lower().replace(".", "-")
        return f"makespan-figure-{number}.svg"
