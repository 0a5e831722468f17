"""A system's tasks arrive at their rates, and run where the system lets them."""

import numpy as np
import pytest

from core.capabilities.arrivals.made.patterns import bursts
from core.capabilities.arrivals.made.system_work import (
    HourlyWork,
    SystemWork,
    classes_of_types,
    usual_rates,
    workload_of_hours,
    workload_of_system,
)
from core.engines.replay.classes import JobClass, classes_of_rows
from core.engines.replay.worth import ALWAYS_ONE, curves_at
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput
from core.vocabulary.system import System


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


def _hours(first: dict[int, float], second: dict[int, float]) -> tuple[tuple[float, ...], ...]:
    """The jobs of two types by hour; 0 at hours that are not named."""
    return tuple((first.get(hour, 0.0), second.get(hour, 0.0)) for hour in range(24))


def test_each_type_arrives_in_its_hours() -> None:
    """Days are of 24 rows: type a at 8 and 9 o'clock, type b at midnight."""
    work = HourlyWork(_hours({8: 300, 9: 100}, {0: 200}), length=2 * 86_400.0, seed=5)
    assert work.a_day.tolist() == [400, 200]
    workload = workload_of_hours(_system(), work, "mine")
    jobs = workload.jobs
    assert (workload.name, workload.horizon) == ("mine", (0, 172_800))
    assert (np.diff(jobs.arrival) >= 0).all()
    hours = (jobs.arrival // 3600).astype(int)
    found = {kind: np.bincount(hours[jobs.type == kind], minlength=48) for kind in (0, 1)}
    assert np.flatnonzero(found[0]).tolist() == [8, 9, 32, 33]
    assert np.flatnonzero(found[1]).tolist() == [0, 24]
    assert found[0][8] == pytest.approx(300, abs=5 * 300**0.5)
    assert found[0][33] == pytest.approx(100, abs=5 * 100**0.5)
    assert found[1][24] == pytest.approx(200, abs=5 * 200**0.5)


def test_a_type_does_not_depend_on_the_numbers_of_another() -> None:
    found = [
        workload_of_hours(_system(), HourlyWork(_hours({3: 50}, {hour: 40}), seed=1)).jobs
        for hour in (3, 7)
    ]
    ones = [jobs.arrival[jobs.type == 0].tolist() for jobs in found]
    assert ones[0] == ones[1]
    others = [jobs.arrival[jobs.type == 1] for jobs in found]
    assert (others[0] // 3600 == 3).all()
    assert (others[1] // 3600 == 7).all()


def test_types_with_equal_numbers_arrive_at_times_of_their_own() -> None:
    jobs = workload_of_hours(_system(), HourlyWork(_hours({3: 50}, {3: 50}), seed=1)).jobs
    assert set(jobs.arrival[jobs.type == 0]).isdisjoint(jobs.arrival[jobs.type == 1])


def test_worth_falls_to_nothing_if_asked() -> None:
    rates = _hours({0: 9}, {})
    always = workload_of_hours(_system(), HourlyWork(rates))
    assert always.curves == ALWAYS_ONE
    fades = workload_of_hours(_system(), HourlyWork(rates, fades=7200.0))
    delays = np.array([0.0, 1800.0, 7200.0, 1e6])
    nothing = np.zeros(4, np.int64)
    assert curves_at(fades.curves, nothing, delays * 0, delays).tolist() == [1, 0.75, 0, 0]


def test_classes_are_found_by_the_names_of_task_types() -> None:
    """What falls for all is what a class says of its own; the others fall as they did."""
    names = _system().task_names
    rows = [JobClass(name=names[1], worth=3, tier=1, may_stop_others=True), JobClass(name="no*")]
    classes, delays = classes_of_rows(rows), np.array([1800.0, 1e9])
    work = HourlyWork(_hours({0: 9}, {1: 9}), fades=7200.0, classes=classes)
    made = workload_of_hours(_system(), work)
    for kind, worth in ((0, [0.75, 0]), (1, [3, 3])):
        job = np.full(2, int(np.flatnonzero(made.jobs.type == kind)[0]))
        shares = curves_at(made.curves, made.jobs.curve[job], np.zeros(2), delays)
        assert (made.jobs.priority[job] * shares).tolist() == worth
    assert made.jobs.rights is not None
    assert (made.jobs.rights.tier == made.jobs.type).all()
    steady = workload_of_system(_system(), SystemWork(50, seed=4, classes=classes)).jobs
    assert set(zip(steady.type.tolist(), steady.priority.tolist(), strict=True)) == {(0, 1), (1, 3)}
    (warning,) = classes_of_types(_system(), classes).problems
    assert (warning.row, warning.severity) == ("number 2", "warning")
    twice = classes_of_rows([JobClass(name=names[0]), JobClass(name="*")])
    with pytest.raises(InvalidInput, match=f"fits task type {names[0]}, as number 1 does"):
        workload_of_hours(_system(), HourlyWork(_hours({}, {}), classes=twice))


def test_no_job_arrives_where_no_number_is() -> None:
    assert len(workload_of_hours(_system(), HourlyWork(_hours({}, {}))).jobs) == 0


def test_usual_numbers_keep_machines_busy_in_the_mix_of_the_tasks() -> None:
    """Two machines, 3 of 4 tasks take 5 s, one 6 s: 5.25 s on average. On y no machine is there."""
    hour = usual_rates(_system(), 0.5, 1e9)
    assert hour.sum() == pytest.approx(0.5 * 2 * 3600 / 5.25)
    assert hour[0] == pytest.approx(3 * hour[1])
    assert usual_rates(_system(), 0.5, 100.0).tolist() == [75, 25]
    both = usual_rates(_system(machines=(2, 1)), 0.5, 1e9)
    assert both.sum() == pytest.approx(0.5 * 3 * 3600 / (0.75 * (2 * 5 + 7) / 3 + 0.25 * 6))
