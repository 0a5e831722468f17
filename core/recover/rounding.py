"""From fractional to whole tasks on machine types, keeping each task type's count."""

import numpy as np

from core.model.arrays import FloatArray, IntArray
from core.model.tolerances import WHOLE


def round_rows(placed: FloatArray, counts: IntArray) -> IntArray:
    """Whole numbers nearest to `placed` (L1 norm) whose rows sum to `counts`: largest remainders.

    Ties go to the first machine type. A cell that is 0 stays 0 as long as its row has others, so
    impossible pairs stay empty.
    """
    whole = np.floor(placed + WHOLE)
    remainder = np.maximum(placed - whole, 0.0)
    rounded = whole.astype(np.int64)
    missing = counts - rounded.sum(axis=1)
    # Beyond 10^9 tasks a double no longer resolves single ones: the row may be off by a few.
    for row in np.flatnonzero((missing < 0) | (missing > (remainder > 0).sum(axis=1))):
        rounded[row, placed[row].argmax()] += missing[row]
        missing[row] = 0
    order = np.argsort(-remainder, axis=1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(placed.shape[1])[None, :], axis=1)
    rounded += rank < missing[:, None]
    return rounded
