"""Small systems in which much is equal, zero, missing or the wrong way round."""

import numpy as np

from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, Workload
from core.engines.replay.worth import WorthCurves, WorthPiece
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def odd_system(random: np.random.Generator) -> System:
    """Whole times, so that sums tie; powers of nothing, idle machines that draw more than working
    ones, pairs that cannot run, types of which there are none.
    """
    while True:
        tasks, kinds = random.integers(1, 5), random.integers(1, 4)
        etc = random.integers(1, random.choice([2, 4, 10]), (tasks, kinds)).astype(float)
        etc[random.random(etc.shape) < random.choice([0.0, 0.3])] = np.inf
        apc = random.integers(0, random.choice([1, 3, 200]), etc.shape).astype(float)
        apc[np.isinf(etc)] = np.nan
        idle = random.integers(0, random.choice([1, 30, 500]), kinds)
        counts = random.integers(0, random.choice([2, 4, 12]), tasks)
        machines = random.integers(0, 4, kinds)
        if counts.any() and (np.isfinite(etc) & (machines > 0)).any(axis=1).all():
            return System(
                tuple(TaskType(f"t{i}", int(count)) for i, count in enumerate(counts)),
                tuple(
                    MachineType(f"m{j}", int(number), float(watts))
                    for j, (number, watts) in enumerate(zip(machines, idle, strict=True))
                ),
                etc,
                apc,
            )


def odd_workload(seed: int, jobs: int = 30) -> Workload:
    """Jobs that arrive within two hours on three small pools, some of which fit in one way only."""
    random = np.random.default_rng(seed)
    pools = Pools.of(["a", "b", "c"], random.integers(1, 6, 3).tolist(), [1, 2, 4])
    rows = []
    for job in range(jobs):
        for pool in random.choice(3, random.integers(1, 4), replace=False):
            units = int(random.integers(1, pools.units[pool] + 1))
            seconds, watts = random.uniform(60, 3000), random.uniform(50, 200) * units
            rows += [
                (job, pool, units, seconds, watts, 0),
                (job, pool, units, 2 * seconds, 0.3 * watts, 1),
            ]
    job, pool, units, seconds, watts, state = np.array(rows).T
    first = np.searchsorted(job, np.arange(jobs + 1))
    options = Options(
        first, pool.astype(int), units.astype(int), seconds, watts, state.astype(int), ("P0", "P1")
    )
    curves = WorthCurves(
        (
            (WorthPiece(0, 1, 1, 0), WorthPiece(600, 1, 0.2, 1), WorthPiece(9000, 0, 0, 0)),
            (WorthPiece(0, 1, 0.5, 0), WorthPiece(3600, 0.4, 0, 0), WorthPiece(7200, 0, 0, 0)),
        ),
        ("decays", "falls in lines"),
    )
    arriving = ArrivingJobs(
        np.sort(random.uniform(0, 7200, jobs)).round(-1),
        random.integers(0, 2, jobs),
        ("x", "y"),
        random.integers(1, 5, jobs).astype(float),
        random.choice([0.0, 1e-4, 1e-3], jobs),
        random.integers(0, 2, jobs),
    )
    return Workload(pools, arriving, options, curves, Horizon(600.0, 10_800.0))
