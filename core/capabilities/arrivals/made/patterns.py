"""When work arrives: rates over a day, and arrivals drawn from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.replay.energy import DAY_SECONDS
from core.vocabulary.arrays import FloatArray
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.ranges import Range
from core.vocabulary.setting import Flag

_STEPS: Final = 1440
"""A rate is constant for a minute; so is the published interval between mapping events."""
_WORK: Final = (9, 18)
_FACTOR: Final = 2.0
JOBS: Final = Range(1, 1e7, "jobs a day")
SEED_FLAG: Final = Flag("N", "equal seeds draw equal workloads (default 0)")


@dataclass(frozen=True)
class ArrivalPattern:
    """How often work arrives at each time of a day, as multiples of the mean rate of the day.

    `rates` has equally long steps from midnight on, at least one above 0; their mean is 1. With
    `burst` above 1, each arrival is one of so many jobs that come at once.
    """

    rates: tuple[float, ...]
    burst: int = 1

    @classmethod
    def of(cls, rates: Sequence[float] | FloatArray, burst: int = 1) -> "ArrivalPattern":
        """The pattern of any rates that are at least 0; they are scaled to a mean of 1."""
        values = np.array(rates, float)
        if not (len(values) and np.isfinite(values).all() and (values >= 0).all() and values.sum()):
            raise ValueError("a pattern needs rates of at least 0, and one above 0")
        if burst < 1:
            raise ValueError("a burst has at least one job")
        shares = values / values.max()
        return cls(tuple((shares / shares.mean()).tolist()), burst)


def constant() -> ArrivalPattern:
    return ArrivalPattern.of([1.0])


def sinusoidal(swing: float) -> ArrivalPattern:
    """From `1 - swing` to `1 + swing` times the mean rate over the day, with the most at noon.
    `swing` is at most 1.
    """
    if not 0 <= swing <= 1:
        raise ValueError("a swing is from 0 to 1")
    middle = (np.arange(_STEPS) + 0.5) * DAY_SECONDS / _STEPS
    return ArrivalPattern.of(
        1 + swing * np.cos(2 * np.pi * (middle - DAY_SECONDS / 2) / DAY_SECONDS)
    )


def work_hours() -> ArrivalPattern:
    """Twice the mean rate from 9 to 18; at other hours so little that the mean is kept."""
    begin, end = _WORK
    busy = end - begin
    rates = np.full(HOURS_OF_DAY, (HOURS_OF_DAY - _FACTOR * busy) / (HOURS_OF_DAY - busy))
    rates[begin:end] = _FACTOR
    return ArrivalPattern.of(rates)


def bursts(size: int) -> ArrivalPattern:
    """So many jobs at once, at times that have no pattern."""
    return ArrivalPattern.of([1.0], size)


def hourly(rates: Sequence[float]) -> ArrivalPattern:
    if len(rates) != HOURS_OF_DAY:
        raise ValueError("a profile has 24 rates, one for each hour")
    return ArrivalPattern.of(rates)


def draw_arrivals(
    random: np.random.Generator,
    pattern: ArrivalPattern,
    a_day: float,
    length: float,
    midnight: float = 0.0,
) -> FloatArray:
    """Times from 0 to `length` (s), in order: a Poisson process with `a_day` jobs a day on average.

    A day begins at `midnight` (s); the pattern repeats before and after it.
    """
    sums, edges = _rates_so_far(pattern, length, midnight)
    mean = a_day / DAY_SECONDS * sums[-1] / pattern.burst
    drawn = np.sort(random.uniform(0.0, sums[-1], random.poisson(mean)))
    return np.repeat(np.interp(drawn, sums, edges), pattern.burst)


def draw_so_many(
    random: np.random.Generator,
    pattern: ArrivalPattern,
    count: int,
    length: float,
    midnight: float = 0.0,
) -> FloatArray:
    """So many times from 0 to `length` (s), in order, each drawn by the rates of the pattern."""
    sums, edges = _rates_so_far(pattern, length, midnight)
    return np.interp(np.sort(random.uniform(0.0, sums[-1], count)), sums, edges)


def _rates_so_far(
    pattern: ArrivalPattern, length: float, midnight: float
) -> tuple[FloatArray, FloatArray]:
    """The integral of the rates from 0 to some times, and these times, up to `length` (s)."""
    step = DAY_SECONDS / len(pattern.rates)
    first = int(np.floor(-midnight / step))
    edges = np.arange(first, np.ceil((length - midnight) / step) + 1) * step + midnight
    rates = np.array(pattern.rates)[(first + np.arange(len(edges) - 1)) % len(pattern.rates)]
    edges = np.clip(edges, 0.0, length)
    return np.concatenate([[0.0], np.cumsum(rates * np.diff(edges))]), edges
