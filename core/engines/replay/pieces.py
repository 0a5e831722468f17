"""The parts of jobs that were stopped: from when to when each ran, and how much of that counts."""

from typing import NamedTuple

import numpy as np

from core.engines.replay.workload import Horizon
from core.vocabulary.arrays import FloatArray, IntArray


class Pieces(NamedTuple):
    """Row r: `job[r]` had the units of `option[r]` from `start[r]` to `end[r]` (s). `lead[r]`
    seconds after the start it went on, and `kept[r]` of the seconds from then on are kept.
    """

    job: IntArray
    option: IntArray
    start: FloatArray
    end: FloatArray
    lead: FloatArray
    kept: FloatArray

    def by_job(self) -> "Pieces":
        """The same rows, by job, and by start."""
        order = np.lexsort((self.start, self.job))
        return Pieces._make(column[order] for column in self)

    def within(self, horizon: Horizon) -> FloatArray:
        """The kept seconds of each piece that are within the horizon."""
        begin = self.start + self.lead
        inside = np.minimum(begin + self.kept, horizon.end) - np.maximum(begin, horizon.begin)
        return np.asarray(np.clip(inside, 0.0, self.kept))

    def seconds_within(self, begin: float, end: float) -> FloatArray:
        """How long each piece had its units between two times."""
        inside = np.minimum(self.end, end) - np.maximum(self.start, begin)
        return np.asarray(np.maximum(inside, 0.0))

    def of_jobs(self, values: FloatArray, jobs: int) -> FloatArray:
        """The sum over the pieces of each job."""
        return np.asarray(np.bincount(self.job, values, jobs), float)
