"""Accounting logs as workloads: what arrived, what was asked for, and how long it really took."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from core.arrivals.workload_file import WorkloadFile
from core.logs.store import RunStore
from core.model.arrays import BoolArray, FloatArray, IntArray
from core.model.problems import InvalidInput, Problem
from core.replay.workload import ArrivingJobs, Options, Pools, Truth, Workload
from core.say.words import counted

LogUnit = Literal["cores", "nodes"]
_FACTS: Final[Mapping[LogUnit, str]] = {"cores": "MaxProcs", "nodes": "MaxNodes"}
"""What the comments of an SWF log call the size of the system."""


@dataclass(frozen=True)
class LogWork:
    """What a unit of the pool is, how many there are (None: as the log says, or as many as its
    widest job takes), and the watts of one while it works.
    """

    unit: LogUnit = "cores"
    units: int | None = None
    watts: float = 0.0


@dataclass(frozen=True)
class LogWorkload:
    """The workload of a log, and what was done to it, in sentences."""

    file: WorkloadFile
    notes: tuple[str, ...]


def workload_of_log(store: RunStore, work: LogWork, name: str = "log") -> LogWorkload:
    """One pool, on which each job takes the units that it had, for the time that it asked for; it
    really takes the time that it had. Jobs are in the order of their arrival, from 0 s on.

    Raises `InvalidInput` if no job of the log can be used.
    """
    submit, seconds = store.column("submit"), store.column("elapsed")
    limit = store.column("limit").astype(float)
    units = store.column(work.unit).astype(np.int64)
    pool_units = work.units or _size_in_log(store, work.unit) or int(units.max(initial=0))
    left_out: dict[str, BoolArray] = {
        "have no time of arrival": ~np.isfinite(submit),
        "took no time": ~(seconds > 0),
        f"have no number of {work.unit}": units < 1,
        f"took more {work.unit} than the {pool_units:,} there are": units > pool_units,
    }
    usable = ~np.logical_or.reduce(list(left_out.values()))
    notes = [
        f"{counted(int(found.sum()), 'row')} {said}; left out"
        for said, found in _first_reasons(left_out).items()
    ]
    if not usable.any():
        message = f"has no job that can be replayed: {'; '.join(notes) or 'it has no rows'}"
        raise InvalidInput([Problem(name, "", "", message)])
    order = np.flatnonzero(usable)
    order = order[np.argsort(submit[order], kind="stable")]
    estimate = np.fmax(limit[order], seconds[order])
    longer = int(np.count_nonzero(limit[order] < seconds[order]))
    silent = int(np.count_nonzero(np.isnan(limit[order])))
    if longer:
        notes.append(f"{counted(longer, 'job')} ran longer than asked for; the longer time is used")
    if silent:
        notes.append(f"{counted(silent, 'job')} asked for no time; the time that it took is used")
    arrival = submit[order] - submit[order[0]]
    workload = _of_one_pool(arrival, units[order], estimate, (work, pool_units, name))
    truth = Truth(seconds[order] / estimate, np.ones(len(order)))
    return LogWorkload(WorkloadFile(workload, truth), tuple(notes))


def _of_one_pool(
    arrival: FloatArray, units: IntArray, seconds: FloatArray, about: tuple[LogWork, int, str]
) -> Workload:
    work, pool_units, name = about
    jobs = len(arrival)
    nothing = np.zeros(jobs, np.int64)
    watts = np.asarray(work.watts * units, float)
    return Workload(
        Pools.of(["cluster"], [pool_units]),
        ArrivingJobs.plain(arrival, nothing, ("job",)),
        Options(np.arange(jobs + 1), nothing, units, seconds, watts, nothing),
        name=name,
    )


def _first_reasons(left_out: Mapping[str, BoolArray]) -> dict[str, BoolArray]:
    """The rows of each reason that have none of the reasons before it, where there are any."""
    before = np.zeros(len(next(iter(left_out.values()))), bool)
    found = {}
    for said, rows in left_out.items():
        fresh = rows & ~before
        before |= rows
        if fresh.any():
            found[said] = fresh
    return found


def _size_in_log(store: RunStore, unit: LogUnit) -> int:
    """How many units the comments of the logs say that there are; 0 if they do not."""
    found = 0
    for log in store.logs:
        said = log.facts.get(_FACTS[unit], "").split()
        if said and said[0].isdecimal():
            found = max(found, int(said[0][:12]))
    return found
