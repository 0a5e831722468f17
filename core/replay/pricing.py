"""A policy by prices of energy, which are found by replaying the rest of the day as it is expected.

The day is expected to go on as it began, at first busier. No job is looked at before it arrives.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from core.model.arrays import FloatArray, IntArray
from core.model.budget import Budget
from core.model.tolerances import SUM_ROUNDING
from core.replay.clock import OpenReplay, ReplaySettings, RestOfDay
from core.replay.energy import DAY_SECONDS, EnergyWindows
from core.replay.policy import Blocked, Measure, Order, Policy, Prices
from core.replay.workload import ArrivingJobs, Horizon, Options, Truth, Workload

BY_PRICES: Final = Policy("prices", Order.BEST, Measure.SURPLUS, Blocked.HOLD, sequences=24)
_SOON: Final = 600.0
"""Prices are set anew after so many seconds, and then whenever the day has become twice as long;
never later than after one of `_PARTS` of a window.
"""
_PARTS: Final = 14
_BUSIER: Final = 1.5
"""At its begin a day is expected to go on this much busier than it is: the busy hours may be still
to come. Watched by `python -m benchmarks prices`.
"""
_FEW: Final = 1_000
_COARSE: Final = 5.0
"""More jobs than `_FEW` are replayed with events that are so many times as far apart."""
_HOPELESS: Final = 0.2
"""What can be worth no more than this share of the mean any more is not replayed further."""
_MOST: Final = 3_000
"""No more than so many of the expected jobs are looked at, with the energy for their time."""
_CORES: Final = 0.1
"""The price of a second of a core, in what the worth of all jobs is for each of theirs."""
_JOULES: Final = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.05, 1.2)
"""The prices of a joule that are looked at first, in what the worth of all jobs is for a joule."""
_STEP: Final = 0.07
_BESIDE: Final = 2
"""So many prices on each side of the present one are looked at, `_STEP` apart ..."""
_MOVES: Final = 2
"""... and beside the best of these so often at most; the next search goes on from there."""


class Foresight:
    """Sets prices for the rest of the present energy window, by the jobs that have arrived."""

    def prices(self, run: OpenReplay, budget: Budget) -> Prices | None:
        """Those under which the rest of the day is expected to earn the most. None if energy has no
        limit.
        """
        end = _end_of_rest(run)
        if end is None:
            return None
        expected = expected_jobs(run.workload, run.now, end)
        rest = _rest_of_day(run, expected, end)
        scale = _scale_of(rest.workload)
        if scale is None:
            return run.prices

        @cache
        def worth(joule: float) -> float:
            return rest.worth(scale.prices(joule), budget)

        known = run.prices if run.now >= 2 * _SOON else None
        begin = max(_JOULES, key=worth) if known is None else known.joule / scale.joule
        return scale.prices(best_price(worth, begin))

    def again(self, run: OpenReplay) -> float:
        """When prices are set anew (s): also where an energy window begins."""
        edges = run.windows.edges
        at = max(run.now, run.workload.horizon.begin)
        window = min(max(int(np.searchsorted(edges, at, side="right")), 1), len(edges) - 1)
        wait = min(float(edges[window] - edges[window - 1]), DAY_SECONDS) / _PARTS
        wait = min(wait, max(run.now, _SOON))
        later = edges[edges > run.now]
        return min(run.now + wait, float(later[0]) if len(later) else np.inf)


def best_price(worth: Callable[[float], float], joule: float) -> float:
    """Where the parabola through what is earned near a price is highest; the lowest of equal ones.

    A replay earns a little more or less by chance. The parabola evens this out.
    """
    steps = np.arange(-_BESIDE, _BESIDE + 1)
    for _ in range(_MOVES):
        near = np.unique(np.maximum(joule + _STEP * steps, 0.0))
        earned = np.array([worth(float(one)) for one in near])
        if not earned.any():
            break
        between = np.linspace(near[0], near[-1], 8 * len(near))
        heights = np.polynomial.Polynomial.fit(near, earned, 2)(between)
        joule = float(between[heights >= heights.max() * (1.0 - SUM_ROUNDING)][0])
        if near[0] < joule < near[-1]:
            break
    return joule


class _Scale(NamedTuple):
    """What the worth of all jobs is for each second of a core and for each joule of theirs."""

    core_second: float
    joule: float

    def prices(self, joule: float) -> Prices:
        """Those at which a joule has this price, in what it is worth on average."""
        return Prices(_CORES * self.core_second, joule * self.joule)


def _scale_of(workload: Workload) -> _Scale | None:
    """Means over all options; None if they draw nothing or nothing is worth anything."""
    jobs, options = workload.jobs, workload.options
    joules = float(options.joules.sum())
    cores = options.units * workload.pools.cores[options.pool]
    core_seconds = float((options.seconds * cores).sum())
    worth = float((jobs.priority * np.diff(options.first)).sum())
    return _Scale(worth / core_seconds, worth / joules) if joules and worth else None


class _Rest(NamedTuple):
    """The rest of a day, as it is expected."""

    workload: Workload
    windows: EnergyWindows
    held: RestOfDay
    policy: Policy
    every: float

    def worth(self, prices: Prices, budget: Budget) -> float:
        """What it earns under these prices."""
        truth = Truth.as_estimated(len(self.workload.jobs))
        settings = ReplaySettings(self.windows, self.every, prices=prices)
        run = OpenReplay(self.workload, truth, self.policy, settings)
        run.begin(self.held)
        run.run(np.inf, budget)
        return run.outcome().worth


def _end_of_rest(run: OpenReplay) -> float | None:
    """When the energy window ends that counts now, or counts next; None if it has no limit."""
    windows, horizon = run.windows, run.workload.horizon
    window = int(np.searchsorted(windows.edges, max(run.now, horizon.begin), side="right"))
    if not 0 < window < len(windows.edges) or np.isinf(windows.joules[window - 1]):
        return None
    return min(float(windows.edges[window]), horizon.end)


def _rest_of_day(run: OpenReplay, expected: Workload, end: float) -> _Rest:
    workload, outcome = run.workload, run.outcome()
    come = int(np.searchsorted(workload.jobs.arrival, run.now, side="right"))
    known = np.concatenate([run.waiting, np.arange(run.progress.arrived, come)])
    option = outcome.option[run.underway]
    held = RestOfDay(
        run.now,
        workload.options.pool[option],
        workload.options.units[option],
        outcome.estimated_end[run.underway],
    )
    windows = EnergyWindows(run.windows.edges, np.maximum(run.left, 0.0))
    if len(expected.jobs) > _MOST and np.isfinite(end):
        expected = _some_jobs(expected, np.arange(_MOST))
        until = float(expected.jobs.arrival[-1])
        windows, end = _divided(windows, run.now, until, end), until
    both = _together(_some_jobs(workload, known), expected, end)
    hopeless = _HOPELESS * float(both.jobs.priority.mean()) if len(both.jobs) else 0.0
    policy = replace(run.policy, sequences=1, drop_below=max(run.policy.drop_below, hopeless))
    every = run.every * (_COARSE if len(both.jobs) > _FEW else 1.0)
    return _Rest(both, windows, held, policy, every)


def _divided(windows: EnergyWindows, now: float, until: float, end: float) -> EnergyWindows:
    """The same, with an edge at `until`. Of the window there, which ends at `end` at the latest,
    the time that is left on each side gets its share of the energy that is left.
    """
    edges, joules = windows.edges, windows.joules
    after = int(np.searchsorted(edges, until))
    if edges[after] == until:
        return windows
    begin = max(float(edges[after - 1]), now)
    share = (until - begin) / (min(float(edges[after]), end) - begin)
    both = joules[after - 1] * np.array([share, 1.0 - share])
    return EnergyWindows(
        np.insert(edges, after, until), np.concatenate([joules[: after - 1], both, joules[after:]])
    )


def expected_jobs(workload: Workload, now: float, end: float) -> Workload:
    """The jobs of the last day, or of the day so far, again and again until the end; without an
    end, once more. The less of the day is known, the faster they follow each other.
    """
    arrival, past = workload.jobs.arrival, min(now, DAY_SECONDS)
    known = past / min(end, DAY_SECONDS)
    again = past / (1.0 + _BUSIER * (1.0 - known))
    until = end if np.isfinite(end) else now + again
    jobs = np.flatnonzero((arrival >= now - past) & (arrival <= now))
    times = np.arange(np.ceil((until - now) / again)) if past else np.zeros(0)
    later = (
        now + again * ((arrival[jobs] - (now - past)) / (past or 1.0) + times[:, None])
    ).ravel()
    kept = later < until
    return _some_jobs(workload, np.tile(jobs, len(times))[kept], later[kept])


def _some_jobs(workload: Workload, jobs: IntArray, arrival: FloatArray | None = None) -> Workload:
    """A workload of these jobs alone, if given with other arrivals."""
    options, every = workload.options, workload.jobs
    ways = np.diff(options.first)[jobs]
    first = np.concatenate([[0], np.cumsum(ways)])
    rows = np.repeat(options.first[jobs] - first[:-1], ways) + np.arange(first[-1])
    return Workload(
        workload.pools,
        ArrivingJobs(
            every.arrival[jobs] if arrival is None else arrival,
            every.type[jobs],
            every.types,
            every.priority[jobs],
            every.urgency[jobs],
            every.curve[jobs],
        ),
        Options(
            first,
            options.pool[rows],
            options.units[rows],
            options.seconds[rows],
            options.watts[rows],
            options.state[rows],
            options.labels,
        ),
        workload.curves,
        workload.horizon,
    )


def _together(known: Workload, expected: Workload, end: float) -> Workload:
    """The jobs of both until an end, those that are known first: they have arrived before."""
    one, two, a, b = known.jobs, expected.jobs, known.options, expected.options
    return Workload(
        known.pools,
        ArrivingJobs(
            np.concatenate([one.arrival, two.arrival]),
            np.concatenate([one.type, two.type]),
            one.types,
            np.concatenate([one.priority, two.priority]),
            np.concatenate([one.urgency, two.urgency]),
            np.concatenate([one.curve, two.curve]),
        ),
        Options(
            np.concatenate([a.first, b.first[1:] + a.first[-1]]),
            np.concatenate([a.pool, b.pool]),
            np.concatenate([a.units, b.units]),
            np.concatenate([a.seconds, b.seconds]),
            np.concatenate([a.watts, b.watts]),
            np.concatenate([a.state, b.state]),
            a.labels,
        ),
        known.curves,
        Horizon(known.horizon.begin, end),
    )
