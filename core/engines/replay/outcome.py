"""The record of a replay: which job ran where, from when to when, and what that was worth."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from core.engines.replay.energy import EnergyWindows
from core.engines.replay.pieces import Pieces
from core.engines.replay.policy import Prices
from core.engines.replay.stopping.rules import Stopping
from core.engines.replay.workload import Truth, Workload
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray

NOT_RUN: Final = -1


class PricesFrom(NamedTuple):
    """Prices that hold from a time (s) on."""

    time: float
    prices: Prices


@dataclass(frozen=True)
class Decisions:
    """A row for each mapping event: its time (s), how many jobs wait after it, and the measure in
    use (`core.engines.replay.policy.Measure`). And each change of the prices, if a policy looks at
    them; and of each part of the jobs that were stopped, for which job that was (`NOT_RUN`: for
    none, it is the last).
    """

    time: FloatArray
    waiting: IntArray
    measure: IntArray
    priced: tuple[PricesFrom, ...] = ()
    stopped_for: IntArray | None = None


@dataclass(frozen=True)
class ReplayOutcome:
    """What came of each job of a workload.

    Job j ran on `option[j]` (`NOT_RUN`: it never ran) from `start[j]` to `end[j]`;
    `estimated_end[j]` is when it was expected to end. A job with `dropped[j]` was given up at
    `end[j]`. The others that did not run were still waiting at the end.

    Jobs that were stopped are in `broken`, all parts of each; for those that ran to their end,
    `start` and `end` are those of the last part. None: no job was stopped.
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
    broken: Pieces | None = None
    stopping: Stopping | None = None

    @cached_property
    def pieces(self) -> Pieces:
        """All times at which jobs had units, by job: for most, one row."""
        whole = self.ran.copy()
        if self.broken is not None:
            whole[self.broken.job] = False
        job = np.flatnonzero(whole)
        start, end = self.start[job], self.end[job]
        rows = Pieces(job, self.option[job], start, end, np.zeros(len(job)), end - start)
        return rows if self.broken is None else rows.and_those(self.broken).by_job()

    @cached_property
    def stops(self) -> FloatArray:
        """When jobs were stopped, and wait again (s)."""
        if self.broken is None:
            return np.zeros(0)
        return self.broken.end[~self.lasts]

    @cached_property
    def lasts(self) -> BoolArray:
        """Which parts of jobs that were stopped are those with which they end."""
        pieces = self.broken
        if pieces is None:
            return np.zeros(0, bool)
        last = np.append(pieces.job[1:] != pieces.job[:-1], True)
        return np.asarray(last & self.ran[pieces.job])

    @cached_property
    def ran(self) -> BoolArray:
        return np.asarray(self.option != NOT_RUN)

    @cached_property
    def share(self) -> FloatArray:
        """The share of each job's execution that lies within the horizon; 0 if it never ran to its
        end. Of a job that was stopped, what was kept counts.

        A job that ends as it starts is within the horizon if that moment is.
        """
        begin, end = self.workload.horizon
        within = np.minimum(self.end, end) - np.maximum(self.start, begin)
        length = self.end - self.start
        at_once = np.where((self.start >= begin) & (self.start < end), 1.0, 0.0)
        share = np.divide(within, length, out=at_once, where=length > 0.0)
        if self.broken is not None:
            jobs, mine = len(share), self.broken.job
            inside = self.broken.of_jobs(self.broken.within(self.workload.horizon), jobs)
            in_all = self.broken.of_jobs(self.broken.kept, jobs)
            share[mine] = inside[mine] / np.where(in_all[mine] > 0.0, in_all[mine], 1.0)
        return np.where(self.ran, np.clip(share, 0.0, 1.0), 0.0)

    @cached_property
    def job_worth(self) -> FloatArray:
        """What each job earned within the horizon."""
        jobs = self.workload.jobs
        delay = np.where(self.ran, self.end - jobs.arrival, 0.0)
        option = np.where(self.ran, self.option, 0)
        full = self.workload.worth_of(np.arange(len(jobs)), option, delay)
        return np.asarray(full * self.share)

    @cached_property
    def job_joules(self) -> FloatArray:
        """What each job drew, in all."""
        watts = self.workload.options.watts[np.where(self.ran, self.option, 0)]
        drawn = watts * self.truth.power * (self.end - self.start)
        drawn = np.where(self.ran, drawn, 0.0)
        return self._with_broken(drawn, -np.inf, np.inf)

    @cached_property
    def joules_scored(self) -> FloatArray:
        """What each job drew within the horizon."""
        return self._with_broken(self.job_joules * self.share, *self.workload.horizon)

    def _with_broken(self, whole: FloatArray, begin: float, end: float) -> FloatArray:
        """The joules of each job between two times, if those of jobs without a break are these."""
        if self.broken is None:
            return whole
        option, job = self.broken.option, self.broken.job
        watts = self.workload.options.watts[option] * self.truth.power[job]
        parts = self.broken.of_jobs(watts * self.broken.seconds_within(begin, end), len(whole))
        whole[job] = parts[job]
        return whole

    @cached_property
    def worth(self) -> float:
        return float(self.job_worth.sum())

    @cached_property
    def joules(self) -> float:
        """Drawn by jobs within the horizon, and by machines that are on or asleep."""
        return float(self.joules_scored.sum()) + base_joules(self)

    @cached_property
    def completed(self) -> int:
        """Jobs that ran to their end, at any time."""
        return int(self.ran.sum())

    @cached_property
    def makespan(self) -> float:
        """When the last job ends (s)."""
        return float(self.pieces.end.max(initial=0.0))

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


def base_joules(outcome: ReplayOutcome) -> float:
    """What all pools draw beside their jobs within the horizon, by the rule of the workload.

    - "always on": every unit draws its idle power until the horizon ends, or the last job does.
    - "until last job": so long as it will be needed again; then it sleeps.
    - "off when idle": while it works; else it sleeps.

    A pool that is one machine is on as a whole. Of a pool of nodes, as many are on as are needed.
    """
    pools, horizon = outcome.workload.pools, outcome.workload.horizon
    if not (pools.idle_watts.any() or pools.sleep_watts.any()):
        return 0.0
    end = horizon.end if np.isfinite(horizon.end) else max(outcome.makespan, horizon.begin)
    total = 0.0
    for pool in range(len(pools)):
        edges, on = units_on(outcome, pool, horizon.begin, end)
        awake = float(on @ np.diff(edges))
        asleep = pools.units[pool] * (end - horizon.begin) - awake
        total += awake * pools.idle_watts[pool] + asleep * pools.sleep_watts[pool]
    return total


def busy_units(
    outcome: ReplayOutcome, pool: int, begin: float, end: float
) -> tuple[FloatArray, IntArray]:
    """Times from `begin` to `end` (s), and how many units of a pool work between each two."""
    return taken_of(outcome, pool, (begin, end), outcome.workload.options.units)


def taken_of(
    outcome: ReplayOutcome, pool: int, span: tuple[float, float], taken: IntArray
) -> tuple[FloatArray, IntArray]:
    """Times of a span (s), and how much of something that each option takes, `taken`, the jobs of a
    pool take between each two.
    """
    (begin, end), pieces = span, outcome.pieces
    mine = outcome.workload.options.pool[pieces.option] == pool
    units = taken[pieces.option[mine]]
    first, last = pieces.start[mine], pieces.end[mine]
    edges = np.unique(np.clip(np.concatenate([first, last, [begin, end]]), begin, end))
    change = np.zeros(len(edges), np.int64)
    np.add.at(change, np.searchsorted(edges, np.clip(first, begin, end)), units)
    np.subtract.at(change, np.searchsorted(edges, np.clip(last, begin, end)), units)
    return edges, np.cumsum(change)[:-1]


def units_on(
    outcome: ReplayOutcome, pool: int, begin: float, end: float
) -> tuple[FloatArray, IntArray]:
    """Times from `begin` to `end` (s), and how many units of a pool are on between each two."""
    edges, used = busy_units(outcome, pool, begin, end)
    workload = outcome.workload
    every = int(workload.pools.units[pool])
    if workload.switching == "always on":
        return edges, np.full(len(used), every)
    needed = used
    if workload.switching == "until last job":
        needed = np.maximum.accumulate(used[::-1])[::-1]
    return edges, np.where(needed > 0, every, 0) if workload.pools.whole[pool] else needed


@dataclass(frozen=True)
class StatedOutcome:
    """Rows of an outcome, in which anything may be wrong.

    Row r says that job `job[r]` ran on `option[r]` (its place among all options of the workload;
    `NOT_RUN`: it never ran) with `units[r]` units of `pool[r]`, from `start[r]` to `end[r]`, and
    was expected to end at `estimated_end[r]` (s). It earned `worth[r]` and drew `joules[r]`. A job
    with `dropped[r]` was given up at `end[r]`. A job without a row never ran.

    With `parts`, jobs may have been stopped as `stopping` says: a row of one has no estimated end,
    earns nothing, and its energy is its own. `parts` says of each row how long after its start the
    job went on, and how many of the seconds from then on are kept.

    `total_worth` and `total_joules` are those of the outcome; None where they are not stated.
    """

    workload: Workload
    truth: Truth
    windows: EnergyWindows
    job: IntArray
    option: IntArray
    pool: IntArray
    units: IntArray
    start: FloatArray
    end: FloatArray
    estimated_end: FloatArray
    worth: FloatArray
    joules: FloatArray
    dropped: BoolArray
    total_worth: float | None = None
    total_joules: float | None = None
    parts: "StatedParts | None" = None
    stopping: Stopping | None = None

    def outcome(self, policy: str) -> ReplayOutcome:
        """The record of what is stated, without decisions; only for rows that the judge agrees
        with.
        """
        jobs, whole = len(self.workload.jobs), ~self.stopped
        option, dropped = np.full(jobs, NOT_RUN), np.zeros(jobs, bool)
        start, end, estimated = (np.full(jobs, np.nan) for _ in range(3))
        job = self.job[whole]
        option[job], dropped[job] = self.option[whole], self.dropped[whole]
        start[job], end[job] = self.start[whole], self.end[whole]
        estimated[job] = self.estimated_end[whole]
        nothing, none = np.zeros(0), np.zeros(0, np.int64)
        return ReplayOutcome(
            self.workload,
            self.truth,
            self.windows,
            policy,
            option,
            start,
            end,
            estimated,
            dropped,
            Decisions(nothing, none, none),
            self._broken(),
            self.stopping,
        )

    @property
    def stopped(self) -> BoolArray:
        """Which rows are of jobs that were stopped at their end."""
        if self.parts is None:
            return np.zeros(len(self.job), bool)
        return np.asarray((self.option != NOT_RUN) & np.isnan(self.estimated_end))

    def _broken(self) -> Pieces | None:
        """All parts of the jobs that were stopped."""
        if self.parts is None or not self.stopped.any():
            return None
        mine = np.isin(self.job, self.job[self.stopped]) & (self.option != NOT_RUN)
        rows = Pieces(self.job, self.option, self.start, self.end, *self.parts)
        return rows.at(mine).by_job()

    @classmethod
    def of(cls, outcome: ReplayOutcome) -> "StatedOutcome":
        """What a replay states: a row for each job, and one for each time that one was stopped."""
        jobs = np.arange(len(outcome.workload.jobs))
        lead: FloatArray = np.zeros(len(jobs))
        length = np.where(outcome.ran, outcome.end - outcome.start, 0.0)
        rows = Pieces(jobs, outcome.option, outcome.start, outcome.end, lead, length)
        joules, extra = outcome.job_joules.copy(), np.zeros(0, np.int64)
        if outcome.broken is not None:
            broken = outcome.broken
            last = broken.at(outcome.lasts)
            extra = np.flatnonzero(~outcome.lasts)
            lead[last.job], length[last.job] = last.lead, last.kept
            watts = outcome.workload.options.watts[broken.option] * outcome.truth.power[broken.job]
            drawn = watts * (broken.end - broken.start)
            joules[broken.job] = 0.0
            joules[last.job] = drawn[outcome.lasts]
            rows = rows.and_those(broken.at(extra))
            joules = np.append(joules, drawn[extra])
        order = np.lexsort((rows.start, rows.job))

        def each(values: FloatArray | BoolArray, filled: float) -> Any:
            return np.append(values, np.full(len(extra), filled, values.dtype))[order]

        job, option, start, end, lead, kept = rows.at(order)
        options = outcome.workload.options
        known = (option >= 0) & (option < len(options.pool))
        taken = np.where(known, option, 0)
        return cls(
            outcome.workload,
            outcome.truth,
            outcome.windows,
            job,
            option,
            np.where(known, options.pool[taken], NOT_RUN),
            np.where(known, options.units[taken], 0),
            start,
            end,
            each(outcome.estimated_end, np.nan),
            each(outcome.job_worth, 0.0),
            joules[order],
            each(outcome.dropped, False),
            outcome.worth,
            outcome.joules,
            None if outcome.broken is None else StatedParts(lead, kept),
            outcome.stopping,
        )


class StatedParts(NamedTuple):
    """How long after its start each row went on, and how many of the seconds then are kept."""

    lead: FloatArray
    kept: FloatArray


@dataclass(frozen=True, slots=True)
class ReplayScore:
    """Worth and energy (J) within the horizon, and what of it jobs drew; jobs that ran to their
    end, and that were dropped; their mean flow (s), largest stretch and last end (s); and how long
    the replay took (s), with how many mapping events.
    """

    worth: float
    joules: float
    joules_of_jobs: float
    completed: int
    dropped: int
    mean_flow: float
    max_stretch: float
    makespan: float
    seconds: float
    events: int

    @classmethod
    def of(cls, outcome: ReplayOutcome, seconds: float) -> "ReplayScore":
        """The figures of an outcome that took so many `seconds` to compute."""
        return cls(
            worth=outcome.worth,
            joules=outcome.joules,
            joules_of_jobs=float(outcome.joules_scored.sum()),
            completed=outcome.completed,
            dropped=int(outcome.dropped.sum()),
            mean_flow=float(outcome.flow.mean()) if outcome.completed else 0.0,
            max_stretch=float(outcome.stretch.max(initial=0.0)),
            makespan=outcome.makespan,
            seconds=seconds,
            events=len(outcome.decisions.time),
        )
