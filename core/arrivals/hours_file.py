"""How many jobs of each type arrive in each hour of a day, as a CSV file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from core.arrivals.option_tables import codes_of
from core.arrivals.patterns import HOURS
from core.files.columns import ReadColumns, Wanted, read_columns
from core.files.delimited import sheet_of_text
from core.files.disk import read_file
from core.files.findings import Findings, shown
from core.files.names import csv_cell
from core.files.text import decode
from core.model.arrays import FloatArray, IntArray
from core.model.problems import InvalidInput
from core.model.ranges import Range
from core.say.words import typed

JOBS_AN_HOUR: Final = Range(0.0, 1e6, "jobs an hour")
_COLUMNS: Final = (
    Wanted("job_type", "text"),
    Wanted("hour", "whole"),
    Wanted("jobs", "number", unit="jobs an hour"),
)


def hours_csv(types: Sequence[str], rates: FloatArray) -> bytes:
    """A row for each hour and type in which jobs arrive; `read_hours` reads them back."""
    lines = [",".join(column.name for column in _COLUMNS)]
    lines += [
        f"{csv_cell(types[kind])},{hour},{float(rates[hour, kind])!r}"
        for kind, hour in np.argwhere(rates.T > 0).tolist()
    ]
    return ("\n".join(lines) + "\n").encode()


def read_hours(path: Path, types: Sequence[str]) -> FloatArray:
    """Jobs an hour, a row for each hour of the day and a column for each type; 0 for what has no
    row. Raises `InvalidInput` with all problems.
    """
    findings, label = Findings(), path.name or str(path)
    rates, rows = np.zeros((HOURS, len(types))), None
    with findings.refusals(label):
        text = decode(read_file(path), label, findings)
        rows = read_columns(sheet_of_text(text, label, findings), _COLUMNS, findings)
    if rows is not None and not findings.failed:
        kind = codes_of(rows, "job_type", types, "a task type of the system")
        _check(rows, kind)
        if not findings.failed:
            rates[rows.wholes["hour"], kind] = rows.numbers["jobs"]
            if not rates.any():
                findings.error(label, "", "jobs", "is 0 everywhere; give a number above 0")
    if findings.failed:
        raise InvalidInput(findings.problems())
    return rates


def _check(rows: ReadColumns, kind: IntArray) -> None:
    hour, jobs = rows.wholes["hour"], rows.numbers["jobs"]
    rows.report(
        (hour < 0) | (hour >= HOURS),
        "hour",
        lambda row: f"is {hour[row]}; give an hour of the day, 0 to {HOURS - 1}",
    )
    rows.report(
        ~((jobs >= JOBS_AN_HOUR.low) & (jobs <= JOBS_AN_HOUR.high)),
        "jobs",
        lambda row: f"is {typed(float(jobs[row]))}; give {JOBS_AN_HOUR}",
    )
    _, first = np.unique(np.column_stack([kind, hour]), axis=0, return_index=True)
    again = np.ones(len(rows), bool)
    again[first] = False
    rows.report(
        again,
        "hour",
        lambda row: (
            f"{hour[row]} of '{shown(rows.text('job_type', row))}' is there twice; keep one row"
        ),
    )
