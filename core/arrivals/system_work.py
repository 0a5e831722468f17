"""A system as a workload: its task types arrive at rates, and run on its machines."""

from dataclasses import dataclass, field

import numpy as np

from core.arrivals.patterns import ArrivalPattern, constant, draw_arrivals
from core.model.system import System
from core.replay.energy import DAY_SECONDS
from core.replay.workload import ArrivingJobs, Horizon, Options, Pools, Workload


@dataclass(frozen=True)
class SystemWork:
    """How work arrives: `a_day` jobs on average, as the pattern says, for `length` seconds from
    midnight on. A job is of a type as often as the type has tasks in the system.
    """

    a_day: float
    pattern: ArrivalPattern = field(default_factory=constant)
    length: float = DAY_SECONDS
    seed: int = 0


def workload_of_system(system: System, work: SystemWork, name: str = "") -> Workload:
    """A pool for each machine type, whose machines run one job at a time; each job is worth 1.

    A machine draws its idle power always, and the rest of its power while it works; a power below
    the idle power counts as no rest.
    """
    random = np.random.default_rng(work.seed)
    tasks, machines = system.task_counts, system.machine_counts
    there = np.flatnonzero(machines > 0)
    can_run = system.can_run[:, there]
    arrival = draw_arrivals(random, work.pattern, work.a_day, work.length)
    kind = random.choice(len(tasks), len(arrival), p=tasks / tasks.sum())
    job, pool = np.nonzero(can_run[kind])
    type_of, machine = kind[job], there[pool]
    idle = system.idle_power[there]
    watts = np.zeros(len(job))
    if system.apc is not None:
        watts = np.maximum(system.apc[type_of, machine] - idle[pool], 0.0)
    count = len(there)
    pools = Pools(
        tuple(system.machine_names[one] for one in there.tolist()),
        machines[there],
        np.ones(count, np.int64),
        idle,
        np.zeros(count),
        np.zeros(count, bool),
    )
    options = Options(
        np.concatenate([[0], np.cumsum(np.bincount(job, minlength=len(kind)))]),
        pool,
        np.ones(len(job), np.int64),
        system.etc[type_of, machine],
        watts,
        np.zeros(len(job), np.int64),
    )
    jobs = ArrivingJobs.plain(arrival, kind, system.task_names)
    return Workload(pools, jobs, options, horizon=Horizon(0.0, work.length), name=name)
