"""How many jobs of each type arrive in each hour of a day, as a CSV file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from core.files import limits
from core.files.columns import ReadColumns
from core.files.disk import read_file
from core.files.findings import Findings, shown
from core.files.schema import Column
from core.files.table_file import read_table
from core.files.table_writer import WrittenTable
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.problems import InvalidInput
from core.vocabulary.ranges import Range

JOBS_AN_HOUR: Final = Range(0.0, 1e6, "jobs an hour")
_COLUMNS: Final = (
    Column("job_type", "name"),
    Column("hour", "whole", allowed=Range(0, HOURS_OF_DAY - 1, "")),
    Column("jobs", "number", unit="jobs an hour", allowed=JOBS_AN_HOUR),
)


def hours_csv(types: Sequence[str], rates: FloatArray) -> bytes:
    """A row for each hour and type in which jobs arrive; `read_hours` reads them back."""
    pairs = np.argwhere(rates.T > 0).tolist()
    rows = [(types[kind], hour, float(rates[hour, kind])) for kind, hour in pairs]
    table = WrittenTable([column.name for column in _COLUMNS], rows)
    return "".join(table.csv_lines()).encode()


def read_hours(path: Path, types: Sequence[str]) -> FloatArray:
    """Jobs an hour, a row for each hour of the day and a column for each type; 0 for what has no
    row. Raises `InvalidInput` with all problems.
    """
    findings, label = Findings(), path.name or str(path)
    rates, rows = np.zeros((HOURS_OF_DAY, len(types))), None
    with findings.refusals(label):
        rows = read_table(label, read_file(path), _COLUMNS, findings, "hours", limits.ROWS)
    if rows is not None and not findings.failed:
        kind = rows.positions("job_type", types, "a task type of the system")
        _refuse_twice(rows, kind)
        if not findings.failed:
            rates[rows.wholes["hour"], kind] = rows.numbers["jobs"]
            if not rates.any():
                findings.error(label, "", "jobs", "is 0 everywhere; give a number above 0")
    if findings.failed:
        raise InvalidInput(findings.problems())
    return rates


def _refuse_twice(rows: ReadColumns, kind: IntArray) -> None:
    hour = rows.wholes["hour"]
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
