"""What is believed of the work of a day that is still to come: futures, and how likely each is.

Two things speak of it. The energy budget does: it is taken to be meant for its day, and to bind by
a usual degree. And the arrivals so far do. Jobs may come as on a usual day, or evenly; and the
hours may keep to that closely, or hardly (their shares are a draw from Dirichlet's distribution).
Each of these ways counts the more the better it would have foretold the hours that have passed.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from scipy.special import betaln, gammaln

from core.engines.replay.energy import DAY_SECONDS, EnergyWindows
from core.engines.replay.workload import ArrivingJobs, Horizon
from core.vocabulary.arrays import FloatArray, IntArray

HOUR: Final = 3600.0
_MIDNIGHT_TO_MIDNIGHT: Final = 24.0
_WORKING: Final = (9.0, 18.0)
_AT_WORK: Final = 0.2
"""The share of work in working hours, on a usual day: this share of the jobs comes twice as often
in working hours as on average; the others as a wave from half the mean rate at midnight to 1.5
times at noon.
"""
_PAST: Final = 3.0
"""The hours so far are looked at in parts of so many hours: longer ones tell waves from chance."""
_FORETOLD: Final = 0.3
"""How far it counts how well a way of arriving foretold the past, from 0 (not) to 1 (as if what
drives the hours of a day would not drive the next ones, too)."""
_EVEN: Final = np.geomspace(2.0, 3000.0, 12)
"""How even days may be: the hours of a day vary about what is usual as if so many jobs a day had
come by chance, ..."""
_UNEVEN: Final = -0.2
"""... by what power of that its likelihood rises before any job has come."""
_TOTALS: Final = 96
"""So many numbers of jobs to come are looked at, ..."""
_MOST_UNPAID: Final = 10.0
"""... up to so many for each that the budget pays for."""
_MOST_JOBS: Final = 1e9
_NO_TIME: Final = 1e-9
"""Days' jobs of what is no time at all."""
USUAL_SHARE: Final = 0.8
"""The share of the energy that all jobs of a day would draw without a budget that a budget is taken
to be, until the arrivals say otherwise. This is above the middle of budgets that bind: to keep
too much energy for jobs that do not come costs more than to keep too little."""
_BUDGET_ERROR: Final = 0.2
"""How wrong that is taken to be (scale of the logarithm), ..."""
_TAILS: Final = (2.0, 30.0)
"""... with the degrees of freedom of Student's distribution for fewer jobs and for more: many a
budget is far too large, hardly one is far too small."""
_DONE: Final = 0.78
"""What jobs draw without a budget, of what all of them would draw on their quickest options: some
come too late to be worth it."""
_CROWD: Final = 0.7
"""How far a full system lets jobs wait until they are worth nothing. All of these constants are
tuned on `benchmarks.shapes.TUNING`."""
_FUTURES: Final = (0.3, 0.4, 0.3)
"""The likelihoods of the three futures that are told apart: few jobs to come, some, and many."""
_SURGE: Final = 0.15
"""How likely a surge is at the begin of a window, later in proportion to what is left of it: then
the arrivals so far foretell nothing, ..."""
_SURGE_SHARE: Final = 0.5
"""... and the budget is this share of the energy that all jobs would draw. Both are tuned on
`benchmarks.shapes.TUNING`."""


class Window(NamedTuple):
    """An energy window with its joules; the first one has the time before it, too, and more joules
    in proportion.
    """

    begin: float
    end: float
    joules: float


def window_to_price(windows: EnergyWindows, horizon: Horizon, now: float) -> Window | None:
    """The window that counts now, or counts next; None if it has no limit. Without an end, what is
    to come is looked at for as long as the past was.
    """
    place = int(np.searchsorted(windows.edges, max(now, horizon.begin), side="right"))
    if not 0 < place < len(windows.edges) or np.isinf(windows.joules[place - 1]):
        return None
    begin, end = float(windows.edges[place - 1]), min(float(windows.edges[place]), horizon.end)
    joules = float(windows.joules[place - 1])
    if math.isinf(end):
        return Window(0.0, now + min(now, DAY_SECONDS), joules)
    if begin == horizon.begin:
        return Window(0.0, end, joules * end / (end - begin))
    return Window(begin, end, joules)


def usual_days(hour: FloatArray) -> FloatArray:
    """How many days' jobs come from midnight to an hour on usual days."""
    day = np.floor(hour / _MIDNIGHT_TO_MIDNIGHT)
    of_day = hour - day * _MIDNIGHT_TO_MIDNIGHT
    turn = 2 * math.pi * of_day / _MIDNIGHT_TO_MIDNIGHT
    wave = of_day / _MIDNIGHT_TO_MIDNIGHT - np.sin(turn) / (4 * math.pi)
    begin, end = _WORKING
    busy = 2 * (end - begin) / _MIDNIGHT_TO_MIDNIGHT
    at_work = np.clip((of_day - begin) / (end - begin), 0.0, 1.0)
    other = of_day - at_work * (end - begin)
    rest = other / (_MIDNIGHT_TO_MIDNIGHT - end + begin)
    work = busy * at_work + (1 - busy) * rest
    return np.asarray(day + (1 - _AT_WORK) * wave + _AT_WORK * work)


class Capacity(NamedTuple):
    """How many jobs the joules of a window pay for, and how many its cores can run, if each takes
    its quickest option.
    """

    paid: float
    run: float


class Future(NamedTuple):
    """So many jobs are still to come until the window ends; how likely that is."""

    to_come: float
    likely: float


def believed(
    jobs: ArrivingJobs, horizon: Horizon, window: Window, now: float, capacity: Capacity
) -> tuple[Future, ...]:
    """The futures at a time by which some jobs have arrived, from few jobs to come to many. Of the
    hours of these jobs, those of the last day are looked at.
    """
    come = jobs.arrival[: int(np.searchsorted(jobs.arrival, now, side="right"))]
    so_far = len(come) - int(np.searchsorted(come, window.begin, side="left"))
    most = max(min(_MOST_UNPAID * capacity.paid, _MOST_JOBS), 4.0 * so_far, 20.0)
    to_come = np.unique(np.round(np.linspace(0.0, 1.0, _TOTALS) ** 3 * most))
    odds = _by_budget(so_far + to_come, capacity) + np.log(np.gradient(to_come))
    if now > 0.0:
        odds = odds + _by_arrivals(come, horizon, window, now, to_come)
    likely = np.exp(odds - odds.max())
    likely /= likely.sum()
    return tuple(_in_parts(to_come, likely))


def with_a_surge(
    futures: tuple[Future, ...], come: FloatArray, window: Window, now: float, capacity: Capacity
) -> tuple[Future, ...]:
    """The futures given and last a surge, if as many jobs can still come: how little is known of
    days whose work comes in their last hours. `come` are the arrivals so far (s).
    """
    so_far = len(come) - int(np.searchsorted(come, window.begin, side="left"))
    to_come = capacity.paid / _SURGE_SHARE - so_far
    left = (window.end - max(now, window.begin)) / (window.end - window.begin)
    likely = _SURGE * left
    if to_come <= futures[-1].to_come or likely <= 0.0:
        return futures
    others = (one._replace(likely=one.likely * (1.0 - likely)) for one in futures)
    return (*others, Future(to_come, likely))


def _by_budget(jobs: FloatArray, capacity: Capacity) -> FloatArray:
    """The logarithm of the likelihood of each number of jobs in the window, by its budget."""
    jobs = np.maximum(jobs, 0.5)
    without_budget = 1.0 / (1.0 / (_DONE * jobs) + _CROWD / capacity.run)
    wrong = np.log(without_budget / (capacity.paid / USUAL_SHARE)) / _BUDGET_ERROR
    tail = np.where(wrong < 0.0, *_TAILS)
    return np.asarray(-(tail + 1.0) / 2.0 * np.log1p(wrong**2 / tail) - np.log(jobs))


def _by_arrivals(
    come: FloatArray, horizon: Horizon, window: Window, now: float, to_come: FloatArray
) -> FloatArray:
    """The logarithm of the likelihood of each number of jobs to come, by the hours of those that
    have come: over all ways in which they may arrive.
    """
    since = max(now - DAY_SECONDS, 0.0)
    edges = np.linspace(since, now, max(round((now - since) / HOUR / _PAST), 1) + 1)
    counts = np.histogram(come, edges)[0]
    rest = np.array([max(now, window.begin), window.end])
    usual = [usual_days((time - horizon.begin) / HOUR) for time in (edges, rest)]
    even = [time / DAY_SECONDS for time in (edges, rest)]
    odds = np.concatenate(
        [_of_a_way(counts, np.diff(past), np.diff(ahead), to_come) for past, ahead in (usual, even)]
    )
    return np.asarray(np.logaddexp.reduce(odds, axis=0))


def _of_a_way(
    counts: IntArray, past: FloatArray, rest: FloatArray, to_come: FloatArray
) -> FloatArray:
    """For each evenness a row: how well it foretold the past, and each number of jobs to come;
    `past` and `rest` are days' jobs.
    """
    many, even = counts.sum(), _EVEN[:, None]
    shares, left = even * np.maximum(past, _NO_TIME), even * max(float(rest[0]), _NO_TIME)
    all_past = shares.sum(axis=1, keepdims=True)
    # Dirichlet's and Pólya's distribution of the counts, and of what has come and is to come.
    parts = gammaln(counts + shares) - gammaln(shares) - gammaln(counts + 1.0)
    foretold = gammaln(all_past) + gammaln(many + 1.0) - gammaln(all_past + many)
    foretold = foretold + parts.sum(axis=1, keepdims=True)
    ahead = betaln(many + all_past, to_come + left) - betaln(all_past, left)
    ahead = ahead - betaln(many + 1.0, to_come + 1.0) - np.log(many + to_come + 1.0)
    return np.asarray(_FORETOLD * foretold + ahead + _UNEVEN * np.log(even))


def _in_parts(to_come: FloatArray, likely: FloatArray) -> list[Future]:
    """The means of the lowest numbers that are so likely together, of the next ones, ..."""
    sums, futures, begin = np.cumsum(likely), [], 0.0
    for part in _FUTURES:
        within = np.minimum(sums, begin + part) - np.maximum(sums - likely, begin)
        within = np.maximum(within, 0.0)
        futures.append(Future(float(within @ to_come / within.sum()), part))
        begin += part
    return futures
