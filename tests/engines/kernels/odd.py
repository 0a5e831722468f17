"""Small systems in which much is equal, zero, missing or the wrong way round."""

import numpy as np

from core.capabilities.centre.centre import Centre, Cooling, PhysicalRoom, ServerKind
from core.capabilities.centre.day import CentreDay, Curves, grouped
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


def odd_day(seed: int) -> CentreDay:
    """Jobs of one or all servers, some as long as the day, on kinds of one server, or of servers
    that draw nothing or take longer to start than the day is long.
    """
    random = np.random.default_rng(seed)
    steps = int(random.choice([1, 2, 7, 30]))
    kinds = []
    for name in "ab"[: random.integers(1, 3)]:
        watts = np.sort(random.integers(0, random.choice([1, 40]), 3)).tolist()
        count, start = int(random.choice([1, 2, 9])), float(random.choice([0, 1, 2, 99]))
        kinds.append(ServerKind(name, count, *watts[::-1], start, 5 * start))
    cooling = Cooling(40.0, float(random.choice([0, 50])), 100.0, 2000.0)
    room = PhysicalRoom(1000.0, 10.0)
    centre = Centre(tuple(kinds), cooling, room, 27.0, float(random.choice([20, 27])))
    jobs = []
    for _ in range(random.integers(1, 60)):
        kind, length = int(random.integers(len(kinds))), int(random.choice([1, 2, steps]))
        length = min(length, steps)
        release = int(random.integers(0, steps - length + 1))
        width = int(random.choice([1, 1, 1, kinds[kind].count]))
        due = release + length + float(random.choice([-3, 0, 0.5, 9]))
        jobs.append((kind, width, length, release, due))
    price, carbon, outside, green, target = random.integers(0, 60, (5, steps)).astype(float)
    curves = Curves(price - 9, carbon, 5 + outside / 3, green, target)
    return CentreDay(centre, grouped(jobs), curves, 1.0, 0.1, 3.0)
