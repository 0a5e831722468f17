"""A policy by prices of energy and cores, found by replaying the rest of the day as it may be.

How much of it is still to come is a belief (`core.replay.belief`) in some futures. The prices are
those that earn the most over all of them, by how likely they are. No job is looked at before it
arrives.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from core.model.arrays import FloatArray, IntArray
from core.model.budget import Budget
from core.model.tolerances import SUM_ROUNDING
from core.replay.belief import HOUR, Capacity, Future, Window, believed, usual_days, window_to_price
from core.replay.clock import OpenReplay, ReplaySettings, RestOfDay
from core.replay.energy import DAY_SECONDS, EnergyWindows
from core.replay.learned import Learned, held_by, left_of
from core.replay.policy import Blocked, Measure, Order, Policy, Prices
from core.replay.workload import ArrivingJobs, Horizon, Options, Truth, Workload
from core.replay.worth import curves_at

BY_PRICES: Final = Policy("prices", Order.BEST, Measure.SURPLUS, Blocked.HOLD, sequences=24)
_SOON: Final = 600.0
"""Prices are set anew after so many seconds, and then whenever the day has become twice as long;
never later than after one of `_PARTS` of a window.
"""
_PARTS: Final = 28
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
_CORES: Final = (0.0, 0.05, 0.1, 0.2)
"""The prices of a second of a core that are looked at, in what the worth of all jobs is for each of
theirs; of these, `_FIRST_CORES` at first."""
_FIRST_CORES: Final = (0, 2)
_JOULES: Final = (0.0, 0.15, 0.3, 0.45, 0.6, 0.8, 1.0)
"""The prices of a joule that are looked at first, in what the worth of all jobs is for a joule."""
_STEP: Final = 0.1
"""Later the present price of a joule is looked at, and one on each side ..."""
_MOVES: Final = 2
"""... and those beside the best of these, so often at most; the next search goes on from there."""
_ANOTHER: Final = 0.07
"""By how much a joule is priced lower where a core is priced higher by one of `_CORES`."""
_BETTER: Final = 1.001
"""So many times as much must be earned with another price of cores."""
_ALIKE: Final = 0.08
"""Futures are one where their jobs, with those that wait, differ by less than this share."""
_HIGH: Final = 0.48
"""The price of a joule above which prices are high: energy that is kept for jobs that do not come
is lost. Of those above, only a part is kept where futures differ much ..."""
_UNSURE: Final = (0.5, 0.9)
"""... that is, where few jobs to come are less than so many of many, with those that have come:
nothing at the first, all at the second. These, too, are tuned on `benchmarks.shapes.TUNING`."""


class _Found(NamedTuple):
    """The best prices of a replay so far: of a joule (worth), and the place in `_CORES`; and
    whether a higher one is tried there next.
    """

    joule: float
    cores: int
    higher: bool


class Foresight:
    """Sets prices for the rest of the present energy window, by the jobs that have arrived."""

    def __init__(self) -> None:
        self._found: WeakKeyDictionary[OpenReplay, _Found] = WeakKeyDictionary()

    def prices(self, run: OpenReplay, budget: Budget) -> Prices | None:
        """Those under which the rest of the day is expected to earn the most. None if energy has no
        limit.
        """
        window = window_to_price(run.windows, run.workload.horizon, run.now)
        if window is None:
            return None
        if not len(arrived(run)):
            return run.prices
        learned = Learned.of(run)
        capacity = _capacity(run, window, learned)
        if capacity is None:
            return run.prices
        workload = run.workload
        futures = believed(workload.jobs, workload.horizon, window, run.now, capacity)
        if futures[-1].to_come - futures[0].to_come <= _ALIKE * (
            len(run.waiting) + futures[0].to_come + 1.0
        ):
            futures = (Future(sum(one.to_come * one.likely for one in futures), 1.0),)
        rest = _Futures.of(run, futures, window, learned)
        scale = _scale_of(rest.days[-1].workload)
        if scale is None:
            return run.prices
        known = self._found.get(run) if run.now >= 2 * _SOON else None
        found = _searched(rest, scale, known, budget)
        self._found[run] = found
        joule = found.joule / scale.joule
        if joule > _HIGH:
            sure = _sure(futures, len(run.waiting) + len(arrived(run)))
            joule = _HIGH + sure * (joule - _HIGH)
        return scale.prices(joule, found.cores)

    def again(self, run: OpenReplay) -> float:
        """When prices are set anew (s): also where an energy window begins."""
        edges = run.windows.edges
        at = max(run.now, run.workload.horizon.begin)
        window = min(max(int(np.searchsorted(edges, at, side="right")), 1), len(edges) - 1)
        wait = min(float(edges[window] - edges[window - 1]), DAY_SECONDS) / _PARTS
        wait = min(wait, max(run.now, _SOON))
        later = edges[edges > run.now]
        return min(run.now + wait, float(later[0]) if len(later) else np.inf)


def _sure(futures: Sequence[Future], jobs: int) -> float:
    """How far futures agree, from 0 to 1, where so many jobs have come or wait."""
    share = (jobs + futures[0].to_come + 1.0) / (jobs + futures[-1].to_come + 1.0)
    none, all_of_it = _UNSURE
    return min(max((share - none) / (all_of_it - none), 0.0), 1.0)


def _searched(rest: "_Futures", scale: "_Scale", known: _Found | None, budget: Budget) -> _Found:
    """The best prices: of all where none are known, else near these."""
    if known is None:
        cores, joule = max(
            ((cores, joule) for joule in _JOULES for cores in _FIRST_CORES),
            key=lambda one: rest.worth(scale.prices(one[1], one[0]), budget),
        )
        higher = True
    else:
        joule, cores, higher = known.joule / scale.joule, known.cores, known.higher
    joule = best_price(lambda one: rest.worth(scale.prices(one, cores), budget), joule)
    other = cores + (1 if higher else -1)
    if 0 <= other < len(_CORES):
        beside = max(joule + _ANOTHER * (cores - other), 0.0)
        earned = rest.worth(scale.prices(beside, other), budget)
        if earned > _BETTER * rest.worth(scale.prices(joule, cores), budget):
            joule, cores = beside, other
    return _Found(joule * scale.joule, cores, not higher)


def best_price(worth: Callable[[float], float], joule: float) -> float:
    """Where the parabola through what is earned near a price is highest; the lowest of equal ones.

    A replay earns a little more or less by chance. The parabola evens this out.
    """
    for _ in range(_MOVES):
        near = max(joule, _STEP) + _STEP * np.arange(-1, 2)
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

    def prices(self, joule: float, cores: int) -> Prices:
        """Those at which a joule has this price, in what it is worth on average, and a core the one
        at this place of `_CORES`.
        """
        return Prices(_CORES[cores] * self.core_second, joule * self.joule)


def _scale_of(workload: Workload) -> _Scale | None:
    """Means over all options of what their jobs are worth if they begin when they arrive; None if
    they draw nothing or nothing is worth anything.
    """
    jobs, options = workload.jobs, workload.options
    joules = float(options.joules.sum())
    cores = options.units * workload.pools.cores[options.pool]
    core_seconds = float((options.seconds * cores).sum())
    ways = np.diff(options.first)
    share = curves_at(
        workload.curves, np.repeat(jobs.curve, ways), np.repeat(jobs.urgency, ways), options.seconds
    )
    most = np.maximum.reduceat(share, options.first[:-1]) if len(share) else share
    worth = float((jobs.priority * most * ways).sum())
    return _Scale(worth / core_seconds, worth / joules) if joules and worth else None


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


class _Futures(NamedTuple):
    """The rest of a day in each future, and how much that counts: how likely it is, and more where
    only a part of its jobs is looked at.
    """

    days: tuple[_Rest, ...]
    counts: tuple[float, ...]
    known: dict[Prices, float]

    @classmethod
    def of(
        cls, run: OpenReplay, futures: Sequence[Future], window: Window, learned: Learned
    ) -> "_Futures":
        expected = [_expected(run, window, one.to_come) for one in futures]
        days = tuple(_rest_of_day(run, one, window, learned) for one in expected)
        counts = (one.likely / jobs.share for one, jobs in zip(futures, expected, strict=True))
        return cls(days, tuple(counts), {})

    def worth(self, prices: Prices, budget: Budget) -> float:
        """What is expected to be earned under these prices. No prices are replayed twice."""
        if prices not in self.known:
            self.known[prices] = sum(
                counts * day.worth(prices, budget)
                for day, counts in zip(self.days, self.counts, strict=True)
            )
        return self.known[prices]


def arrived(run: OpenReplay) -> IntArray:
    """The jobs that have arrived by now."""
    return np.arange(np.searchsorted(run.workload.jobs.arrival, run.now, side="right"))


class Quickest(NamedTuple):
    """What jobs are estimated to take on their options of the fewest core-seconds, on average."""

    joules: float
    core_seconds: float

    @classmethod
    def of(cls, workload: Workload, jobs: int) -> "Quickest":
        """Of the first so many jobs."""
        options = workload.options
        first = options.first[:jobs]
        ways = slice(0, int(options.first[jobs]))
        core_seconds = (options.seconds * options.units * workload.pools.cores[options.pool])[ways]
        least = np.minimum.reduceat(core_seconds, first)
        job = np.repeat(np.arange(jobs), np.diff(options.first[: jobs + 1]))
        _, place = np.unique(job[core_seconds == least[job]], return_index=True)
        quickest = np.flatnonzero(core_seconds == least[job])[place]
        return cls(float(options.joules[quickest].mean()), float(least.mean()))


def _capacity(run: OpenReplay, window: Window, learned: Learned) -> Capacity | None:
    """By the jobs that have arrived; None if they take nothing."""
    quickest = Quickest.of(run.workload, len(arrived(run)))
    joules, core_seconds = learned.joules * quickest.joules, learned.time * quickest.core_seconds
    if joules <= 0.0 or core_seconds <= 0.0:
        return None
    pools = run.workload.pools
    cores = float((pools.units * pools.cores).sum())
    return Capacity(window.joules / joules, cores * (window.end - window.begin) / core_seconds)


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
    known = np.concatenate([run.waiting, np.arange(run.progress.arrived, len(arrived(run)))])
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
