"""Days of a log of a large machine, drawn or read, as workloads with worth and energy.

The publication replays days of the log of the machine Curie, which is not part of Wattfront. Of the
log it takes arrivals, times and cores; the rest is drawn as on synthetic days.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from core.capabilities.arrivals.made.synthetic import (
    CLASSES,
    DAY,
    LEVEL_SHARES,
    URGENCIES,
    WARM_UP,
    WORTH_LEVELS,
    draw_worth_curves,
)
from core.engines.logs.reading.logs import read_logs
from core.engines.logs.types.accepting import repeated
from core.engines.replay.energy import DAY_SECONDS
from core.engines.replay.workload import ArrivingJobs, Options, Pools, Workload
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.problems import InvalidInput, Problem

CORES: Final = 92_160
MOST_CORES: Final = 4_096
"""Larger jobs are left out, as published."""
JOBS_A_DAY: Final = 92_298 / 48
_POOLS: Final = 2
"""Ours: with more pools of equal size, the largest jobs do not fit in a tenth of the machine."""
_CORES_A_NODE: Final = 16
_WATTS: Final = 133.0
_WATTS_SPREAD: Final = 0.2
_TIME_SPREAD: Final = 0.3
_STATES: Final = (1.0, 0.75, 0.5)
_STATE_SPREAD: Final = 0.03

_LOAD: Final = 0.8
"""The share of all cores that the drawn trace keeps busy. Ours."""
_LARGEST_BURST: Final = 400
_BURST_POWER: Final = 0.9
"""The exponent of the distribution of the sizes of bursts, which has a heavy tail. Ours."""
_LONGEST: Final = DAY_SECONDS
_LEAST_CORES: Final = 16
_TIME_SIGMA: Final = 1.5
_TIMES_AS_LONG: Final = 4
_LEAST_SECONDS: Final = 1.0


@dataclass(frozen=True)
class TraceDay:
    """What a log says of the jobs of a day and of the warm-up before it: arrivals (s from the begin
    of the warm-up, in order), times (s) and cores.
    """

    arrival: FloatArray
    seconds: FloatArray
    cores: IntArray


def drawn_day(seed: int) -> TraceDay:
    """A day with bursts: a user submits one job or hundreds that are alike, and the more the
    smaller they are. The recipe is ours.
    """
    random = np.random.default_rng([seed, 31])
    wanted = JOBS_A_DAY * DAY.end / DAY_SECONDS
    sizes: list[int] = []
    while sum(sizes) < wanted:
        sizes.append(int(min(random.pareto(_BURST_POWER) + 1, _LARGEST_BURST)))
    burst = np.repeat(np.arange(len(sizes)), sizes)
    begin = random.uniform(0.0, DAY.end, len(sizes))
    most = MOST_CORES / np.sqrt(sizes)
    cores = np.exp2(random.uniform(np.log2(_LEAST_CORES), np.log2(most))).astype(int)
    seconds = random.lognormal(0.0, _TIME_SIGMA, len(sizes))[burst]
    seconds *= random.uniform(0.8, 1.2, len(burst))
    seconds *= _LOAD * CORES * DAY.end / float(seconds @ cores[burst])
    arrival = begin[burst] + random.exponential(2.0, len(burst))
    order = np.argsort(arrival, kind="stable")
    return TraceDay(
        arrival[order],
        np.clip(seconds[order], _LEAST_SECONDS, _LONGEST),
        np.minimum(cores[burst][order], MOST_CORES),
    )


def days_of_log(path: Path, most: int) -> list[TraceDay]:
    """Up to so many whole days of a log, spread evenly over it, each with its warm-up.

    Raises `InvalidInput` if the log has none, and `core.files.findings.Unreadable`.
    """
    store = read_logs([path])
    try:
        submit, seconds = store.column("submit"), store.column("elapsed")
        cores = store.column("cores").astype(np.int64)
        again = np.logical_or.reduce(list(repeated(store).values()))
    finally:
        store.close()
    usable = np.isfinite(submit) & (seconds > 0) & (cores > 0) & (cores <= MOST_CORES) & ~again
    order = np.flatnonzero(usable)[np.argsort(submit[usable], kind="stable")]
    submit, seconds, cores = submit[order], seconds[order], cores[order]
    count = int((submit[-1] - submit[0] - WARM_UP) // DAY_SECONDS) if len(submit) else 0
    if count < 1:
        message = "has no whole day of jobs with times and cores; give a log of at least 28 h"
        raise InvalidInput([Problem(str(path), "", "", message)])
    chosen = np.unique(np.linspace(0, count - 1, min(most, count)).round().astype(int))
    days = []
    for day in chosen.tolist():
        begin = submit[0] + day * DAY_SECONDS
        first, last = np.searchsorted(submit, [begin, begin + DAY.end])
        here = slice(int(first), int(last))
        days.append(TraceDay(submit[here] - begin, np.asarray(seconds[here]), cores[here]))
    return days


def as_workload(day: TraceDay, share: float, seed: int) -> Workload:
    """The jobs on so large a share of the machine. The times of the log are those of one pool in
    its fastest power state; worth, the other pool, powers and power states are drawn.
    """
    random = np.random.default_rng([seed, 32])
    nodes = max(round(share * CORES / _POOLS / _CORES_A_NODE), MOST_CORES // _CORES_A_NODE)
    pools = Pools.of(
        [f"pool {k + 1}" for k in range(_POOLS)], [nodes] * _POOLS, [_CORES_A_NODE] * _POOLS
    )
    count = len(day.arrival)
    kind, names, scales = _by_time(day.seconds)
    shares = np.array(LEVEL_SHARES).ravel() / np.sum(LEVEL_SHARES)
    level, urgency = np.divmod(random.choice(len(shares), count, p=shares), len(URGENCIES))
    low, high = np.array(WORTH_LEVELS)[level].T
    curves = draw_worth_curves(random, scales)
    jobs = ArrivingJobs(
        day.arrival,
        kind,
        names,
        high - (high - low) * random.random(count),
        np.array(URGENCIES)[urgency] / 60,
        CLASSES * kind + random.integers(0, CLASSES, count),
    )
    return Workload(pools, jobs, _options(day, random), curves, DAY)


def _by_time(seconds: FloatArray) -> tuple[IntArray, tuple[str, ...], FloatArray]:
    """Types of jobs by their times, each four times as long as the one before: the type of each
    job, the names of types, and their times (s), by which worth falls.
    """
    power = np.floor(np.log(np.maximum(seconds, 1.0)) / np.log(_TIMES_AS_LONG)).astype(int)
    found, kind = np.unique(power, return_inverse=True)
    scales = float(_TIMES_AS_LONG) ** (found + 0.5)
    return kind, tuple(f"about {scale:.0f} s" for scale in scales.tolist()), scales


def _options(day: TraceDay, random: np.random.Generator) -> Options:
    count, states = len(day.arrival), len(_STATES)
    seconds = np.column_stack(
        [day.seconds, *(_gamma(random, day.seconds, _TIME_SPREAD) for _ in range(_POOLS - 1))]
    )
    watts = _gamma(random, np.full(count, _WATTS), _WATTS_SPREAD)
    by_pool = np.column_stack(
        [watts, *(_gamma(random, watts, _WATTS_SPREAD) for _ in range(_POOLS - 1))]
    )
    factor = _gamma(random, np.ones((count, _POOLS)), _TIME_SPREAD)
    scale = factor[:, :, None] * np.array(_STATES)
    nodes = -(-day.cores // _CORES_A_NODE)
    shape = (count, _POOLS, states)
    return Options(
        np.arange(count + 1) * _POOLS * states,
        np.broadcast_to(np.arange(_POOLS)[None, :, None], shape).ravel().copy(),
        np.repeat(nodes, _POOLS * states),
        (seconds[:, :, None] / _gamma(random, np.sqrt(scale), _STATE_SPREAD)).ravel(),
        (by_pool[:, :, None] * nodes[:, None, None] * _gamma(random, scale, _STATE_SPREAD)).ravel(),
        np.tile(np.arange(states), count * _POOLS),
        tuple(f"P{state}" for state in range(states)),
    )


def _gamma(random: np.random.Generator, mean: FloatArray, spread: float) -> FloatArray:
    return random.gamma(1 / spread**2, mean * spread**2)


def chosen_workload(days: Sequence[TraceDay], share: float, trial: int) -> Workload:
    return as_workload(days[trial], share, trial)


def drawn_workload(share: float, trial: int) -> Workload:
    return as_workload(drawn_day(trial), share, trial)
