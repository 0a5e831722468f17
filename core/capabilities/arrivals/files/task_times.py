"""Times and powers of types of jobs, listed for some numbers of units and interpolated between."""

from typing import NamedTuple

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray


class ListedTimes(NamedTuple):
    """What a type of jobs takes on one pool in one state: `seconds[k]` and `watts[k]` with
    `units[k]` units, which rise.
    """

    units: IntArray
    seconds: FloatArray
    watts: FloatArray

    def between(self, units: IntArray) -> tuple[FloatArray, FloatArray]:
        """Seconds and watts with so many units, on the straight line between the listed numbers;
        NaN outside them.
        """
        return (
            np.interp(units, self.units, self.seconds, left=np.nan, right=np.nan),
            np.interp(units, self.units, self.watts, left=np.nan, right=np.nan),
        )
