"""A policy by prices of energy, which are found by replaying the rest of the day as it is expected.

The day is expected to go on as it began, at first busier. No job is looked at before it arrives.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from core.model.arrays import FloatArray, IntArray
from core.model.budget import Budget
from core.replay.clock import OpenReplay, ReplaySettings, RestOfDay
from core.replay.energy import DAY_SECONDS, EnergyWindows
from core.replay.policy import Blocked, Measure, Order, Policy, Prices
from core.replay.workload import ArrivingJobs, Horizon, Options, Truth, Workload

BY_PRICES: Final = Policy("prices", Order.BEST, Measure.SURPLUS, Blocked.HOLD)
_SOON: Final = 600.0
"""Prices are set anew after so many seconds, and then whenever the day has become twice as long;
never later than after one of `_PARTS` of a window.
"""
_PARTS: Final = 12
_BUSIER: Final = 1.5
"""At its begin a day is expected to go on this much busier than it is: the busy hours may be still
to come. Watched by `python -m benchmarks prices`.
"""
_FEW: Final = 1_000
_COARSE: Final = 5.0
"""More jobs than `_FEW` are replayed with events that are so many times as far apart."""
_SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_LEAST: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""The places that are looked at first."""
_STEP: Final = 0.1
_MOVES: Final = 2
"""The search moves to the best neighbour so often at most; the next search goes on from there."""


class PricePlace(NamedTuple):
    """Where prices are between those of other policies. Energy has a `share` of the price of a
    job: 0 values it as Max UPR does, 1 as Max UPE. Each joule must bring `least` times what the
    worth of all jobs is for a joule of theirs.
    """

    share: float
    least: float


class Foresight:
    """Sets prices for the rest of the present energy window, by the jobs that have arrived."""

    def prices(self, run: OpenReplay, budget: Budget) -> Prices | None:
        """Those of some places under which the rest of the day is expected to earn the most. None
        if energy has no limit.
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
        def worth(place: PricePlace) -> float:
            return rest.worth(scale.prices(place), budget)

        known = run.prices if run.now >= 2 * _SOON else None
        begin = None if known is None else scale.place(known)
        return scale.prices(_best_place(worth, begin))

    def again(self, run: OpenReplay) -> float:
        """When prices are set anew (s): also where an energy window begins."""
        edges = run.windows.edges
        at = max(run.now, run.workload.horizon.begin)
        window = min(max(int(np.searchsorted(edges, at, side="right")), 1), len(edges) - 1)
        wait = min(float(edges[window] - edges[window - 1]), DAY_SECONDS) / _PARTS
        wait = min(wait, max(run.now, _SOON))
        later = edges[edges > run.now]
        return min(run.now + wait, float(later[0]) if len(later) else np.inf)


def _best_place(worth: Callable[[PricePlace], float], place: PricePlace | None) -> PricePlace:
    """The best place that is found from one on, or from others that have its share; if there is
    none, from the best of a coarse grid.
    """
    steps = [_STEP] if place else [_STEP, _STEP / 2]
    coarse = [place] if place else []
    for share in [place.share] if place else _SHARES:
        coarse += [PricePlace(share, least) for least in _LEAST]
    place = max(coarse, key=worth)
    for step in steps:
        for _ in range(_MOVES):
            better = max((place, *_near(place, step)), key=worth)
            if better == place:
                break
            place = better
    return place


def _near(place: PricePlace, step: float) -> Iterator[PricePlace]:
    """The neighbours of a place, but for those where both rise or both fall."""
    for up, more in ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1)):
        share = min(max(place.share + up * step, 0.0), 1.0)
        yield PricePlace(share, max(place.least + more * step, 0.0))


class _Scale(NamedTuple):
    """Mean watts of a core, and mean worth of a joule."""

    watts: float
    worth: float

    def prices(self, place: PricePlace) -> Prices:
        return Prices(1.0 - place.share, place.share / self.watts, place.least * self.worth)

    def place(self, prices: Prices) -> PricePlace:
        return PricePlace(1.0 - prices.core_second, prices.least / self.worth)


def _scale_of(workload: Workload) -> _Scale | None:
    """Means over all options; None if they draw nothing or nothing is worth anything."""
    jobs, options = workload.jobs, workload.options
    joules = float(options.joules.sum())
    cores = options.units * workload.pools.cores[options.pool]
    core_seconds = float((options.seconds * cores).sum())
    worth = float((jobs.priority * np.diff(options.first)).sum())
    return _Scale(joules / core_seconds, worth / joules) if joules and worth else None


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
    both = _together(_some_jobs(workload, known), expected, end)
    windows = EnergyWindows(run.windows.edges, np.maximum(run.left, 0.0))
    every = run.every * (_COARSE if len(both.jobs) > _FEW else 1.0)
    return _Rest(both, windows, held, run.policy, every)


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
