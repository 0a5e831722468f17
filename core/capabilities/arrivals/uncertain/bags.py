"""Bags of tasks whose run times are uncertain, on machines with many cores, drawn by a seed.

After chapter 6 of S. Iturriaga, "Energy-aware scheduling in distributed computing systems" (2017).
What is not printed there is our own, and said below.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, get_args

import numpy as np

from core.capabilities.arrivals.made.patterns import SEED_FLAG
from core.engines.replay.workload import (
    WITHOUT_END,
    ArrivingJobs,
    Options,
    Pools,
    Truth,
    Workload,
)
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import typed
from core.vocabulary.setting import Flag, NumberIn, OneOf, WholeIn, setting

TASKS: Final = 1024
RATES: Final = (0.317, 0.634)
"""Tasks that arrive in a second, on average."""
MACHINES: Final = (8, 12, 16)
LONGEST: Final = 28 * 3600.0
"""Seconds that a task may take on a core of speed 1."""

Heterogeneity = Literal["high", "low"]
ErrorLevel = Literal["none", "low", "medium", "high"]
HETEROGENEITIES: Final[tuple[Heterogeneity, ...]] = get_args(Heterogeneity)
ERROR_LEVELS: Final[tuple[ErrorLevel, ...]] = get_args(ErrorLevel)

_SPREAD: Final = {"high": 0.25, "low": 0.025}
"""The standard deviation of the machine types that are picked, as a share of the catalogue."""
_BINS: Final = np.array([0.50, 0.05 / 3, 0.05 / 3, 0.05 / 3, 0.45])
"""How many tasks have an estimate in each fifth of `LONGEST`."""
_AT_LIMIT: Final = 0.2
"""How many of the tasks in the last fifth ask for all of `LONGEST`. Ours: it makes the mean
estimate 13.7 h, as printed; with none it would be 13.4 h."""
_MEAN_ERROR: Final = {"low": 0.48, "medium": 0.56, "high": 0.67}
_IN_BETWEEN: Final = 0.15
"""How many tasks have an error of 20 to 80 %; the others are nearly right, or nearly all wrong."""
_LARGEST_ERROR: Final = 0.99
_POWER_ERROR: Final = 0.05


class ProcessorType(NamedTuple):
    """A machine with so many cores of a `speed` (1: that of the estimates). The machine draws
    `idle_watts`, and `full_watts` if all of its cores work; between the two, power is linear.
    """

    name: str
    cores: int
    speed: float
    idle_watts: float
    full_watts: float


CATALOGUE: Final = (
    ProcessorType("2006-4", 4, 0.60, 160, 250),
    ProcessorType("2007-8", 8, 0.70, 155, 270),
    ProcessorType("2008-8", 8, 0.80, 150, 280),
    ProcessorType("2009-12", 12, 0.90, 140, 300),
    ProcessorType("2010-12", 12, 1.00, 130, 310),
    ProcessorType("2011-16", 16, 1.05, 120, 330),
    ProcessorType("2012-20", 20, 1.10, 110, 350),
    ProcessorType("2013-24", 24, 1.20, 105, 380),
    ProcessorType("2014-28", 28, 1.30, 95, 400),
    ProcessorType("2015-32", 32, 1.35, 90, 420),
)
"""Machines by generation. The published list is not printed. Ours has 16.4 cores a machine, as the
published scenarios have, and powers and speeds as such machines typically have."""


@dataclass(frozen=True)
class UncertainSettings:
    """Which instance to draw. Two that differ in `errors` alone have the same machines, arrivals
    and estimates, so that methods can be compared in pairs.
    """

    machines: int = setting(
        MACHINES[0],
        WholeIn(Range(1, 1000, "machines")),
        flag=Flag("N", f"machines (default {typed(MACHINES[0])})"),
    )
    heterogeneity: Heterogeneity = setting(
        "high",
        OneOf(HETEROGENEITIES),
        flag=Flag("", "how different machines are (default high)"),
    )
    errors: ErrorLevel = setting(
        "medium",
        OneOf(ERROR_LEVELS),
        flag=Flag("", "by how much true times are below estimates (default medium)"),
    )
    rate: float = setting(
        RATES[0],
        NumberIn(Range(0.001, 1e6, "tasks a second")),
        flag=Flag("R", f"tasks that arrive in a second (default {typed(RATES[0])})"),
    )
    tasks: int = setting(
        TASKS,
        WholeIn(Range(1, 1e7, "tasks")),
        flag=Flag("N", f"tasks (default {typed(TASKS)})"),
    )
    seed: int = setting(0, WholeIn(SEED), flag=SEED_FLAG)


def draw_uncertain(settings: UncertainSettings) -> tuple[Workload, Truth]:
    """What is known, and what then happens; the same settings give the same."""
    place, estimate, error = (
        np.random.default_rng(one) for one in np.random.SeedSequence(settings.seed).spawn(3)
    )
    machines = [CATALOGUE[k] for k in _pick_types(place, settings).tolist()]
    arrival = np.cumsum(estimate.exponential(1 / settings.rate, settings.tasks))
    seconds = draw_estimates(estimate, settings.tasks)
    truth = _below(error, settings.errors, settings.tasks)
    name = f"uncertain {settings.machines} machines, {settings.errors} error, {settings.seed}"
    return bag_of_tasks(machines, arrival, seconds, name), truth


def less_than_estimated(workload: Workload, level: ErrorLevel, seed: int) -> tuple[Workload, Truth]:
    """The jobs of a workload without its end, whose times are estimates: true times are below them
    by drawn errors, and true powers near to theirs.
    """
    # Not the numbers that drew the arrivals, which the same seed may have drawn.
    (apart,) = np.random.SeedSequence(seed).spawn(1)
    truth = _below(np.random.default_rng(apart), level, len(workload.jobs))
    return replace(workload, horizon=WITHOUT_END), truth


def _below(random: np.random.Generator, level: ErrorLevel, tasks: int) -> Truth:
    """True times below estimates by drawn errors, and true powers near to theirs."""
    errors = draw_errors(random, level, tasks)
    return Truth(1 - errors, 1 + random.uniform(-_POWER_ERROR, _POWER_ERROR, tasks))


def bag_of_tasks(
    machines: list[ProcessorType], arrival: FloatArray, seconds: FloatArray, name: str = ""
) -> Workload:
    """Tasks of one core that may run anywhere; `seconds` are estimates for a core of speed 1."""
    count, wide = len(arrival), len(machines)
    cores = np.array([one.cores for one in machines], np.int64)
    idle = np.array([one.idle_watts for one in machines], float)
    more = (np.array([one.full_watts for one in machines], float) - idle) / cores
    speed = np.array([one.speed for one in machines])
    names = [f"m{k + 1} ({one.name})" for k, one in enumerate(machines)]
    pools = Pools.of(names, cores, idle_watts=idle / cores, whole=True)
    job, pool = np.divmod(np.arange(count * wide), wide)
    options = Options.of(job, pool, 1, (seconds[:, None] / speed).ravel(), more[pool], jobs=count)
    jobs = ArrivingJobs.plain(arrival, types=("task",))
    return Workload(pools, jobs, options, name=name)


def _pick_types(random: np.random.Generator, settings: UncertainSettings) -> IntArray:
    """Types near to each other in the catalogue: normal around a mean that is uniform over it,
    drawn again where they fall beside it.
    """
    last = len(CATALOGUE) - 1
    mean = random.uniform(0, last)
    spread = _SPREAD[settings.heterogeneity] * len(CATALOGUE)
    picked = np.full(settings.machines, -1, np.int64)
    while (missing := np.flatnonzero((picked < 0) | (picked > last))).size:
        picked[missing] = np.rint(random.normal(mean, spread, missing.size)).astype(np.int64)
    return np.sort(picked)


def draw_estimates(random: np.random.Generator, tasks: int) -> FloatArray:
    """Estimated seconds on a core of speed 1."""
    share = (random.choice(len(_BINS), tasks, p=_BINS) + random.uniform(size=tasks)) / len(_BINS)
    last = share >= 1 - 1 / len(_BINS)
    share[last & (random.uniform(size=tasks) < _AT_LIMIT)] = 1.0
    return np.asarray(share * LONGEST)


def draw_errors(random: np.random.Generator, level: ErrorLevel, tasks: int) -> FloatArray:
    """By how much of its estimate each task is shorter: mostly below 20 %, or above 80 %."""
    kind, within = random.uniform(size=tasks), random.uniform(size=tasks)
    if level == "none":
        return np.zeros(tasks)
    # Its three parts have the means 0.1, 0.5 and 0.9.
    right = (0.9 * (1 - _IN_BETWEEN) + 0.5 * _IN_BETWEEN - _MEAN_ERROR[level]) / 0.8
    drawn = np.where(
        kind < right,
        0.2 * within,
        np.where(kind < right + _IN_BETWEEN, 0.2 + 0.6 * within, 0.8 + 0.2 * within),
    )
    return np.minimum(drawn, _LARGEST_ERROR)
