"""Days on which urgent jobs arrive in bursts among others that take longer, drawn by a seed.

After chapter 4 of D. Machovec, "Dynamic Resource Management in Heterogeneous Systems" (2021). What
is not printed there is our own, and said below.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np

from core.capabilities.arrivals.made.patterns import JOBS, SEED_FLAG, draw_arrivals, sinusoidal
from core.capabilities.arrivals.made.synthetic import (
    CLASSES,
    DAY,
    LEVEL_SHARES,
    MINUTE,
    POOL_SPREAD,
    SWING,
    URGENCIES,
    draw_worth_curves,
    gamma_variates,
    some_curves,
)
from core.engines.replay.workload import ArrivingJobs, Options, Pools, StopRights, Workload
from core.engines.replay.worth import WorthCurves, WorthPiece
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import typed
from core.vocabulary.setting import Flag, NumberIn, OneOf, WholeIn, setting

A_DAY: Final = 60_000
CORES: Final = 800
A_CORE: Final = A_DAY / CORES
"""Jobs a day for each core."""
CLUSTERS: Final = 5
TYPES: Final = 100
"""Types of jobs. Ours: not printed."""
WORTH: Final = (8.0, 1.0)
"""What a critical job and another one are worth at first."""
OTHER_TIME: Final = 50 * MINUTE
_TYPE_SPREAD: Final = 0.1
_PATIENCE: Final = (1.0, 10.0)
"""How many times the mean time of its type a critical job and another one keep their worth, if
curves are steps.
"""
_FALL: Final = 200 * MINUTE
_DECAYING: Final = 0.3 / MINUTE
"""How long the worth falls after the mean time of the type, and its urgency, if curves decay."""
_ROWS: Final = ((URGENCIES[:2], LEVEL_SHARES[0][:2]), (URGENCIES[2:], LEVEL_SHARES[-1][2:]))
"""Urgencies of critical and of other types, and their shares, for curves of the classes. Ours: the
publication prints them for other levels of worth.
"""
_SHARE: Final = Range(0.0, 1.0, "")

CurveName = Literal["step", "decaying", "classes"]


@dataclass(frozen=True, slots=True)
class UrgentSettings:
    """Which day to draw: on average `a_day` jobs on so many cores, in bursts of `burst` jobs of one
    type, give or take half of them. A share of the jobs is critical: they take `critical_time`
    seconds on average. A share `flags` of all jobs may stop others, and as many may be stopped.
    """

    a_day: float = setting(
        float(A_DAY),
        NumberIn(JOBS),
        flag=Flag("N", f"jobs a day on average (default {typed(A_DAY)})", name="--jobs"),
    )
    cores: int = setting(
        CORES,
        WholeIn(Range(CLUSTERS, 1e9, "cores")),
        flag=Flag("N", f"cores of all {CLUSTERS} clusters (default {CORES})"),
    )
    burst: int = setting(
        64,
        WholeIn(Range(1, 100_000, "jobs at once")),
        flag=Flag("N", "how many jobs of a type come at once, on average (default 64)"),
    )
    critical_share: float = setting(
        0.2,
        NumberIn(_SHARE),
        flag=Flag("S", "the share of the jobs that are critical, 0 to 1 (default 0.2)"),
    )
    critical_time: float = setting(
        10 * MINUTE,
        NumberIn(Range(1.0, 1e6, "s"), with_unit=True),
        flag=Flag("TIME", "what a critical job takes on average (default 10min)"),
    )
    curves: CurveName = setting(
        "classes",
        OneOf(get_args(CurveName)),
        flag=Flag(
            "",
            "how worth falls: to nothing at once (step), over time (decaying), or by one of "
            f"{CLASSES} shapes (classes, the default)",
        ),
    )
    flags: float = setting(
        1.0,
        NumberIn(_SHARE),
        flag=Flag(
            "S",
            "the probability that a job may stop others, and that it may be stopped, each drawn "
            "on its own, 0 to 1 (default 1)",
        ),
    )
    seed: int = setting(0, WholeIn(SEED), flag=SEED_FLAG)

    @property
    def critical_types(self) -> int:
        """How many of the types are critical."""
        share = self.critical_share
        return (
            round(share * TYPES)
            if share in (0, 1)
            else min(max(round(share * TYPES), 1), TYPES - 1)
        )


def draw_urgent_day(settings: UrgentSettings) -> Workload:
    """The workload of some settings; the same settings give the same workload. Other flags, bursts,
    or curves leave the types as they are.
    """
    of_types, of_bursts, of_curves, of_flags = (
        np.random.default_rng(one) for one in np.random.SeedSequence(settings.seed).spawn(4)
    )
    critical = np.arange(TYPES) < settings.critical_types
    seconds = _draw_seconds(of_types, np.where(critical, settings.critical_time, OTHER_TIME))
    curves, urgency = _draw_curves(of_curves, settings.curves, seconds.mean(axis=1), critical)
    begin, of_burst, size = _draw_bursts(of_bursts, settings, critical)
    each = len(curves.names) // TYPES
    used, shape = np.unique(
        each * of_burst + of_bursts.integers(0, each, len(size)), return_inverse=True
    )
    kind = np.repeat(of_burst, size)
    jobs = len(kind)
    may_stop, may_be_stopped = of_flags.random((2, jobs)) < settings.flags
    units = np.full(CLUSTERS, settings.cores // CLUSTERS)
    units[: settings.cores % CLUSTERS] += 1
    arriving = ArrivingJobs(
        np.repeat(begin, size),
        kind,
        tuple(f"T{number}" for number in range(1, TYPES + 1)),
        np.where(critical, *WORTH)[kind],
        urgency[kind],
        np.repeat(shape, size),
        rights=StopRights.of(jobs, may_stop, may_be_stopped, critical[kind]),
    )
    options = Options.of(
        np.repeat(np.arange(jobs), CLUSTERS),
        np.tile(np.arange(CLUSTERS), jobs),
        1,
        seconds[kind].ravel(),
        jobs=jobs,
    )
    return Workload(
        Pools.of([f"cluster {number}" for number in range(1, CLUSTERS + 1)], units.tolist()),
        arriving,
        options,
        some_curves(curves, used),
        DAY,
        name=f"urgent, {typed(settings.a_day)} jobs a day, seed {settings.seed}",
    )


def step_curves(seconds: FloatArray, critical: BoolArray) -> WorthCurves:
    """A curve for each type, by its mean time: a job keeps its worth for once (critical) or ten
    times that, and is worth nothing then.
    """
    lasts = seconds * np.where(critical, *_PATIENCE)
    return _by_type(
        [(WorthPiece(0.0, 1.0, 1.0, 0.0), WorthPiece(end, 0.0, 0.0, 0.0)) for end in lasts.tolist()]
    )


def decaying_curves(seconds: FloatArray) -> WorthCurves:
    """A curve for each type: a job keeps its worth for the mean time, which then decays for 200
    min. What follows, nothing, is ours.
    """
    return _by_type(
        [
            (
                WorthPiece(0.0, 1.0, 1.0, 0.0),
                WorthPiece(begin, 1.0, 0.0, 1.0),
                WorthPiece(begin + _FALL, 0.0, 0.0, 0.0),
            )
            for begin in seconds.tolist()
        ]
    )


def _by_type(pieces: Sequence[tuple[WorthPiece, ...]]) -> WorthCurves:
    return WorthCurves(tuple(pieces), tuple(f"T{number}" for number in range(1, len(pieces) + 1)))


def _draw_seconds(random: np.random.Generator, mean: FloatArray) -> FloatArray:
    """Times of types (rows) on clusters (columns)."""
    first = gamma_variates(random, mean, _TYPE_SPREAD)[:, None]
    others = np.broadcast_to(first, (TYPES, CLUSTERS - 1))
    return np.hstack([first, gamma_variates(random, others, POOL_SPREAD)])


def _draw_curves(
    random: np.random.Generator, name: CurveName, seconds: FloatArray, critical: BoolArray
) -> tuple[WorthCurves, FloatArray]:
    """As many curves for each type, and the urgency of each type (1/s)."""
    if name == "step":
        return step_curves(seconds, critical), np.zeros(TYPES)
    if name == "decaying":
        return decaying_curves(seconds), np.full(TYPES, _DECAYING)
    high, low = (
        random.choice(rates, TYPES, p=np.array(shares) / sum(shares)) for rates, shares in _ROWS
    )
    return draw_worth_curves(random, seconds), np.where(critical, high, low) / MINUTE


def _draw_bursts(
    random: np.random.Generator, settings: UrgentSettings, critical: BoolArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """Arrival, type and size of each burst, by arrival. Types that are critical have the same
    number of jobs on average, and so have the others.
    """
    burst, share, count = settings.burst, settings.critical_share, settings.critical_types
    of_critical = share / max(count, 1)
    of_other = (1 - share) / max(TYPES - count, 1)
    drawn = [
        draw_arrivals(random, sinusoidal(SWING), settings.a_day * mine / burst, DAY.end, DAY.begin)
        for mine in np.where(critical, of_critical, of_other).tolist()
    ]
    arrival = np.concatenate(drawn)
    kind = np.repeat(np.arange(TYPES), [len(times) for times in drawn])
    size = random.integers(burst - burst // 2, burst + burst // 2, len(kind), endpoint=True)
    order = np.argsort(arrival, kind="stable")
    return arrival[order], kind[order], size[order]
