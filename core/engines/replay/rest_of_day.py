"""The rest of a day in each of its futures, as replays look at it: what waits and runs, with jobs
that are expected. These are drawn from the jobs that have come; none is looked at before.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from core.engines.replay.belief import HOUR, Capacity, Future, Window, usual_days
from core.engines.replay.clock import OpenReplay, ReplaySettings, RestOfDay
from core.engines.replay.energy import DAY_SECONDS, EnergyWindows
from core.engines.replay.policy import Policy, Prices
from core.engines.replay.workload import ArrivingJobs, Horizon, Truth, Workload, rows_of
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget
from core.vocabulary.tolerances import NOT_DIVISIBLE

_BEFORE: float = 5.0
"""Estimates are believed as if so many jobs had been done that took just as long."""


class Learned(NamedTuple):
    """The shares of estimated seconds and watts that jobs take, by the joules of those done."""

    time: float
    power: float

    @classmethod
    def of(cls, run: OpenReplay) -> "Learned":
        """What is known at the time of a replay."""
        outcome, options = run.outcome(), run.workload.options
        done = np.flatnonzero(outcome.ran & (outcome.end <= run.now))
        if not len(done):
            return cls(1.0, 1.0)
        option = outcome.option[done]
        seconds, watts = options.seconds[option], options.watts[option]
        took = outcome.end[done] - outcome.start[done]
        before = _BEFORE * float((seconds * watts).mean())
        estimated = float((seconds * watts).sum())
        in_time = float((took * watts).sum())
        drawn = float((took * watts * outcome.truth.power[done]).sum())
        if estimated <= 0.0 or in_time <= 0.0:
            return cls(1.0, 1.0)
        time = (in_time + before) / (estimated + before)
        return cls(min(time, 1.0), (drawn + before) / (in_time + before))

    @property
    def joules(self) -> float:
        """The share of estimated joules."""
        return self.time * self.power

    def truth(self, jobs: int) -> Truth:
        """What so many jobs are expected to take."""
        return Truth(np.full(jobs, self.time), np.full(jobs, self.power))


def held_by(run: OpenReplay, learned: Learned) -> RestOfDay:
    """What runs now, until it is expected to be done."""
    outcome, options = run.outcome(), run.workload.options
    option = outcome.option[run.underway]
    end = _expected_ends(run, learned)
    held = (options.pool[option], options.units[option], run.facts.further[option])
    return RestOfDay(run.now, *held, end)


def left_of(run: OpenReplay, learned: Learned) -> FloatArray:
    """The joules of each window that are left, with what those that run will not take."""
    outcome, options, edges = run.outcome(), run.workload.options, run.windows.edges
    watts = options.watts[outcome.option[run.underway]]
    end, promised = _expected_ends(run, learned), outcome.estimated_end[run.underway]
    spans = np.minimum(promised[:, None], edges[1:]) - np.maximum(end[:, None], edges[:-1])
    return np.asarray(run.left + (np.maximum(spans, 0.0) * watts[:, None]).sum(axis=0))


def _expected_ends(run: OpenReplay, learned: Learned) -> FloatArray:
    outcome = run.outcome()
    start, promised = outcome.start[run.underway], outcome.estimated_end[run.underway]
    end = start + learned.time * (promised - start)
    # What has gone on for longer than that may go on until then.
    return np.asarray(np.where(end > run.now, end, promised))


_FEW: Final = 1_000
_COARSE: Final = 5.0
"""More jobs than `_FEW` are replayed with events that are so many times as far apart."""
_HOPELESS: Final = 0.2
"""What can be worth no more than this share of the mean any more is not replayed further."""
_MOST: Final = 3_000
"""No more than so many of the expected jobs are looked at, with the energy for their part."""
_STEPS: Final = 192
"""Parts of the rest of a day, between which its usual rate is taken to be even."""
_AGAIN: Final = 20
"""Each job that has come is expected so often again at most."""


class _Rest(NamedTuple):
    """The rest of a day, as it is expected."""

    workload: Workload
    truth: Truth
    windows: EnergyWindows
    held: RestOfDay
    policy: Policy
    every: float

    def worth(self, prices: Prices, budget: Budget) -> float:
        """What it earns under these prices."""
        settings = ReplaySettings(self.windows, self.every, prices=prices)
        run = OpenReplay(self.workload, self.truth, self.policy, settings)
        run.begin(self.held)
        run.run(np.inf, budget)
        return run.outcome().worth


class Futures(NamedTuple):
    """The rest of a day in each future, and how much that counts: how likely it is, and more where
    only a part of its jobs is looked at.
    """

    days: tuple[_Rest, ...]
    counts: tuple[float, ...]

    @classmethod
    def of(
        cls, run: OpenReplay, futures: Sequence[Future], window: Window, learned: Learned
    ) -> "Futures":
        expected = [_expected(run, window, one.to_come) for one in futures]
        days = tuple(_rest_of_day(run, one, window, learned) for one in expected)
        counts = (one.likely / jobs.share for one, jobs in zip(futures, expected, strict=True))
        return cls(days, tuple(counts))

    def worth(self, prices: Prices, budget: Budget) -> float:
        """What is expected to be earned under these prices."""
        both = zip(self.days, self.counts, strict=True)
        return sum(counts * day.worth(prices, budget) for day, counts in both)


def arrived(run: OpenReplay) -> IntArray:
    """The jobs that have arrived by now."""
    return np.arange(np.searchsorted(run.workload.jobs.arrival, run.now, side="right"))


class Quickest(NamedTuple):
    """What jobs are estimated to take on their options of the fewest core-seconds, on average."""

    joules: float
    core_seconds: float

    @classmethod
    def of(cls, workload: Workload, jobs: int) -> "Quickest":
        """The quickest options of the first so many jobs."""
        options = workload.options
        first = options.first[:jobs]
        ways = slice(0, int(options.first[jobs]))
        core_seconds = (options.seconds * workload.option_cores)[ways]
        least = np.minimum.reduceat(core_seconds, first)
        job = np.repeat(np.arange(jobs), np.diff(options.first[: jobs + 1]))
        _, place = np.unique(job[core_seconds == least[job]], return_index=True)
        quickest = np.flatnonzero(core_seconds == least[job])[place]
        return cls(float(options.joules[quickest].mean()), float(least.mean()))


def capacity_of(run: OpenReplay, window: Window, learned: Learned) -> Capacity | None:
    """By the jobs that have arrived; None if they take nothing, or if the window has no energy or
    no time (what is to come is looked at for as long as the past was, and that may be no time yet).
    """
    quickest = Quickest.of(run.workload, len(arrived(run)))
    joules, core_seconds = learned.joules * quickest.joules, learned.time * quickest.core_seconds
    length = window.end - window.begin
    if min(joules, core_seconds, window.joules, length) < NOT_DIVISIBLE:
        return None
    pools = run.workload.pools
    cores = float((pools.units * pools.cores).sum())
    return Capacity(window.joules / joules, cores * length / core_seconds)


class _Expected(NamedTuple):
    """Jobs that are expected, and the share of all of them that these are."""

    workload: Workload
    share: float


def _expected(run: OpenReplay, window: Window, to_come: float) -> _Expected:
    """So many jobs until the window ends, or the first of them, at the hours of a usual day; they
    are drawn from those of the last day. In what is left of a window before it, as many as are
    usual beside them.
    """
    workload, now = run.workload, run.now
    known = arrived(run)
    known = known[workload.jobs.arrival[known] >= now - DAY_SECONDS]
    time = np.linspace(now, window.end, _STEPS + 1)
    days = usual_days((time - workload.horizon.begin) / HOUR)
    begin = float(np.interp(max(now, window.begin), time, days))
    within = float(days[-1]) - begin
    all_days = float(days[-1] - days[0])
    many = round(to_come * all_days / within) if within > 0.0 and len(known) else 0
    looked_at = min(many, _MOST, _AGAIN * len(known))
    passed = (np.arange(looked_at) + 0.5) / max(many, 1) * all_days
    arrival = np.interp(days[0] + passed, days, time)
    random = np.random.default_rng(0)
    rounds = [random.permutation(known) for _ in range(-(-looked_at // max(len(known), 1)))]
    jobs = np.concatenate([known[:0], *rounds])[:looked_at]
    return _Expected(some_jobs(workload, jobs, arrival), looked_at / many if many else 1.0)


def _rest_of_day(run: OpenReplay, expected: _Expected, window: Window, learned: Learned) -> _Rest:
    workload, jobs = run.workload, expected.workload.jobs
    known = np.concatenate([run.waiting, np.arange(run.taken_in, len(arrived(run)))])
    windows = EnergyWindows(run.windows.edges, np.maximum(left_of(run, learned), 0.0))
    end = window.end if np.isfinite(workload.horizon.end) else np.inf
    if len(jobs) and expected.share < 1.0 and np.isfinite(end):
        end = float(jobs.arrival[-1])
        windows = _divided(windows, end, expected.share)
    both = _together(some_jobs(workload, known), expected.workload, end)
    hopeless = _HOPELESS * float(both.jobs.priority.mean()) if len(both.jobs) else 0.0
    policy = replace(run.policy, sequences=1, drop_below=max(run.policy.drop_below, hopeless))
    every = run.every * (_COARSE if len(both.jobs) > _FEW else 1.0)
    truth = learned.truth(len(both.jobs))
    return _Rest(both, truth, windows, held_by(run, learned), policy, every)


def _divided(windows: EnergyWindows, until: float, share: float) -> EnergyWindows:
    """The same, with an edge at `until`, of which this share of the jobs is expected before: it
    gets as much of the energy of its window; none is kept for later in windows before it.
    """
    edges, joules = windows.edges, windows.joules
    after = int(np.searchsorted(edges, until))
    if edges[after] == until:
        return windows
    both = joules[after - 1] * np.array([share, 1.0 - share])
    return EnergyWindows(
        np.insert(edges, after, until), np.concatenate([joules[: after - 1], both, joules[after:]])
    )


def some_jobs(workload: Workload, jobs: IntArray, arrival: FloatArray | None = None) -> Workload:
    """A workload of these jobs alone, if given with other arrivals."""
    options, every = workload.options, workload.jobs
    first = np.concatenate([[0], np.cumsum(np.diff(options.first)[jobs])])
    arrival = every.arrival[jobs] if arrival is None else arrival
    priority, urgency, curve = (column[jobs] for column in every.worths)
    return Workload(
        workload.pools,
        ArrivingJobs(arrival, every.type[jobs], every.types, priority, urgency, curve),
        options.at(rows_of(options.first, jobs), first),
        workload.curves,
        workload.horizon,
    )


def _together(known: Workload, expected: Workload, end: float) -> Workload:
    """The jobs of both until an end, those that are known first: they have arrived before."""
    one, two = known.jobs, expected.jobs
    arrival, kind = np.concatenate([one.arrival, two.arrival]), np.concatenate([one.type, two.type])
    worths = zip(one.worths, two.worths, strict=True)
    priority, urgency, curve = (np.concatenate(both) for both in worths)
    return Workload(
        known.pools,
        ArrivingJobs(arrival, kind, one.types, priority, urgency, curve),
        known.options.and_those(expected.options),
        known.curves,
        Horizon(known.horizon.begin, end),
    )
