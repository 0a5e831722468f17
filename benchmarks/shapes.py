"""Days of published jobs that arrive at other hours: shapes to tune policies on, and to judge them.

No rule or constant of a policy may be chosen by a shape of `JUDGING`; `benchmarks.prices` measures
these. Those of `TUNING` are for that, with other seeds.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Final

import numpy as np

from core.capabilities.arrivals.made.synthetic import DAY, WARM_UP, BudgetSettings, draw_budget_day
from core.engines.replay.energy import DAY_SECONDS
from core.engines.replay.rest_of_day import some_jobs
from core.engines.replay.workload import Workload
from core.vocabulary.arrays import FloatArray

Shape = Callable[[np.random.Generator, int], FloatArray]
"""Draws when so many jobs arrive, in order, from the begin of the warm-up to the end of the day."""

HOUR: Final = 3600.0
REAL: Final = "real arrivals"
_REAL_DAYS: Final = Path(__file__).with_name("real_arrivals.txt")


def _evenly(random: np.random.Generator, jobs: int) -> FloatArray:
    return np.sort(random.uniform(0.0, DAY.end, jobs))


def _at_once(
    random: np.random.Generator, jobs: int, times: int, until: float = DAY.end, begin: float = 0.0
) -> FloatArray:
    """As many at each of so many times."""
    return np.sort(random.uniform(begin, until, times)[np.arange(jobs) % times])


def _by_hour(
    random: np.random.Generator, jobs: int, rate: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """At a rate that depends on the hour of the day."""
    edges = np.linspace(0.0, DAY.end, 4 * 28 + 1)
    hour = ((edges[1:] + edges[:-1]) / 2 - WARM_UP) / HOUR % 24
    sums = np.concatenate([[0.0], np.cumsum(rate(hour))])
    return np.interp(np.sort(random.uniform(0.0, sums[-1], jobs)), sums, edges)


def _mostly(random: np.random.Generator, jobs: int, begin: float, end: float) -> FloatArray:
    """Four of five between two times, the others evenly."""
    most = random.binomial(jobs, 0.8)
    within = random.uniform(begin, end, most)
    return np.sort(np.concatenate([within, random.uniform(0.0, DAY.end, jobs - most)]))


def _bursts_beside(random: np.random.Generator, jobs: int) -> FloatArray:
    in_bursts = round(0.6 * jobs)
    bursts = _at_once(random, in_bursts, 2)
    return np.sort(np.concatenate([bursts, _evenly(random, jobs - in_bursts)]))


def _in_pieces(random: np.random.Generator, jobs: int, rates: FloatArray) -> FloatArray:
    sums = np.concatenate([[0.0], np.cumsum(rates)])
    edges = np.linspace(0.0, DAY.end, len(sums))
    return np.interp(np.sort(random.uniform(0.0, sums[-1], jobs)), sums, edges)


def _flood(random: np.random.Generator, jobs: int) -> FloatArray:
    """Most in eight hours towards the end."""
    within = random.uniform(0.66 * DAY.end, 0.95 * DAY.end, jobs)
    return np.sort(np.where(random.random(jobs) < 0.3, random.uniform(0.0, DAY.end, jobs), within))


def _late_burst(random: np.random.Generator, jobs: int) -> FloatArray:
    """Most within two hours of the last third of the day."""
    even, begin = random.uniform(0.0, DAY.end, jobs), random.uniform(0.6, 0.8)
    within = DAY.end * (begin + random.uniform(0.0, 0.08, jobs))
    return np.sort(np.where(random.random(jobs) < 0.35, even, within))


def _with_a_lunch(hour: FloatArray) -> FloatArray:
    """Much from 9 to 18 o'clock, but for two hours at noon."""
    at_work = (hour >= 9) & (hour < 18) & ~((hour >= 12) & (hour < 14))
    return np.where(at_work, 2.0, 0.4)


def _two_levels(random: np.random.Generator, jobs: int) -> FloatArray:
    """Four times as many an hour from some hour of the day on."""
    step = WARM_UP + random.uniform(8.0, 20.0) * HOUR
    sums = [0.0, step, step + 4.0 * (DAY.end - step)]
    times = np.sort(random.uniform(0.0, sums[-1], jobs))
    return np.interp(times, sums, [0.0, step, DAY.end])


def _all_at_the_begin(random: np.random.Generator, jobs: int) -> FloatArray:
    first = round(0.9 * jobs)
    begin = np.full(first, WARM_UP + 0.3 * HOUR)
    return np.sort(np.concatenate([begin, _evenly(random, jobs - first)]))


TUNING: Final[Mapping[str, Shape]] = {
    "two bursts": _bursts_beside,
    "ramp up": lambda random, jobs: np.sort(DAY.end * random.beta(2.5, 1.0, jobs)),
    "ramp down": lambda random, jobs: np.sort(DAY.end * random.beta(1.0, 2.5, jobs)),
    "evening": partial(_by_hour, rate=lambda hour: 0.25 + 3 * np.exp(-(((hour - 19) / 2.5) ** 2))),
    "pieces": lambda random, jobs: _in_pieces(random, jobs, random.gamma(0.5, 1.0, 9)),
    "walk": lambda random, jobs: _in_pieces(
        random, jobs, np.exp(np.cumsum(random.normal(0.0, 0.35, 56)))
    ),
    "lull": partial(_by_hour, rate=lambda hour: np.where((hour >= 8) & (hour < 17), 0.15, 1.5)),
    "many bursts": partial(_at_once, times=20),
    "stop": lambda random, jobs: np.sort(random.uniform(0.0, WARM_UP + 9 * HOUR, jobs)),
    "all at the begin": _all_at_the_begin,
    "busy at last": partial(_mostly, begin=0.6 * DAY.end, end=0.85 * DAY.end),
    "flood": _flood,
    "late burst": _late_burst,
}
JUDGING: Final[Mapping[str, Shape]] = {
    "constant": _evenly,
    "six bursts": partial(_at_once, times=6),
    "one burst": partial(_at_once, times=1, begin=WARM_UP, until=WARM_UP + DAY_SECONDS / 2),
    "late": partial(_mostly, begin=DAY.end - 6 * HOUR, end=DAY.end),
    "night": partial(_by_hour, rate=lambda hour: 1 + np.cos(2 * np.pi * hour / 24)),
    "early": partial(_mostly, begin=WARM_UP, end=WARM_UP + 6 * HOUR),
    "two levels": _two_levels,
    "lunch": partial(_by_hour, rate=_with_a_lunch),
}


def day_of_shape(shape: Shape, jobs: int, seed: int) -> Workload:
    """A published day with this many jobs a day on average, which arrive in this shape."""
    day = draw_budget_day(BudgetSettings(jobs, seed=seed))
    random = np.random.default_rng([seed, 77])
    return replace(day, jobs=replace(day.jobs, arrival=shape(random, len(day.jobs))))


@cache
def real_days() -> tuple[FloatArray, ...]:
    """When jobs arrived at a real cluster, in seconds since 20:00 of the day before."""
    lines = _REAL_DAYS.read_text().splitlines()
    return tuple(np.array(line.split(), float) for line in lines if not line.startswith("#"))


def real_day(number: int) -> Workload:
    """Published jobs that arrive as those of a real day did."""
    arrival = real_days()[number]
    day = draw_budget_day(BudgetSettings(2.0 * len(arrival), seed=number))
    random = np.random.default_rng([number, 77])
    kept = np.sort(random.choice(len(day.jobs), len(arrival), replace=False))
    return replace(some_jobs(day, kept, arrival), name=f"{REAL}, day {number}")
