"""The record of a replay: which job ran where, from when to when, and what that was worth."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from core.model.arrays import BoolArray, FloatArray, IntArray
from core.replay.energy import EnergyWindows
from core.replay.on_time import base_joules
from core.replay.policy import Prices
from core.replay.workload import Truth, Workload
from core.replay.worth import curves_at

NOT_RUN: Final = -1


class PricesFrom(NamedTuple):
    """Prices of energy that hold from a time (s) on."""

    time: float
    prices: Prices


@dataclass(frozen=True)
class Decisions:
    """A row for each mapping event: its time (s), how many jobs wait after it, and the measure in
    use (`core.replay.policy.Measure`). And each change of the prices, if a policy looks at them.
    """

    time: FloatArray
    waiting: IntArray
    measure: IntArray
    priced: tuple[PricesFrom, ...] = ()


@dataclass(frozen=True)
class ReplayOutcome:
    """What came of each job of a workload.

    Job j ran on `option[j]` (`NOT_RUN`: it never ran) from `start[j]` to `end[j]`;
    `estimated_end[j]` is when it was expected to end. A job with `dropped[j]` was given up at
    `end[j]`. The others that did not run were still waiting at the end.
    """

    workload: Workload
    truth: Truth
    windows: EnergyWindows
    policy: str
    option: IntArray
    start: FloatArray
    end: FloatArray
    estimated_end: FloatArray
    dropped: BoolArray
    decisions: Decisions

    @cached_property
    def ran(self) -> BoolArray:
        return np.asarray(self.option != NOT_RUN)

    @cached_property
    def share(self) -> FloatArray:
        """The share of each job's execution that lies within the horizon; 0 if it never ran.

        A job that ends as it starts is within the horizon if that moment is.
        """
        begin, end = self.workload.horizon
        within = np.minimum(self.end, end) - np.maximum(self.start, begin)
        length = self.end - self.start
        at_once = np.where((self.start >= begin) & (self.start < end), 1.0, 0.0)
        share = np.divide(within, length, out=at_once, where=length > 0.0)
        return np.where(self.ran, np.clip(share, 0.0, 1.0), 0.0)

    @cached_property
    def job_worth(self) -> FloatArray:
        """What each job earned within the horizon."""
        jobs = self.workload.jobs
        delay = np.where(self.ran, self.end - jobs.arrival, 0.0)
        full = jobs.priority * curves_at(self.workload.curves, jobs.curve, jobs.urgency, delay)
        return np.asarray(full * self.share)

    @cached_property
    def job_joules(self) -> FloatArray:
        """What each job drew, in all."""
        watts = self.workload.options.watts[np.where(self.ran, self.option, 0)]
        drawn = watts * self.truth.power * (self.end - self.start)
        return np.where(self.ran, drawn, 0.0)

    @cached_property
    def worth(self) -> float:
        return float(self.job_worth.sum())

    @cached_property
    def joules(self) -> float:
        """Drawn by jobs within the horizon, and by machines that are on or asleep."""
        return float((self.job_joules * self.share).sum()) + base_joules(self)

    @cached_property
    def completed(self) -> int:
        """Jobs that ran to their end, at any time."""
        return int(self.ran.sum())

    @cached_property
    def makespan(self) -> float:
        """When the last job ends (s)."""
        return float(self.end[self.ran].max(initial=0.0))

    @cached_property
    def flow(self) -> FloatArray:
        """From arrival to end (s), of the jobs that ran."""
        return self.end[self.ran] - self.workload.jobs.arrival[self.ran]

    @cached_property
    def stretch(self) -> FloatArray:
        """The flow of the jobs that ran, over their least seconds on any option."""
        options = self.workload.options
        least = np.minimum.reduceat(options.seconds, options.first[:-1]) * self.truth.time
        return np.asarray(self.flow / least[self.ran])
