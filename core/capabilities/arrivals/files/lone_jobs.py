"""A workload of one table of jobs, with what is not said assumed."""

import math
from dataclasses import replace
from typing import Final

import numpy as np

from core.capabilities.arrivals.files.job_tables import unique_names
from core.capabilities.arrivals.files.workload_file import LONE_JOBS, WorkloadFile
from core.capabilities.arrivals.files.workload_tables import WorkloadTable
from core.engines.replay.workload import UNITS, ArrivingJobs, Options, Pools, Truth, Workload
from core.engines.replay.worth import ALWAYS_ONE
from core.files import limits
from core.files.columns import Coded, ReadColumns
from core.files.findings import Findings, shown
from core.files.numbers import number_cell
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import Sense, share

_BUSY: Final = 0.8
"""The share of its time for which a pool of unknown size is assumed to be busy."""


def is_lone(table: WorkloadTable) -> bool:
    """Whether a table has the columns that jobs must have; no other has both."""
    return table.has(("arrival", "seconds"))


def lone_workload(table: WorkloadTable, findings: Findings) -> WorkloadFile | None:
    """The workload of a table of jobs; what was assumed becomes a note.

    A job runs on its pool, for what it requested if that is longer than its seconds. A pool has
    as many units as its widest job takes, or more, so that it is busy for 80 % of the time
    from the first arrival to the last. Raises `InvalidInput`, or `Unreadable`.
    """
    most = limits.JOB_ROWS if table.has(("job",)) else limits.NAMELESS_JOB_ROWS
    rows = table.columns(LONE_JOBS, findings, most)
    if rows is None or findings.errors > 0:
        return None
    if not len(rows):
        findings.error(table.label, "", "", "has no job; give a row for each")
        return None
    arrival, seconds = rows.numbers["arrival"], rows.numbers["seconds"]
    units, pool = rows.wholes["units"], rows.texts["pool"]
    estimate = np.fmax(rows.numbers["requested"], seconds)
    rows.report(
        ~(seconds > 0),
        "seconds",
        lambda r: f"is {number_cell(seconds[r])}; give more than 0 s",
    )
    rows.report(units < 1, "units", lambda r: f"is {units[r]:,}; give at least 1")
    if findings.errors > 0:
        return None
    names, numbered = unique_names(rows)
    if findings.errors > 0:
        return None
    sizes = _sizes(pool, units, units * seconds, float(arrival.max() - arrival.min()))
    types = rows.texts["type"]
    try:
        workload = Workload(
            Pools.of(pool.names, sizes),
            ArrivingJobs(
                arrival,
                types.code,
                types.names,
                rows.numbers["worth"],
                np.zeros(len(rows)),
                np.zeros(len(rows), np.int64),
                None if numbered else names,
            ),
            Options.of(len(rows), pool.code, units, estimate, rows.numbers["watts"]),
            ALWAYS_ONE,
        )
    except InvalidInput as refused:
        for problem in refused.problems:
            findings.add(_located(problem, table.label, rows, numbered=numbered))
        return None
    listed = ", ".join(f"{name}: {size:,}" for name, size in zip(pool.names, sizes, strict=True))
    findings.notes.append(
        f"The file does not say how many units pools have; assumed so many that each is busy for "
        f"{share(_BUSY, Sense.TYPED)} of the time ({shown(listed, 100)})."
    )
    return WorkloadFile(workload, Truth(seconds / estimate, np.ones(len(rows))))


def _located(problem: Problem, label: str, rows: ReadColumns, *, numbered: bool) -> Problem:
    """A problem of the workload by the words and the line of its table; a job with a name is found
    by that.
    """
    column = "worth" if problem.column == "priority" else problem.column
    of_job = problem.file in ("jobs", "options") and numbered
    row = rows.place(int(problem.row) - 1) if of_job else problem.row
    return replace(problem, file=label, row=row, column=column)


def _sizes(pool: Coded, units: IntArray, work: FloatArray, span: float) -> list[int]:
    """How many units each pool is assumed to have."""
    pools = len(pool.names)
    widest = np.zeros(pools, np.int64)
    np.maximum.at(widest, pool.code, units)
    if span <= 0:
        return widest.tolist()
    busy = np.minimum(np.bincount(pool.code, work, pools) / (_BUSY * span), UNITS.high)
    return [max(int(wide), math.ceil(need)) for wide, need in zip(widest, busy, strict=True)]
