"""What a finished job is worth, by its delay: curves that never rise.

A curve is a list of pieces. A piece begins at a delay after the arrival of the job. Over the piece,
the worth goes from `high` to `low`, as shares of the priority of the job:

    decay > 0:  low + (high - low) exp(-urgency decay (delay - begin))
    decay = 0:  a straight line from `high` at the begin to `low` at the begin of the next piece

The last piece has no end: if it does not decay, the worth stays at `high`.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from core.engines.compute.compiled import InPlaceKernel
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.tolerances import SUM_ROUNDING


class WorthPiece(NamedTuple):
    """A piece of a curve: `begin` in seconds after the arrival, `high` and `low` as shares of the
    priority, and `decay`, by which the urgency of the job is multiplied.
    """

    begin: float
    high: float
    low: float
    decay: float


class CurveTable(NamedTuple):
    """Curves as kernels take them: curve c has the pieces `first[c]` to `first[c + 1] - 1`."""

    first: IntArray
    begin: FloatArray
    high: FloatArray
    low: FloatArray
    decay: FloatArray


@dataclass(frozen=True)
class WorthCurves:
    """All curves of a workload, checked: each begins at delay 0 and never rises."""

    pieces: tuple[tuple[WorthPiece, ...], ...]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.names) != len(self.pieces):
            raise ValueError("every curve needs one name")
        found = [
            Problem("curves", name, *fault)
            for name, pieces in zip(self.names, self.pieces, strict=True)
            for fault in _faults(pieces)
        ]
        if found:
            raise InvalidInput(found)

    @cached_property
    def table(self) -> CurveTable:
        first = np.cumsum([0, *map(len, self.pieces)], dtype=np.int64)
        rows = np.array([piece for pieces in self.pieces for piece in pieces], float).reshape(-1, 4)
        begin, high, low, decay = np.ascontiguousarray(rows.T)
        return CurveTable(first, begin, high, low, decay)


def _faults(pieces: Sequence[WorthPiece]) -> list[tuple[str, str]]:
    """Columns and messages of what is wrong with a curve."""
    if not pieces:
        return [("", "has no piece; give at least one that begins at 0 s")]
    found = []
    if not all(np.isfinite(piece).all() for piece in pieces):
        return [("", "has a number that is not finite; correct it")]
    if pieces[0].begin != 0:
        found.append(("begin", f"begins at {pieces[0].begin:g} s; the first piece begins at 0 s"))
    reached = pieces[0].high
    for before, piece in zip((pieces[0], *pieces), pieces, strict=False):
        if piece is not pieces[0] and piece.begin <= before.begin:
            found.append(
                ("begin", f"a piece begins at {piece.begin:g} s, not after the one before it")
            )
        if piece.high > reached * (1 + SUM_ROUNDING):
            found.append(
                (
                    "high",
                    f"rises from {reached:g} to {piece.high:g} at {piece.begin:g} s; "
                    "worth may only fall with time",
                )
            )
        if piece.low > piece.high:
            found.append(
                (
                    "low",
                    f"rises from {piece.high:g} to {piece.low:g} after {piece.begin:g} s; "
                    "worth may only fall with time",
                )
            )
        if piece.low < 0:
            found.append(("low", f"is {piece.low:g}; worth is at least 0"))
        if piece.decay < 0:
            found.append(("decay", f"is {piece.decay:g}; a decay is at least 0"))
        # However urgent a job is, it is worth at least `low` at the end of the piece.
        reached = piece.low
    return found


ALWAYS_ONE: Final = WorthCurves(((WorthPiece(0.0, 1.0, 1.0, 0.0),),), ("constant",))
"""Where the delay does not matter."""


@InPlaceKernel
def curve_at(curves, curve, urgency, delay):
    """The worth of a job with priority 1 that finishes `delay` seconds after its arrival."""
    piece, end = curves.first[curve], curves.first[curve + 1]
    while piece + 1 < end and delay >= curves.begin[piece + 1]:
        piece += 1
    high, low = curves.high[piece], curves.low[piece]
    if high == low:
        return high
    since = delay - curves.begin[piece]
    if curves.decay[piece] > 0.0:
        return low + (high - low) * np.exp(-urgency * curves.decay[piece] * since)
    if piece + 1 == end:
        return high
    return high + (low - high) * since / (curves.begin[piece + 1] - curves.begin[piece])


@InPlaceKernel
def _fill_curves(curves, curve, urgency, delay, found):
    for job in range(len(delay)):
        found[job] = curve_at(curves, curve[job], urgency[job], delay[job])


def curves_at(
    curves: WorthCurves, curve: IntArray, urgency: FloatArray, delay: FloatArray
) -> FloatArray:
    """The worth of jobs with priority 1, by their curves, urgencies (1/s) and delays (s)."""
    found = np.zeros(len(delay))
    _fill_curves(curves.table, curve, urgency, delay, found)
    return found
