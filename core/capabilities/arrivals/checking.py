"""Workloads, classes of jobs and sizes, for `wattfront check`: what they are, or every problem."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from core.capabilities.arrivals.classes_told import classes_tables
from core.capabilities.arrivals.files.classes_file import inspect_classes_bytes, is_classes
from core.capabilities.arrivals.files.sizes_file import inspect_sizes_bytes, is_sizes
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_reader import inspect_workload, is_workload
from core.capabilities.arrivals.made.job_sizes import JobSizes
from core.capabilities.arrivals.sizes_told import offered_tables
from core.engines.replay.classes import JobClasses
from core.files.disk import read_file
from core.files.findings import Reading, Unreadable
from core.files.samples.named import WORKLOADS, workload_folder
from core.shells.cli.answer import Answer, in_text
from core.shells.told.told import Told
from core.vocabulary.say.aligned import table
from core.vocabulary.say.words import Sense, counted, duration, energy

CHECKED: Final = (
    "FILE, what a workload for wattfront replay has, or a CSV file with classes of jobs or "
    "sizes, or every problem of it"
)
"""What it checks, as the help of the command says it."""
_SIZES: Final = ("jobs", "pools", "units", "options")


def workload_at(given: Path) -> Path | None:
    """Where the workload of this path is, or that of the sample of this name; None if none is."""
    is_sample = str(given) in WORKLOADS and not os.path.lexists(given)
    path = workload_folder(str(given)) if is_sample else given
    return path if is_workload(path) else None


def checked(given: Path) -> Answer | None:
    """What the workload, the classes or the sizes there are; None if there is nothing of these."""
    if (path := workload_at(given)) is not None:
        return _of_workload(given, inspect_workload(path))
    try:
        data = read_file(given)
    except Unreadable:
        return None
    if is_classes(data):
        return _of_classes(given, inspect_classes_bytes(given.name, data))
    return _of_sizes(given, inspect_sizes_bytes(given.name, data)) if is_sizes(data) else None


def _of_workload(given: Path, reading: Reading[WorkloadFile]) -> Answer:
    if reading.value is None:
        return Answer.refusal(reading.problems, nothing=_SIZES)
    workload = reading.value.workload
    pools = workload.pools
    sizes = (len(workload.jobs), len(pools), int(pools.units.sum()), len(workload.options.pool))
    lines = [f"{given}: a workload, {_sound(reading)}", table(list(_rows(reading.value)))]
    lines += [f"note: {note}" for note in reading.notes]
    data = {"notes": [*reading.notes], **dict(zip(_SIZES, sizes, strict=True))}
    return Answer.done("\n".join(lines), data, reading.problems)


def _rows(file: WorkloadFile) -> Iterator[tuple[str, str]]:
    workload = file.workload
    jobs, pools = workload.jobs, workload.pools
    within = duration(float(np.ptp(jobs.arrival)), Sense.PLAIN)
    types = counted(len(np.unique(jobs.type)), "type")
    if workload.name:
        yield "name", workload.name
    yield "jobs", f"{counted(len(jobs), 'job')} of {types}, which arrive within {within}"
    yield "pools", f"{counted(len(pools), 'pool')} of {counted(int(pools.units.sum()), 'unit')}"
    yield "options", f"{counted(len(workload.options.pool), 'way')} to run the jobs"
    if (rights := jobs.rights) is not None:
        stop, stopped = (int(np.count_nonzero(one)) for one in rights[:2])
        yield "stopping", f"{stop:,} of the jobs may stop others, {stopped:,} may be stopped"
    if np.isfinite(file.day_joules):
        yield "budget", f"{energy(file.day_joules, Sense.TYPED)} a day"


def _of_classes(given: Path, reading: Reading[JobClasses]) -> Answer:
    if reading.value is None:
        return Answer.refusal(reading.problems, nothing=("classes",))
    rows = reading.value.rows
    lead = f"{counted(len(rows), 'row')} of classes of jobs, {_sound(reading)}"
    told = Told(lead, tables=tuple(classes_tables(rows)))
    return Answer.done(in_text(str(given), told), {"classes": len(rows)}, reading.problems)


def _of_sizes(given: Path, reading: Reading[JobSizes]) -> Answer:
    if reading.value is None:
        return Answer.refusal(reading.problems, nothing=("sizes",))
    count = len(reading.value.rows)
    lead = f"{counted(count, 'size')}, {_sound(reading)}"
    told = Told(lead, tables=tuple(offered_tables(reading.value)))
    return Answer.done(in_text(str(given), told), {"sizes": count}, reading.problems)


def _sound(reading: Reading[WorkloadFile] | Reading[JobClasses] | Reading[JobSizes]) -> str:
    return counted(len(reading.problems), "warning") if reading.problems else "no problems"
