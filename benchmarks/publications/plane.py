"""The content of a picture of the plane of energy and makespan, in joules and seconds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

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
