"""The same jobs, many at once."""

from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.made.bursts import in_bursts
from core.engines.replay.workload import (
    ArrivingJobs,
    Options,
    Pools,
    States,
    StopRights,
    Truth,
    Workload,
)
from core.engines.replay.worth import WorthCurves, WorthPiece


def file_of(jobs: int = 7) -> WorkloadFile:
    """Types take turns; job k has k + 1 options. All that a job or an option has is its own, but
    types and pools.
    """
    number = np.arange(jobs)
    kinds = number % 2
    rights = StopRights.of(jobs, kinds == 0, kinds == 1, number)
    worths = (number + 1.0, number / 10, number)
    arriving = ArrivingJobs(number * 10.0, kinds, ("even", "odd"), *worths, rights=rights)
    job = np.repeat(number, number + 1)
    row = np.arange(len(job))
    states = States(tuple(map(str, row)), row)
    options = Options.of(job, row % 2, row + 1, row + 1.0, row + 5.0, states)
    curves = tuple((WorthPiece(0.0, 1.0, 1.0, one / 10),) for one in range(jobs))
    pools = Pools.of(["p", "q"], [len(job)] * 2)
    workload = Workload(pools, arriving, options, WorthCurves(curves, tuple(map(str, number))))
    return WorkloadFile(workload, Truth(1 / (number + 1.0), number / 8 + 0.125))


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
        for name in ("pool", "units", "seconds", "watts", "state"):
            ways = [
                getattr(one, name)[one.first[k] : one.first[k + 1]].tolist()
                for one, k in ((first.options, place), (second.options, job))
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
