"""What is believed of the work of a day that is still to come, and how far that can be trusted.

Two things speak of it. The energy budget does: it is taken to be meant for its day, and to bind by
a usual degree. And the arrivals so far do, if their hours look like those of a usual day. Where
they do not, nobody can tell from them what is to come, and the budget alone speaks.
"""

import math
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from core.model.arrays import FloatArray
from core.replay.energy import DAY_SECONDS, EnergyWindows
from core.replay.workload import ArrivingJobs, Horizon

HOUR: Final = 3600.0
_MIDNIGHT_TO_MIDNIGHT: Final = 24.0
USUAL_SHARE: Final = 0.55
"""The share of the energy that all jobs of a day would draw on their quickest options that a budget
is taken to be, until the arrivals say otherwise.
"""
_BUDGET_ERROR: Final = 0.35
"""How wrong that is taken to be (standard deviation of the logarithm), at least."""
_LEAST_ERROR: Final = 0.05
"""How wrong arrivals are taken to be that look like a usual day, where half of it is still to come
(standard deviation of the logarithm) ...
"""
_CHANCE: Final = 1.0
"""... and how much more for each unit by which the jobs of an hour differ by chance, ..."""
_UNLIKE: Final = 12.0
"""... for each unit by which the hours so far were unlike a usual day beyond that, ..."""
_MOST_ERROR: Final = 3.0
"""... which adds no more than this. All of it is tuned on `benchmarks.shapes.TUNING`."""
_WORKING: Final = (9.0, 18.0)
_AT_WORK: Final = 0.2
"""Of a usual day: this share of the jobs comes twice as often in working hours as on average; the
others as a wave from half the mean rate at midnight to 1.5 times at noon.
"""


class Belief(NamedTuple):
    """How many jobs are still to come until the window ends, and how far the arrivals so far could
    tell that: `trust` is 1 where they are certain, 0 where only the budget speaks.
    """

    to_come: float
    trust: float


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


def believed(
    jobs: ArrivingJobs, horizon: Horizon, window: Window, now: float, joules_a_job: float
) -> Belief:
    """The belief at a time by which some jobs have arrived. Of their hours, those of the last day
    are looked at; `joules_a_job` is what a job draws on its quickest option.
    """
    come = int(np.searchsorted(jobs.arrival, now, side="right"))
    so_far = come - int(np.searchsorted(jobs.arrival, window.begin, side="left"))
    by_budget = math.log(window.joules / (USUAL_SHARE * joules_a_job))
    found, error, trust = by_budget, _BUDGET_ERROR, 0.0
    if now > 0:
        seen = _by_arrivals(jobs.arrival[:come], horizon, window, now)
        likely = math.log(max(so_far + seen.to_come, 0.5))
        # Where the two contradict each other by more than they should, the budget is less certain.
        wide = (by_budget - likely) ** 2 - seen.error**2
        budget = math.sqrt(max(_BUDGET_ERROR**2, wide / 2))
        share = budget**2 / (budget**2 + seen.error**2)
        found = (1 - share) * by_budget + share * likely
        error = budget * math.sqrt(1 - share)
        trust = _BUDGET_ERROR**2 / (_BUDGET_ERROR**2 + seen.error**2)
    return Belief(max(_above(found, error, so_far) - so_far, 0.0), trust)


class _Seen(NamedTuple):
    to_come: float
    error: float


def _by_arrivals(arrival: FloatArray, horizon: Horizon, window: Window, now: float) -> _Seen:
    """The jobs still to come if it is a usual day, and the error of the logarithm of all jobs."""

    def days(time: FloatArray) -> FloatArray:
        return usual_days((time - horizon.begin) / HOUR)

    since = max(now - DAY_SECONDS, 0.0)
    edges = np.linspace(since, now, max(round((now - since) / HOUR), 1) + 1)
    counts = np.histogram(arrival, edges)[0]
    many = int(counts.sum())
    shares = np.diff(days(edges))
    past, rest = float(shares.sum()), float(np.diff(days(np.array([now, window.end])))[0])
    if now < window.begin:
        rest = float(np.diff(days(np.array([window.begin, window.end])))[0])
    if not many or len(counts) == 1:
        return _Seen(many * rest / past if past > 0.0 else 0.0, np.inf)
    expected = many * shares / past
    # What the counts differ by beyond chance, and how far that is chance itself.
    unlike = float(((counts - expected) ** 2 - expected).sum() / (expected**2).sum())
    chance = math.sqrt(2 / (len(counts) - 1)) * len(counts) / many
    error = _LEAST_ERROR + _CHANCE * math.sqrt(chance)
    error += min(_UNLIKE * math.sqrt(max(unlike - 2.0 * chance, 0.0)), _MOST_ERROR)
    return _Seen(many * rest / past, max(error * rest / past, many**-0.5))


def _above(found: float, error: float, least: int) -> float:
    """The median of all jobs, of which so many have come: nobody believes in fewer."""
    if not least:
        return math.exp(found)
    if error <= 0.0:
        return max(math.exp(found), least)
    normal = NormalDist()
    more = 1.0 - normal.cdf((math.log(least) - found) / error)
    if more < 1e-9:
        return float(least)
    return math.exp(found + error * max(normal.inv_cdf(1.0 - more / 2), 0.0))
