"""How often each of many different numbers came, block by block."""

import numpy as np

from core.model.arrays import IntArray


class Tally:
    """Different numbers, the least first, and how often each came."""

    def __init__(self) -> None:
        self.numbers: IntArray = np.zeros(0, np.int64)
        self.counts: IntArray = np.zeros(0, np.int64)

    def add(self, numbers: IntArray, counts: IntArray | None = None) -> None:
        """Count these numbers: each once, or as often as `counts` says."""
        if counts is None:
            numbers, counts = np.unique(numbers, return_counts=True)
        else:
            numbers, place = np.unique(numbers, return_inverse=True)
            # Sums of whole numbers are exact in floating point up to 2^53.
            counts = np.bincount(place, counts, len(numbers)).astype(np.int64)
        every = np.union1d(self.numbers, numbers)
        total = np.zeros(len(every), np.int64)
        total[np.searchsorted(every, self.numbers)] = self.counts
        total[np.searchsorted(every, numbers)] += counts
        self.numbers, self.counts = every, total
