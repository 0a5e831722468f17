"""A few hours of value of service on hosts, each of which a VM has to fit, drawn by a seed.

After the testbed in chapter 2 of D. Machovec, "Dynamic Resource Management in Heterogeneous
Systems" (2021). What its four benchmarks take in time and energy in each size is not printed, nor
how many jobs there were: both are our own, drawn as in the simulation of that chapter.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.capabilities.arrivals.files.workload_file import MEMORY_GB
from core.capabilities.arrivals.made.patterns import SEED_FLAG, ArrivalPattern, draw_so_many
from core.capabilities.arrivals.made.synthetic import speedup
from core.capabilities.arrivals.made.value import (
    BASE_JOULES,
    MEMORY_EXPONENT,
    PARALLELISM,
    SIGMA,
    ValueDay,
    draw_functions,
    draw_relative,
)
from core.engines.replay.value import PUBLISHED_WEIGHTS, JobValues, valued
from core.engines.replay.workload import WITHOUT_END, ArrivingJobs, Options, Pools, Workload
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import HOUR, counted, typed
from core.vocabulary.setting import Flag, WholeIn, YesNo, setting

HOSTS: Final = 4
HOST_CORES: Final = 20
HOST_MEMORY: Final = 24.0
TYPES: Final = ("FT", "IS", "EP", "LU")
SIZE_CORES: Final = (1, 4, 8, 16)
SIZE_MEMORY: Final = (1, 2, 4, 8, 16)
_LOW, _MEDIUM, _HIGH = range(len(PUBLISHED_WEIGHTS.periods))
_VARIED: Final = (_LOW, _MEDIUM, _HIGH, _HIGH, _MEDIUM, _LOW)
_AT_PEAK: Final = (_HIGH,) * 3
"""The periods of the hours of the two workloads."""
_RATES: Final = (0.4, 0.7, 1.0)
"""How many jobs come in each period, in those of the high one."""
JOBS_A_CORE: Final = 4.0
"""So many come each high hour for each core. This and the next are ours: not printed."""
_SECONDS: Final = 1_200.0
"""What a type takes on average in its smallest size, 1 core and 1 GB."""


@dataclass(frozen=True, slots=True)
class HostSettings:
    """Which workload to draw, on so many hosts; or on one `pooled` of all their cores and memory.
    `at_peak` is the second workload: three hours, all at the peak, in place of six that rise and
    fall. `jobs_a_core` jobs come in an hour at the peak for each core.
    """

    hosts: int = setting(
        HOSTS,
        WholeIn(Range(1, 40, "hosts")),
        flag=Flag(
            "N",
            f"hosts of {HOST_CORES} cores and {typed(HOST_MEMORY)} GB (default {HOSTS}); jobs grow "
            "with them",
        ),
    )
    at_peak: bool = setting(
        False,
        YesNo(),
        flag=Flag(
            "", "three hours at the peak, in place of six in which jobs become more and less"
        ),
    )
    seed: int = setting(0, WholeIn(SEED), flag=SEED_FLAG)
    pooled: bool = False
    jobs_a_core: float = JOBS_A_CORE


def draw_value_testbed(settings: HostSettings) -> ValueDay:
    """The workload of some settings; the same settings give the same workload."""
    of_types, of_jobs = (
        np.random.default_rng(one) for one in np.random.SeedSequence(settings.seed).spawn(2)
    )
    cores, memory = (one.ravel() for one in np.meshgrid(SIZE_CORES, SIZE_MEMORY, indexing="ij"))
    sigma, parallelism = (of_types.uniform(*span, len(TYPES)) for span in (SIGMA, PARALLELISM))
    bases = [draw_relative(of_types, len(TYPES))[:, None] for _ in range(2)]
    faster = speedup(cores, parallelism[:, None], sigma[:, None]) * memory**MEMORY_EXPONENT
    seconds = _SECONDS * bases[0] / faster
    joules = BASE_JOULES * bases[1] * (cores + memory) / 2
    periods = _AT_PEAK if settings.at_peak else _VARIED
    rates = np.array(_RATES)[np.resize(periods, HOURS_OF_DAY)]
    hours = len(periods)
    at_once = settings.jobs_a_core * HOST_CORES * settings.hosts
    jobs = max(round(at_once * float(rates[:hours].sum())), 1)
    arrival = draw_so_many(of_jobs, ArrivalPattern.of(rates), jobs, hours * HOUR)
    of_type = of_jobs.integers(0, len(TYPES), jobs)
    first = np.arange(len(TYPES) + 1) * len(cores)
    values = JobValues(
        np.ones(jobs),
        of_jobs.integers(0, len(PUBLISHED_WEIGHTS.categories), jobs),
        draw_functions(of_jobs, seconds.ravel(), first, of_type),
        draw_functions(of_jobs, joules.ravel(), first, of_type),
        replace(PUBLISHED_WEIGHTS, period=np.resize(periods, HOURS_OF_DAY)),
    )
    pools, each = (1, settings.hosts) if settings.pooled else (settings.hosts, 1)
    ways = len(cores) * pools
    options = Options.of(
        np.repeat(np.arange(jobs), ways),
        np.tile(np.arange(pools), jobs * len(cores)),
        np.tile(np.repeat(cores, pools), jobs),
        np.repeat(seconds, pools, axis=1)[of_type].ravel(),
        np.repeat(joules / seconds, pools, axis=1)[of_type].ravel(),
    )
    further = np.tile(np.repeat(memory, pools), jobs).astype(float)[:, None]
    there = Pools.of(
        [f"host {number}" for number in range(1, pools + 1)],
        HOST_CORES * each,
        whole=True,
        further={MEMORY_GB: HOST_MEMORY * each},
    )
    plain = ArrivingJobs.plain(arrival, of_type, TYPES)
    found = valued(plain, replace(options, further=further), values)
    name = f"value testbed, {counted(settings.hosts, 'host')}, seed {settings.seed}"
    return ValueDay(Workload(there, *found, WITHOUT_END, name=name), values)
