"""What machines draw beside their jobs: while they are on and idle, and while they sleep."""

from typing import TYPE_CHECKING

import numpy as np

from core.model.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from core.replay.outcome import ReplayOutcome


def base_joules(outcome: "ReplayOutcome") -> float:
    """What all pools draw beside their jobs within the horizon, by the rule of the workload.

    - "always on": every unit draws its idle power until the horizon ends, or the last job does.
    - "until last job": so long as it will be needed again; then it sleeps.
    - "off when idle": while it works; else it sleeps.

    A pool that is one machine is on as a whole. Of a pool of nodes, as many are on as are needed.
    """
    pools, horizon = outcome.workload.pools, outcome.workload.horizon
    if not (pools.idle_watts.any() or pools.sleep_watts.any()):
        return 0.0
    end = horizon.end if np.isfinite(horizon.end) else max(outcome.makespan, horizon.begin)
    total = 0.0
    for pool in range(len(pools)):
        edges, on = units_on(outcome, pool, horizon.begin, end)
        awake = float(on @ np.diff(edges))
        asleep = pools.units[pool] * (end - horizon.begin) - awake
        total += awake * pools.idle_watts[pool] + asleep * pools.sleep_watts[pool]
    return total


def busy_units(
    outcome: "ReplayOutcome", pool: int, begin: float, end: float
) -> tuple[FloatArray, IntArray]:
    """Times from `begin` to `end` (s), and how many units of a pool work between each two."""
    options = outcome.workload.options
    mine = outcome.ran & (options.pool[np.where(outcome.ran, outcome.option, 0)] == pool)
    units = options.units[outcome.option[mine]]
    first, last = outcome.start[mine], outcome.end[mine]
    edges = np.unique(np.clip(np.concatenate([first, last, [begin, end]]), begin, end))
    change = np.zeros(len(edges), np.int64)
    np.add.at(change, np.searchsorted(edges, np.clip(first, begin, end)), units)
    np.subtract.at(change, np.searchsorted(edges, np.clip(last, begin, end)), units)
    return edges, np.cumsum(change)[:-1]


def units_on(
    outcome: "ReplayOutcome", pool: int, begin: float, end: float
) -> tuple[FloatArray, IntArray]:
    """Times from `begin` to `end` (s), and how many units of a pool are on between each two."""
    edges, used = busy_units(outcome, pool, begin, end)
    workload = outcome.workload
    every = int(workload.pools.units[pool])
    if workload.switching == "always on":
        return edges, np.full(len(used), every)
    needed = used
    if workload.switching == "until last job":
        needed = np.maximum.accumulate(used[::-1])[::-1]
    return edges, np.where(needed > 0, every, 0) if workload.pools.whole[pool] else needed
