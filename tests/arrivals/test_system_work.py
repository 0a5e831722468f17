"""A system's tasks arrive at their rates, and run where the system lets them."""

import numpy as np
import pytest

from core.arrivals.patterns import bursts
from core.arrivals.system_work import SystemWork, workload_of_system
from core.model.kinds import MachineType, TaskType
from core.model.system import System
from core.samples.named import load_sample


def _system(counts: tuple[int, int] = (3, 1), machines: tuple[int, int] = (2, 0)) -> System:
    return System(
        (TaskType("a", counts[0]), TaskType("b", counts[1])),
        (MachineType("x", machines[0], 10.0), MachineType("y", machines[1], 60.0)),
        np.array([[5.0, 7.0], [6.0, np.inf]]),
        np.array([[100.0, 50.0], [200.0, np.nan]]),
    )


def test_options_are_the_times_and_the_powers_above_idle() -> None:
    workload = workload_of_system(_system(machines=(2, 1)), SystemWork(500, seed=1))
    options, jobs = workload.options, workload.jobs
    found = {
        (int(jobs.type[job]), int(pool), seconds, watts, units)
        for job, pool, seconds, watts, units in zip(
            options.job.tolist(),
            options.pool.tolist(),
            options.seconds.tolist(),
            options.watts.tolist(),
            options.units.tolist(),
            strict=True,
        )
    }
    # On y, type a draws less than an idle machine: no rest.
    assert found == {(0, 0, 5.0, 90.0, 1), (0, 1, 7.0, 0.0, 1), (1, 0, 6.0, 190.0, 1)}
    assert workload.pools.idle_watts.tolist() == [10, 60]
    assert workload.pools.units.tolist() == [2, 1]


def test_a_type_arrives_as_often_as_it_has_tasks() -> None:
    workload = workload_of_system(_system(), SystemWork(20_000, seed=2))
    assert len(workload.jobs) == pytest.approx(20_000, rel=0.05)
    assert np.bincount(workload.jobs.type) / len(workload.jobs) == pytest.approx(
        [0.75, 0.25], abs=0.02
    )


def test_the_pattern_and_the_length_are_kept() -> None:
    work = SystemWork(1000, bursts(10), length=7200.0, seed=3)
    workload = workload_of_system(_system(), work)
    assert workload.horizon == (0, 7200)
    assert set(np.unique(workload.jobs.arrival, return_counts=True)[1].tolist()) == {10}


def test_every_sample_becomes_a_workload() -> None:
    for name in ("nine", "testbed", "two-by-two"):
        system = load_sample(name)
        workload = workload_of_system(system, SystemWork(50, seed=4), name)
        assert len(workload.pools) == len(system.machine_types)
