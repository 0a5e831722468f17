"""The table of estimated pairs: yes where a pair is an estimate, as people write yes and no."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.files import limits
from core.files.findings import shown
from core.files.numbers import TruthCell, UnusableCell
from core.files.tables import CellKind
from core.vocabulary.arrays import FloatArray

YES: Final = "yes"
"""What writers write; they leave other cells blank."""
_WORDS: Final = {
    **dict.fromkeys(("yes", "y", "true", "x", "1", "1.0"), 1.0),
    **dict.fromkeys(("no", "n", "false", "0", "0.0", ""), 0.0),
}


def parse_mark(cell: str) -> float | None:
    """1 if a cell says yes, 0 if it says no or is blank; None if it says neither."""
    if isinstance(cell, TruthCell):
        return float(cell.value)
    if len(cell) > limits.NUMBER_CHARACTERS:
        return None
    return _WORDS.get(cell.strip().casefold())


def parse_marks(cells: Sequence[str]) -> tuple[FloatArray, list[int]]:
    """`parse_mark` of many cells, NaN where it is None; and the positions of these."""
    parsed = [parse_mark(cell) for cell in cells]
    values = np.array(parsed, np.float64)  # None becomes NaN
    return values, np.flatnonzero(np.isnan(values)).tolist()


def mark_fault(cell: str) -> str:
    """Why a cell says neither yes nor no, and the remedy."""
    if isinstance(cell, UnusableCell):
        return cell.why
    said = f"'{shown(cell.strip())}' is neither yes nor no"
    return f"{said}; write {YES} if the pair is an estimate, or leave the cell blank"


MARKS: Final = CellKind(parse_marks, mark_fault)
"""The cells of the table."""
