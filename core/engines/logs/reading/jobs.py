"""From the rows of a block to runs: a job is a run, and its steps bring its energy."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from core.engines.logs.reading.cutting import Cuts
from core.engines.logs.reading.layout import Layout
from core.engines.logs.reading.values import BATCH_STEP, NO_JOB, NO_STEP, NUMBERED_STEP, read_jobs
from core.vocabulary.arrays import BoolArray, ByteArray, FloatArray, IntArray

_MOST_JOULES: Final = 1e15
"""More is no energy: `sacct` writes 2^63 or 2^64 where a meter failed."""


@dataclass(frozen=True)
class JobRows:
    """The rows of a block by what they are; `job`, `task` and `step` as `read_jobs` has them."""

    layout: Layout
    data: ByteArray
    cuts: Cuts
    job: IntArray
    task: IntArray
    step: IntArray

    @classmethod
    def of(cls, layout: Layout, data: ByteArray, cuts: Cuts) -> "JobRows":
        rows = len(cuts.line)
        job, task, step = (np.zeros(rows, np.int64) for _ in range(3))
        if layout.job is None:
            task[:] = -1
            step[:] = NO_STEP
        else:
            k = layout.place(layout.job)
            read_jobs(data, cuts.low[k], cuts.high[k], job, task, step)
        return cls(layout, data, cuts, job, task, step)

    def before(self, end: int) -> "JobRows":
        """The rows that begin before a byte."""
        row = int(np.searchsorted(self.cuts.row_from, end))
        if row == len(self.job):
            return self
        parts = (self.job[:row], self.task[:row], self.step[:row])
        return JobRows(self.layout, self.data, self.cuts.rows(slice(0, row)), *parts)

    @cached_property
    def begins_job(self) -> BoolArray:
        begins: BoolArray = self.step == NO_STEP
        return begins

    @cached_property
    def jobs(self) -> IntArray | slice:
        """The rows that are jobs."""
        return slice(None) if self.begins_job.all() else np.flatnonzero(self.begins_job)

    @property
    def without_number(self) -> BoolArray:
        without: BoolArray = self.step == NO_JOB
        return without

    @property
    def is_step(self) -> BoolArray:
        found: BoolArray = self.step > NO_STEP
        return found

    @cached_property
    def owners(self) -> IntArray:
        """For each step, the row of its job, which stands before it; -1 for none, and for rows that
        are no steps.
        """
        if not self.is_step.any():
            return np.full(len(self.job), -1)
        rows = np.arange(len(self.job))
        last = np.maximum.accumulate(np.where(self.begins_job, rows, -1))
        there = self.is_step & (last >= 0)
        same = (self.job[last] == self.job) & (self.task[last] == self.task)
        return np.where(there & same, last, -1)

    def numbers(self) -> dict[str, np.ndarray[Any, Any]]:
        """The columns of numbers of the jobs."""
        jobs = self.cuts.rows(self.jobs)
        found: dict[str, np.ndarray[Any, Any]] = dict(self.layout.numbers(self.data, jobs))
        for values in found.values():
            values[values < 0] = np.nan
        watts = found.pop("watts", None)
        if "joules" in found:
            found["joules"] = self._joules()[self.jobs]
        _derive(found, watts)
        if self.layout.job is not None:
            found["job"], found["task"] = self.job[self.jobs], self.task[self.jobs]
        return found

    def _joules(self) -> FloatArray:
        """The energy of each job: its own, else that of its steps. The batch step counts all that
        ran on its first node, the numbered steps count all nodes: the larger is that of the job.
        """
        joules = self.layout.number("joules", self.data, self.cuts)
        joules[(joules < 0) | (joules > _MOST_JOULES)] = np.nan
        owners = self.owners
        if (owners >= 0).any():
            batch, numbered = np.zeros(len(joules)), np.zeros(len(joules))
            known = ~np.isnan(joules) & (owners >= 0)
            first, others = known & (self.step == BATCH_STEP), known & (self.step == NUMBERED_STEP)
            np.maximum.at(batch, owners[first], joules[first])
            np.add.at(numbered, owners[others], joules[others])
            of_steps = np.maximum(batch, numbered)
            own = np.nan_to_num(joules) > 0
            joules = np.where(~own & (of_steps > 0), of_steps, joules)
        return joules


def _derive(found: dict[str, np.ndarray[Any, Any]], watts: FloatArray | None) -> None:
    """Fill in what follows from other columns: the duration, the end, the energy.

    Clocks change: a job's own duration is right where the difference of its moments is not.
    """
    start, end, elapsed = found.get("start"), found.get("end"), found.get("elapsed")
    if start is not None and end is not None:
        between = np.where(end >= start, end - start, np.nan)
        found["elapsed"] = between if elapsed is None else _first(elapsed, between)
    elapsed = found.get("elapsed")
    if start is not None and elapsed is not None:
        found["end"] = start + elapsed if end is None else _first(start + elapsed, end)
    if end is not None and elapsed is not None:
        found["start"] = end - elapsed if start is None else _first(start, end - elapsed)
    if watts is not None and elapsed is not None:
        energy = watts * elapsed
        joules = found.get("joules")
        found["joules"] = energy if joules is None else _first(joules, energy)


def _first(values: FloatArray, others: FloatArray) -> FloatArray:
    return np.where(np.isnan(values), others, values)
