"""Rounds tasks on machine types to whole numbers, and keeps the count of each task type."""

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import WHOLE


def round_rows(placed: FloatArray, counts: IntArray) -> IntArray:
    """The whole numbers nearest to `placed` (L1 norm) whose rows sum to `counts`, by largest
    remainders.

    Ties go to the first machine type. A cell that is 0 stays 0 if its row has other cells, so
    impossible pairs stay empty.
    """
    whole = np.floor(placed + WHOLE)
    remainder = np.maximum(placed - whole, 0.0)
    rounded = whole.astype(np.int64)
    missing = counts - rounded.sum(axis=1)
    # With more than 10^9 tasks, rounding errors of floats reach whole tasks: a row may be off by a
    # few.
    for row in np.flatnonzero((missing < 0) | (missing > (remainder > 0).sum(axis=1))):
        rounded[row, placed[row].argmax()] += missing[row]
        missing[row] = 0
    order = np.argsort(-remainder, axis=1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(placed.shape[1])[None, :], axis=1)
    rounded += rank < missing[:, None]
    return rounded
