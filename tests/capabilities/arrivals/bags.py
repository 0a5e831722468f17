"""Small bags of tasks, for tests."""

import numpy as np

from core.engines.replay.workload import ArrivingJobs, Options, Pools, Workload


def workload_of(
    arrival: list[float], seconds: np.ndarray, watts: np.ndarray, cores: list[int], idle: float
) -> Workload:
    """Tasks that run wherever `seconds[task, machine]` is finite; a core draws `idle` watts."""
    wide = len(cores)
    job, pool = np.nonzero(np.isfinite(seconds))
    units = np.array(cores, np.int64)
    pools = Pools(
        tuple(f"m{k}" for k in range(wide)),
        units,
        np.ones(wide, np.int64),
        np.full(wide, idle),
        np.zeros(wide),
        np.ones(wide, bool),
    )
    options = Options(
        np.searchsorted(job, np.arange(len(arrival) + 1)),
        pool,
        np.ones(len(job), np.int64),
        seconds[job, pool],
        watts[job, pool],
        np.zeros(len(job), np.int64),
    )
    jobs = ArrivingJobs.plain(np.array(arrival), np.zeros(len(arrival), np.int64), ("task",))
    return Workload(pools, jobs, options)
