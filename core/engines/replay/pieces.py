"""The parts of jobs that were stopped: from when to when each ran, and how much of that counts."""

from typing import NamedTuple

import numpy as np

from core.engines.replay.workload import Horizon
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray


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

    @property
    def order(self) -> IntArray:
        """The places of the rows by job, and by start."""
        return np.lexsort((self.start, self.job))

    def by_job(self) -> "Pieces":
        """The same rows, by job, and by start."""
        return self.at(self.order)

    def at(self, rows: IntArray | BoolArray) -> "Pieces":
        """Some of the rows."""
        return Pieces._make(column[rows] for column in self)

    def and_those(self, others: "Pieces") -> "Pieces":
        """All these rows, and then those of others."""
        both = zip(self, others, strict=True)
        return Pieces._make(np.append(one, other) for one, other in both)

    @property
    def since(self) -> FloatArray:
        """When each went on (s)."""
        return self.start + self.lead

    @property
    def until(self) -> FloatArray:
        """The end of what is kept of each (s)."""
        whole = self.kept == self.end - self.start - self.lead
        return np.where(whole, self.end, self.since + self.kept)

    def within(self, horizon: Horizon) -> FloatArray:
        """The kept seconds of each piece that are within the horizon."""
        inside = np.minimum(self.until, horizon.end) - np.maximum(self.since, horizon.begin)
        return np.asarray(np.maximum(inside, 0.0))

    def seconds_within(self, begin: float, end: float) -> FloatArray:
        """How long each piece had its units between two times."""
        inside = np.minimum(self.end, end) - np.maximum(self.start, begin)
        return np.asarray(np.maximum(inside, 0.0))

    def of_jobs(self, values: FloatArray, jobs: int) -> FloatArray:
        """The sum over the pieces of each job."""
        return np.asarray(np.bincount(self.job, values, jobs), float)
