"""A policy by prices of energy and cores, found by replaying the rest of the day as it may be.

How much of it is still to come is a belief (`core.engines.replay.belief`) in some futures. The
prices are those that earn the most over all of them, by how likely they are. No job is looked at
before it arrives.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from core.engines.replay.belief import Future, believed, window_to_price, with_a_surge
from core.engines.replay.clock import OpenReplay
from core.engines.replay.energy import DAY_SECONDS
from core.engines.replay.policy import Blocked, Measure, Order, Policy, Prices
from core.engines.replay.resource_pricing import OFTEN, PricesOrShares
from core.engines.replay.rest_of_day import Futures, Learned, arrived, capacity_of
from core.engines.replay.stopping.rules import Technique
from core.engines.replay.workload import Workload
from core.engines.replay.worth import curves_at
from core.vocabulary.arrays import IntArray
from core.vocabulary.budget import Budget
from core.vocabulary.tolerances import SUM_ROUNDING

BY_PRICES: Final = Policy("prices", Order.BEST, Measure.SURPLUS, Blocked.HOLD, sequences=24)
_SOON: Final = 600.0
"""Prices are set anew after so many seconds, and then whenever the day has become twice as long;
never later than after one of `_PARTS` of a window, ...
"""
_PARTS: Final = 24
_MORE: Final = 0.25
_MORE_JOBS: Final = 5
"""... and as soon as more jobs have come by this share, and by so many: in a burst, old prices
would spend what is left within the hour."""
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
nothing at the first, all at the second."""
_LEAST: Final = 0.2
"""No joule is cheaper than this while much work can still come, whatever is believed: a little is
lost where energy is ample, and much is saved where nearly all work comes late. ..."""
_AT_LAST: Final = 0.2
"""... In this last part of a window the least price falls to nothing. These, too, are tuned on
`benchmarks.shapes.TUNING`."""


class _Found(NamedTuple):
    """The best prices so far: of a joule, and the place in `_CORES`; and whether a higher one is
    tried there next.
    """

    joule: float
    cores: int
    higher: bool


class Foresight:
    """Sets prices for the rest of the present energy window, by the jobs that have arrived."""

    def __init__(self) -> None:
        # With the price of a joule in worth: the scale changes as jobs arrive.
        self._found: WeakKeyDictionary[OpenReplay, _Found] = WeakKeyDictionary()
        self._of_resources: WeakKeyDictionary[OpenReplay, PricesOrShares] = WeakKeyDictionary()

    def prices(self, run: OpenReplay, budget: Budget) -> Prices | None:
        """The prices under which the rest of the day is expected to earn the most. None if energy
        has no limit.
        """
        if run.policy.by_resources:
            if run not in self._of_resources:
                self._of_resources[run] = PricesOrShares(run)
            return self._of_resources[run].prices(run, budget)
        if run.policy.technique is Technique.PRICES:
            return Prices(price_of_cores(run.workload, arrived(run), run.now))
        window = window_to_price(run.windows, run.workload.horizon, run.now)
        if window is None:
            return None
        if not len(arrived(run)):
            return run.prices
        learned = Learned.of(run)
        capacity = capacity_of(run, window, learned)
        if capacity is None:
            return run.prices
        workload = run.workload
        futures = believed(workload.jobs, workload.horizon, window, run.now, capacity)
        if futures[-1].to_come - futures[0].to_come <= _ALIKE * (
            len(run.waiting) + futures[0].to_come + 1.0
        ):
            futures = (Future(sum(one.to_come * one.likely for one in futures), 1.0),)
        come = workload.jobs.arrival[: len(arrived(run))]
        rest = Futures.of(
            run, with_a_surge(futures, come, window, run.now, capacity), window, learned
        )
        scale = _scale_of(rest.days[len(futures) - 1].workload)
        if scale is None:
            return run.prices

        @cache
        def worth(joule: float, cores: int) -> float:
            return rest.worth(scale.prices(joule, cores), budget)

        known = self._found.get(run) if run.now >= 2 * _SOON else None
        if known is not None:
            known = known._replace(joule=known.joule / scale.joule)
        found = _searched(worth, known)
        self._found[run] = found._replace(joule=found.joule * scale.joule)
        joule = found.joule
        if joule > _HIGH:
            sure = _sure(futures, len(run.waiting) + len(arrived(run)))
            joule = _HIGH + sure * (joule - _HIGH)
        left = (window.end - max(run.now, window.begin)) / (window.end - window.begin)
        joule = max(joule, _LEAST * min(left / _AT_LAST, 1.0))
        return scale.prices(joule, found.cores)

    def again(self, run: OpenReplay) -> float:
        """When prices are set anew (s): also where an energy window begins, and when so many more
        jobs have come.
        """
        if run.policy.by_resources:
            return run.now + OFTEN
        edges, arrival = run.windows.edges, run.workload.jobs.arrival
        come = len(arrived(run))
        more = come + max(int(_MORE * come), _MORE_JOBS)
        busy = float(arrival[more - 1]) if more <= len(arrival) else np.inf
        at = max(run.now, run.workload.horizon.begin)
        window = min(max(int(np.searchsorted(edges, at, side="right")), 1), len(edges) - 1)
        wait = min(float(edges[window] - edges[window - 1]), DAY_SECONDS) / _PARTS
        wait = min(wait, max(run.now, _SOON))
        later = edges[edges > run.now]
        return min(run.now + wait, busy, float(later[0]) if len(later) else np.inf)


def price_of_cores(workload: Workload, jobs: IntArray, now: float) -> float:
    """What a second of a core is worth to the last of some jobs that finds room, if all that came
    by now could be packed into the time since then, those that are worth the most for it first.
    """
    options, pools = workload.options, workload.pools
    cores = workload.option_cores
    taken = np.minimum.reduceat(options.seconds * cores, options.first[:-1])[jobs]
    room = float((pools.units * pools.cores).sum()) * now
    worth = workload.jobs.priority[jobs] / taken
    order = np.argsort(-worth)
    last = np.searchsorted(np.cumsum(taken[order]), room)
    return float(worth[order[last]]) if last < len(jobs) else 0.0


def _sure(futures: Sequence[Future], jobs: int) -> float:
    """How far futures agree, from 0 to 1, where so many jobs have come or wait."""
    share = (jobs + futures[0].to_come + 1.0) / (jobs + futures[-1].to_come + 1.0)
    none, all_of_it = _UNSURE
    return min(max((share - none) / (all_of_it - none), 0.0), 1.0)


def _searched(worth: Callable[[float, int], float], known: _Found | None) -> _Found:
    """The best prices: of all where none are known, else near these."""
    if known is None:
        pairs = ((joule, cores) for joule in _JOULES for cores in _FIRST_CORES)
        joule, cores = max(pairs, key=lambda pair: worth(*pair))
        known = _Found(joule, cores, True)
    cores = known.cores
    joule = best_price(lambda one: worth(one, cores), known.joule)
    other = cores + (1 if known.higher else -1)
    if 0 <= other < len(_CORES):
        beside = max(joule + _ANOTHER * (cores - other), 0.0)
        if worth(beside, other) > _BETTER * worth(joule, cores):
            joule, cores = beside, other
    return _Found(joule, cores, not known.higher)


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
        """The prices at which a joule has this price, in what it is worth on average, and a core
        the one at this place of `_CORES`.
        """
        return Prices(_CORES[cores] * self.core_second, joule * self.joule)


def _scale_of(workload: Workload) -> _Scale | None:
    """Means over all options of what their jobs are worth if they begin when they arrive; None if
    they draw nothing or nothing is worth anything.
    """
    jobs, options = workload.jobs, workload.options
    joules = float(options.joules.sum())
    cores = workload.option_cores
    core_seconds = float((options.seconds * cores).sum())
    ways = np.diff(options.first)
    share = curves_at(
        workload.curves, np.repeat(jobs.curve, ways), np.repeat(jobs.urgency, ways), options.seconds
    )
    most = np.maximum.reduceat(share, options.first[:-1]) if len(share) else share
    worth = float((jobs.priority * most * ways).sum())
    return _Scale(worth / core_seconds, worth / joules) if joules and worth else None
