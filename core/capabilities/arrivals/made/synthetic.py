"""Days of parallel jobs under an energy budget, drawn by a seed, as the publication describes them.

After chapter 3 of D. Machovec, "Dynamic Resource Management in Heterogeneous Systems" (2021). What
is not printed there is our own, and said below.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.arrivals.made.patterns import (
    JOBS,
    SEED_FLAG,
    draw_arrivals,
    sinusoidal,
    work_hours,
)
from core.engines.replay.energy import DAY_SECONDS
from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, States, Workload
from core.engines.replay.worth import WorthCurves, WorthPiece
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import typed
from core.vocabulary.setting import Flag, NumberIn, WholeIn, setting

JOBS_A_DAY: Final = (5_000, 10_000)
CORES: Final = 100_000
WARM_UP: Final = 4 * 3600.0
DAY: Final = Horizon(WARM_UP, WARM_UP + DAY_SECONDS)
"""The day begins at midnight, after the warm-up."""

GENERAL_POOLS: Final = 4
POOL_SHARES: Final = (0.14, 0.14, 0.14, 0.14, 0.22, 0.22)
"""The share of all cores that each pool has. Ours: only the number of pools is printed, and that
special ones are larger.
"""
CORES_A_NODE: Final = (32, 64, 32, 64, 64, 64)
"""Ours: not printed."""
TYPES_OF_POOLS: Final = (60, 20, 20)
"""Types of jobs: for all general pools, for the first special pool, for the second."""

WORTH_LEVELS: Final = ((6.0, 8.0), (4.0, 6.0), (2.0, 4.0), (1.0, 2.0))
URGENCIES: Final = (0.6, 0.2, 0.1, 0.01)
"""For a minute."""
LEVEL_SHARES: Final = (
    (2.0, 2.0, 0.05, 0.0),
    (3.45, 5.0, 1.5, 3.0),
    (0.0, 10.0, 10.0, 10.0),
    (0.0, 0.0, 20.0, 33.0),
)
"""Percent of the types with each level of worth (rows) and urgency (columns)."""

SIZE_SHARES: Final = (0.20, 0.20, 0.40, 0.19, 0.01)
SMALLEST: Final = (2, 5, 257, 4097)
LARGEST: Final = (4, 256, 4096)
"""Cores of a job by its row of sizes; the fourth row ends one below the largest pool that it may
take whole, the fifth is that pool."""

_WATTS: Final = 155.0
"""What a node draws. The publication prints 133 W, but neither for what nor of how many cores a
node is. With ours, Max Util with place-holders draws 17.0 GJ a day without a budget (mean of seeds
0 to 2), as printed.
"""
_WATTS_SPREAD: Final = 0.2
_TIME_SPREAD: Final = 0.15
POOL_SPREAD: Final = 0.3
_LEAST_TIME: Final = 0.1
"""The least time as a share of the mean; less is not drawn, since a normal variate may fall below
0. Ours.
"""
CLASSES: Final = 20
_SCALING_SPREADS: Final = ((0.3, 0.03), (0.2, 0.02))
"""Spreads in general and special pools: of the factor of a type on a pool, and of each power state.
"""
SWING: Final = 0.5
"""The swing of the sinusoidal rate; it is largest at noon. Ours."""
MINUTE: Final = 60.0
_LEADS: Final = (1.0, 2.0)
_FALLS: Final = (0.2, 1.0)
"""Multiples of the mean time of a type: for how long its worth is full, and how long each fall
lasts. Ours."""


@dataclass(frozen=True)
class BudgetSettings:
    """Which day to draw: `a_day` jobs on average, `states` power states of each pool, and a number
    of cores in all, of which large jobs take the same share. What is not printed may be others:
    the shares of the pools, and by what the times of all curves of worth are multiplied.
    """

    a_day: float = setting(
        float(JOBS_A_DAY[0]),
        NumberIn(JOBS),
        flag=Flag("N", f"jobs a day on average (default {typed(JOBS_A_DAY[0])})", name="--jobs"),
    )
    states: int = setting(
        3,
        WholeIn(Range(1, 100, "power states")),
        flag=Flag("N", "power states of each pool (default 3)"),
    )
    cores: int = setting(
        CORES,
        WholeIn(Range(100, 1e9, "cores")),
        flag=Flag("N", f"cores of all pools (default {typed(CORES)})"),
    )
    seed: int = setting(0, WholeIn(SEED), flag=SEED_FLAG)
    pool_shares: tuple[float, ...] = POOL_SHARES
    patience: float = 1.0


class _Types(NamedTuple):
    """Types of jobs: `priority`, `urgency` (1/s), the row of `size`, and by pool the seconds on one
    core, the watts of a node, and by state what time and power are multiplied by.
    """

    group: IntArray
    priority: FloatArray
    urgency: FloatArray
    size: IntArray
    sigma: FloatArray
    seconds: FloatArray
    watts: FloatArray
    time_scale: FloatArray
    power_scale: FloatArray


def draw_budget_day(settings: BudgetSettings) -> Workload:
    """The workload of some settings; the same settings give the same workload."""
    of_types, of_jobs, of_curves = (
        np.random.default_rng(one) for one in np.random.SeedSequence(settings.seed).spawn(3)
    )
    pools = budget_pools(settings.cores, settings.pool_shares)
    types = _draw_types(of_types, settings.states)
    arrival, kind = _draw_arrivals(of_jobs, types, settings.a_day)
    cores = _draw_cores(of_jobs, types, kind, pools)
    curves = draw_worth_curves(of_curves, settings.patience * _mean_seconds(types, pools))
    every = CLASSES * kind + of_jobs.integers(0, CLASSES, len(kind))
    used, curve = np.unique(every, return_inverse=True)
    jobs = ArrivingJobs(
        arrival,
        kind,
        tuple(f"T{number}" for number in range(1, len(types.group) + 1)),
        types.priority[kind],
        types.urgency[kind],
        curve,
    )
    options = _options(types, kind, cores, pools, settings.states)
    name = f"budget, {typed(settings.a_day)} jobs a day, seed {settings.seed}"
    return Workload(pools, jobs, options, some_curves(curves, used), DAY, name=name)


def budget_pools(cores: int = CORES, shares: Sequence[float] = POOL_SHARES) -> Pools:
    """Four general and two special pools of so many cores in all, by their shares of them."""
    names = [f"general {k}" for k in range(1, GENERAL_POOLS + 1)] + ["special 1", "special 2"]
    nodes = [
        max(round(share * cores / each), 1)
        for share, each in zip(shares, CORES_A_NODE, strict=True)
    ]
    return Pools.of(names, nodes, CORES_A_NODE)


def speedup(nodes: IntArray | FloatArray, parallelism: FloatArray, sigma: FloatArray) -> FloatArray:
    """How much faster a job is on so many nodes than on one (Downey's model of high variance).

    `parallelism` (A) is at least 1, and the most that is reached.
    """
    end = parallelism + parallelism * sigma - sigma
    time = sigma + np.where(nodes <= end, end / np.minimum(nodes, end), 1.0)
    return parallelism * (1 + sigma) / time


def draw_worth_curves(random: np.random.Generator, scales: FloatArray) -> WorthCurves:
    """Twenty shapes for each type of jobs, whose times are multiples of its scale (s): full worth
    at first, then one to three falls, and nothing at the end. Curve `20 t + c` is that of type t
    and class c. Ours: the publication has twenty classes, and does not print them.
    """
    classes = []
    for _ in range(CLASSES):
        falls = int(random.integers(1, 4))
        levels = [1.0, *np.sort(random.uniform(0.0, 1.0, falls - 1))[::-1].tolist(), 0.0]
        begin = random.uniform(*_LEADS)
        pieces = [(0.0, 1.0, 1.0, 0.0)]
        for high, low in pairwise(levels):
            pieces.append((begin, high, low, random.uniform(0.2, 3.0)))
            begin += random.uniform(*_FALLS)
        classes.append([*pieces, (begin, 0.0, 0.0, 0.0)])
    return WorthCurves(
        tuple(
            tuple(WorthPiece(begin * scale, *rest) for begin, *rest in pieces)
            for scale in scales.tolist()
            for pieces in classes
        ),
        tuple(
            f"T{kind} class {one}"
            for kind in range(1, len(scales) + 1)
            for one in range(1, CLASSES + 1)
        ),
    )


def some_curves(curves: WorthCurves, kept: IntArray) -> WorthCurves:
    """Some of the curves, in this order."""
    places = kept.tolist()
    return WorthCurves(
        tuple(curves.pieces[place] for place in places),
        tuple(curves.names[place] for place in places),
    )


def gamma_variates(
    random: np.random.Generator, mean: FloatArray, spread: FloatArray | float
) -> FloatArray:
    """Gamma variates of these means and coefficients of variation."""
    square = np.square(spread)
    return random.gamma(1 / square, mean * square)


def _draw_types(random: np.random.Generator, states: int) -> _Types:
    count, pools = sum(TYPES_OF_POOLS), len(POOL_SHARES)
    group = np.repeat(np.arange(len(TYPES_OF_POOLS)), TYPES_OF_POOLS)
    shares = np.array(LEVEL_SHARES).ravel()
    level, urgency = np.divmod(
        random.choice(len(shares), count, p=shares / shares.sum()), len(URGENCIES)
    )
    low, high = np.array(WORTH_LEVELS)[level].T
    priority = high - (high - low) * random.random(count)
    mean = 3600.0 * (1 + 17 * (priority - 1) / 7)
    base = np.maximum(random.normal(mean, _TIME_SPREAD * mean), _LEAST_TIME * mean)
    watts = gamma_variates(random, np.full(count, _WATTS), _WATTS_SPREAD)
    seconds = np.repeat(base[:, None], pools, axis=1)
    by_pool = np.repeat(watts[:, None], pools, axis=1)
    other = (count, GENERAL_POOLS - 1)
    seconds[:, 1:GENERAL_POOLS] = gamma_variates(
        random, np.broadcast_to(base[:, None], other), POOL_SPREAD
    )
    by_pool[:, 1:GENERAL_POOLS] = gamma_variates(
        random, np.broadcast_to(watts[:, None], other), _WATTS_SPREAD
    )
    general = np.arange(pools) < GENERAL_POOLS
    factor_spread, state_spread = np.where(general, *np.array(_SCALING_SPREADS)[:, :, None])
    factor = gamma_variates(random, np.ones((count, pools)), factor_spread)
    scale = np.linspace(1.0, 0.5, states) * factor[:, :, None]
    power_scale = gamma_variates(random, scale, state_spread[:, None])
    time_scale = 1 / gamma_variates(random, np.sqrt(scale), state_spread[:, None])
    return _Types(
        group,
        priority,
        np.array(URGENCIES)[urgency] / MINUTE,
        random.choice(len(SIZE_SHARES), count, p=SIZE_SHARES),
        random.uniform(4.0, 10.0, count),
        seconds,
        by_pool,
        time_scale,
        power_scale,
    )


def _draw_arrivals(
    random: np.random.Generator, types: _Types, a_day: float
) -> tuple[FloatArray, IntArray]:
    """Arrivals in order, with their types."""
    usual, wide = sinusoidal(SWING), work_hours()
    each = a_day / len(types.group)
    drawn = [
        draw_arrivals(random, usual if size < len(LARGEST) else wide, each, DAY.end, DAY.begin)
        for size in types.size.tolist()
    ]
    arrival = np.concatenate(drawn)
    kind = np.repeat(np.arange(len(drawn)), [len(times) for times in drawn])
    order = np.argsort(arrival, kind="stable")
    return arrival[order], kind[order]


def _size_limits(types: _Types, pools: Pools) -> tuple[IntArray, IntArray]:
    """The fewest and the most cores of each type."""
    cores = pools.units * pools.cores
    whole = np.array([cores[:GENERAL_POOLS].min(), *cores[GENERAL_POOLS:]])[types.group]
    least = np.array([*SMALLEST, 0])[types.size]
    most = np.array([*LARGEST, 0, 0])[types.size]
    least = np.where(types.size == 4, whole, least)
    most = np.where(types.size == 4, whole, np.where(types.size == 3, whole - 1, most))
    most = np.minimum(most, whole)
    return np.minimum(least, most), most


def _draw_cores(
    random: np.random.Generator, types: _Types, kind: IntArray, pools: Pools
) -> IntArray:
    least, most = _size_limits(types, pools)
    return random.integers(least[kind], most[kind], endpoint=True)


def _eligible(pools: Pools) -> BoolArray:
    """Which pools (columns) each group of types may use."""
    found = np.zeros((len(TYPES_OF_POOLS), len(pools)), bool)
    found[0, :GENERAL_POOLS] = True
    found[[1, 2], [GENERAL_POOLS, GENERAL_POOLS + 1]] = True
    return found


def _parallelism(types: _Types, pools: Pools) -> FloatArray:
    """The mean number of nodes that jobs of a type ask for, by pool; at least 1."""
    least, most = _size_limits(types, pools)
    return np.maximum((least + most)[:, None] / 2 / pools.cores, 1.0)


def _mean_seconds(types: _Types, pools: Pools) -> FloatArray:
    """The time of a job of mean size at full power, averaged over the pools of its type."""
    nodes = _parallelism(types, pools)
    seconds = types.seconds / speedup(nodes, nodes, types.sigma[:, None])
    mine = _eligible(pools)[types.group]
    return np.asarray((seconds * mine).sum(axis=1) / mine.sum(axis=1))


def _options(types: _Types, kind: IntArray, cores: IntArray, pools: Pools, states: int) -> Options:
    """Each job on its pools, in each power state."""
    job, pool = np.nonzero(_eligible(pools)[types.group[kind]])
    type_of = kind[job]
    nodes = -(-cores[job] // pools.cores[pool])
    parallelism = _parallelism(types, pools)[type_of, pool]
    seconds = types.seconds[type_of, pool] / speedup(nodes, parallelism, types.sigma[type_of])
    watts = types.watts[type_of, pool] * nodes
    return Options.of(
        np.repeat(job, states),
        np.repeat(pool, states),
        np.repeat(nodes, states),
        (seconds[:, None] * types.time_scale[type_of, pool]).ravel(),
        (watts[:, None] * types.power_scale[type_of, pool]).ravel(),
        States(tuple(f"P{state}" for state in range(states)), np.tile(np.arange(states), len(job))),
        len(kind),
    )
