"""Days on which jobs run in one of several sizes of cores and memory, drawn by a seed.

After chapter 2 of D. Machovec, "Dynamic Resource Management in Heterogeneous Systems" (2021). What
is not printed there is our own, and said below.
"""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.arrivals.files.workload_file import MEMORY_GB, WorkloadFile
from core.capabilities.arrivals.made.patterns import SEED_FLAG, draw_so_many, sinusoidal
from core.capabilities.arrivals.made.synthetic import MINUTE, speedup
from core.engines.replay.value import PUBLISHED_WEIGHTS, JobValues, ValueFunctions, valued
from core.engines.replay.workload import (
    ArrivingJobs,
    Horizon,
    Options,
    Pools,
    Workload,
    rows_of,
)
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import HOUR, typed
from core.vocabulary.setting import Flag, NumberIn, WholeIn, setting

CORES: Final = 256
MEMORY: Final = 256.0
ENVIRONMENTS: Final = (128, 192, 256, 320, 384)
"""Cores with 256 GB, and GB with 256 cores."""
_WARM_UP: Final = 2 * HOUR
VALUE_DAY: Final = Horizon(_WARM_UP, 26 * HOUR)
"""The day that counts, from midnight to midnight, after two hours that fill the cluster."""
_JOBS: Final = (1_300, 1_500)
_TYPES: Final = (30, 40)
_SWING: Final = 0.6
"""How far the rate of arrivals goes above and below its mean. Ours: not printed."""
_BASE_SECONDS: Final = 150 * MINUTE
BASE_JOULES: Final = 100.0
_BASE_SPREAD: Final = 0.1
_SPREAD: Final = 0.2
_CLAMPED: Final = (0.4, 1.6)
SIGMA: Final = (4.0, 10.0)
PARALLELISM: Final = (8.0, 32.0)
"""The average parallelism of Downey's model. Ours: not printed."""
_SIZE_CORES: Final = (4, 8, 16, 32)
_SIZE_MEMORY: Final = (6, 8, 12, 16, 24, 32, 40)
_SIZES: Final = (3, 8)
"""How many sizes a type has. Ours: not printed."""
MEMORY_EXPONENT: Final = 0.07
"""A job takes GB to the power of minus this as long as with 1 GB. Ours: not printed. Calibrated
once to the largest published lead of Max VPTR over Simple with dropping and place-holders, 49 %: it
is 49.2 ± 2.8 % with 384 cores and 256 GB, in the mean of seeds 100 to 131, which judge nothing.
"""
_IMPORTANCE: Final = (1.0, 10.0)
_ABOVE_LEAST: Final = 0.05
"""A soft threshold is, on average, so much of the range of the sizes above the least of them."""


@dataclass(frozen=True, slots=True)
class ValueSettings:
    """Which day to draw, on a pool of so many cores and GB."""

    cores: int = setting(
        CORES,
        WholeIn(Range(max(_SIZE_CORES), 1e6, "cores")),
        flag=Flag("N", f"cores of the cluster (default {CORES})"),
    )
    memory: float = setting(
        MEMORY,
        NumberIn(Range(max(_SIZE_MEMORY), 1e9, "GB")),
        flag=Flag("GB", f"memory of the cluster (default {typed(MEMORY)})"),
    )
    seed: int = setting(0, WholeIn(SEED), flag=SEED_FLAG)


class _Sizes(NamedTuple):
    """The sizes of each type: those of type t from `first[t]` to `first[t + 1] - 1`."""

    first: IntArray
    cores: IntArray
    memory: FloatArray
    seconds: FloatArray
    joules: FloatArray


class ValueDay(NamedTuple):
    """A workload, and the value functions of its jobs."""

    workload: Workload
    values: JobValues

    @property
    def file(self) -> WorkloadFile:
        """The same as files say it."""
        return replace(WorkloadFile.as_estimated(self.workload), values=self.values)


def draw_value_day(settings: ValueSettings) -> ValueDay:
    """The day of some settings; the same settings give the same day. Another number of cores or GB
    leaves its jobs as they are.
    """
    of_types, of_jobs = (
        np.random.default_rng(one) for one in np.random.SeedSequence(settings.seed).spawn(2)
    )
    types = int(of_types.integers(*_TYPES, endpoint=True))
    relative = draw_relative(of_types, types)
    sizes = _draw_sizes(of_types, relative)
    category = of_types.integers(0, len(PUBLISHED_WEIGHTS.categories), types)
    count = int(of_jobs.integers(*_JOBS, endpoint=True))
    arrival = draw_so_many(of_jobs, sinusoidal(_SWING), count, VALUE_DAY.end, _WARM_UP)
    kind = of_jobs.integers(0, types, count)
    names = tuple(f"T{number}" for number in range(1, types + 1))
    rows = rows_of(sizes.first, kind)
    options = Options.of(
        np.repeat(np.arange(count), np.diff(sizes.first)[kind]),
        0,
        sizes.cores[rows],
        sizes.seconds[rows],
        sizes.joules[rows] / sizes.seconds[rows],
    )
    options = replace(options, further=sizes.memory[rows, None])
    values = JobValues(
        _draw_importance(of_jobs, relative[kind]),
        category[kind],
        draw_functions(of_jobs, sizes.seconds, sizes.first, kind),
        draw_functions(of_jobs, sizes.joules, sizes.first, kind),
        PUBLISHED_WEIGHTS.within(VALUE_DAY),
    )
    pools = Pools.of(["cluster"], settings.cores, whole=True, further={MEMORY_GB: settings.memory})
    found = valued(ArrivingJobs.plain(arrival, kind, names), options, values)
    said = f"{settings.cores} cores, {typed(settings.memory)} GB"
    name = f"value, {said}, seed {settings.seed}"
    return ValueDay(Workload(pools, *found, VALUE_DAY, name=name), values)


def draw_relative(random: np.random.Generator, types: int) -> FloatArray:
    """What types take, as shares of the mean of the system."""
    return np.clip(random.normal(1.0, _SPREAD, types), *_CLAMPED)


def _draw_sizes(random: np.random.Generator, relative: FloatArray) -> _Sizes:
    """Sizes of all types, all different, with what they take."""
    types = len(relative)
    base, joules = _BASE_SECONDS, BASE_JOULES
    seconds = random.normal(base, _BASE_SPREAD * base) * relative
    energy = random.normal(joules, _BASE_SPREAD * joules) * draw_relative(random, types)
    sigma, parallelism = (random.uniform(*span, types) for span in (SIGMA, PARALLELISM))
    counts = random.integers(*_SIZES, types, endpoint=True)
    every = len(_SIZE_CORES) * len(_SIZE_MEMORY)
    drawn = [np.sort(random.choice(every, many, replace=False)) for many in counts.tolist()]
    kind = np.repeat(np.arange(types), counts)
    of_cores, of_memory = np.divmod(np.concatenate(drawn), len(_SIZE_MEMORY))
    cores, memory = np.array(_SIZE_CORES)[of_cores], np.array(_SIZE_MEMORY, float)[of_memory]
    faster = speedup(cores, parallelism[kind], sigma[kind])
    return _Sizes(
        np.concatenate([[0], np.cumsum(counts)]),
        cores,
        memory,
        seconds[kind] / faster * memory**-MEMORY_EXPONENT,
        energy[kind] * (cores + memory) / 2,
    )


def _draw_importance(random: np.random.Generator, relative: FloatArray) -> FloatArray:
    """The importance of jobs: long types matter more."""
    (low, high), (least, most) = _CLAMPED, _IMPORTANCE
    mean = least + (most - least) * (relative - low) / (high - low)
    return np.clip(random.normal(mean, _SPREAD * mean), least, most)


def draw_functions(
    random: np.random.Generator, taken: FloatArray, first: IntArray, kind: IntArray
) -> ValueFunctions:
    """Value functions of jobs of these types, by what their sizes take: those of type t are from
    `first[t]` to `first[t + 1] - 1`.
    """
    low, high = (which.reduceat(taken, first[:-1])[kind] for which in (np.minimum, np.maximum))
    hard = _normal_within(random, high, high, np.full(len(kind), np.inf))
    soft = _normal_within(random, low + _ABOVE_LEAST * (high - low), np.zeros(len(kind)), hard)
    return ValueFunctions(soft, hard, np.ones(len(kind)), random.random(len(kind)))


def _normal_within(
    random: np.random.Generator, mean: FloatArray, low: FloatArray, high: FloatArray
) -> FloatArray:
    """Normal variates above `low` and at most `high`, each drawn until it is."""
    found = np.full(len(mean), np.nan)
    while len(left := np.flatnonzero(~((found > low) & (found <= high)))):
        found[left] = random.normal(mean[left], _SPREAD * mean[left])
    return found
