"""A workload whose jobs come many at once, for what it does to urgent jobs."""

from dataclasses import replace

import numpy as np

from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.engines.replay.workload import ArrivingJobs, StopRights, Truth, rows_of
from core.vocabulary.arrays import IntArray


def in_bursts(file: WorkloadFile, size: int) -> WorkloadFile:
    """The same jobs, of which each `size` of one type that follow each other arrive together, when
    the first of them did; the last of a type may be fewer.
    """
    workload, jobs = file.workload, file.workload.jobs
    by_type = np.argsort(jobs.type, kind="stable")
    kinds = jobs.type[by_type]
    rank = np.arange(len(jobs)) - np.searchsorted(kinds, kinds)
    arrival = jobs.arrival.copy()
    arrival[by_type] = jobs.arrival[by_type[np.arange(len(jobs)) - rank % size]]
    order = np.argsort(arrival, kind="stable")
    taken = _taken(replace(jobs, arrival=arrival), order)
    options, first = (
        workload.options,
        np.append(0, np.cumsum(np.diff(workload.options.first)[order])),
    )
    options = options.at(rows_of(options.first, order), first)
    truth = Truth(file.truth.time[order], file.truth.power[order])
    workload = replace(workload, jobs=taken, options=options)
    return replace(file, workload=workload, truth=truth, values=None)


def _taken(jobs: ArrivingJobs, order: IntArray) -> ArrivingJobs:
    """The jobs in another order, called as before."""
    columns = ("arrival", "type", "priority", "urgency", "curve")
    return replace(
        jobs,
        **{name: getattr(jobs, name)[order] for name in columns},
        names=tuple(map(jobs.name, order.tolist())),
        rights=None if jobs.rights is None else _rights_of(jobs.rights, order),
    )


def _rights_of(rights: StopRights, order: IntArray) -> StopRights:
    stop, stopped, tier = rights
    return StopRights(stop[order], stopped[order], tier[order])
