"""The same jobs, many at once."""

from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.made.bursts import in_bursts
from core.engines.replay.workload import ArrivingJobs, Options, Pools, StopRights, Truth, Workload


def file_of(jobs: int = 7) -> WorkloadFile:
    """Types take turns; job k has k + 1 options, of which each has a time of its own."""
    kinds = np.arange(jobs) % 2
    arriving = ArrivingJobs.plain(np.arange(jobs) * 10.0, kinds, ("even", "odd"))
    rights = StopRights.of(jobs, kinds == 0, kinds == 1, np.arange(jobs))
    arriving = replace(arriving, priority=np.arange(jobs) + 1.0, rights=rights)
    job = np.repeat(np.arange(jobs), np.arange(jobs) + 1)
    options = Options.of(job.tolist(), 0, 1, np.arange(len(job)) + 1.0, 5.0)
    workload = Workload(Pools.of(["p"], [4]), arriving, options)
    return WorkloadFile(workload, Truth(1 / (np.arange(jobs) + 1.0), np.arange(jobs) / 8 + 0.125))


def test_jobs_of_a_type_arrive_with_the_first_of_them() -> None:
    """Types 0 and 1 arrive at 0, 20, 40, 60 and at 10, 30, 50."""
    jobs = in_bursts(file_of(), 2).workload.jobs
    assert jobs.arrival.tolist() == [0, 0, 10, 10, 40, 40, 50]
    assert [jobs.name(job) for job in range(7)] == ["1", "3", "2", "4", "5", "7", "6"]


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_nothing_but_the_arrival_of_a_job_changes(size: int) -> None:
    before, after = file_of(), in_bursts(file_of(), size)
    first, second = before.workload, after.workload
    places = [int(second.jobs.name(job)) - 1 for job in range(7)]
    assert sorted(places) == list(range(7))
    assert (np.diff(second.jobs.arrival) >= 0).all()
    for job, place in enumerate(places):
        assert second.jobs.arrival[job] <= first.jobs.arrival[place]
        for name in ("type", "priority", "urgency", "curve"):
            assert getattr(second.jobs, name)[job] == getattr(first.jobs, name)[place]
        ways = [
            one.options.seconds[one.options.first[k] : one.options.first[k + 1]].tolist()
            for one, k in ((first, place), (second, job))
        ]
        assert ways[0] == ways[1]
        assert [one[job] for one in second.jobs.rights] == [one[place] for one in first.jobs.rights]
        assert after.truth.time[job] == before.truth.time[place]
        assert after.truth.power[job] == before.truth.power[place]
    if size == 1:
        assert places == list(range(7))
    if size == 100:
        assert set(second.jobs.arrival.tolist()) == {0, 10}


def test_jobs_without_rights_stay_so() -> None:
    file = file_of()
    file = replace(
        file, workload=replace(file.workload, jobs=replace(file.workload.jobs, rights=None))
    )
    assert in_bursts(file, 3).workload.jobs.rights is None
