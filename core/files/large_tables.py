"""CSV tables of more rows than are read cell by cell: part by part, so that faults have places."""

from collections.abc import Iterable, Iterator

import numpy as np

from core.files import limits
from core.files.arrow_columns import plain_header, read_plain_columns
from core.files.columns import ReadColumns, read_columns
from core.files.delimited import sheet_of_text
from core.files.findings import Findings, Unreadable
from core.files.schema import Schema
from core.files.sheet import Sheet, SheetRow
from core.files.text import decode

_LINE_END = ord("\n")


def rows_in(data: bytes) -> int:
    """The rows of a CSV file below its titles, if each is a line."""
    return max(data.count(b"\n") - 1 + (not data.endswith(b"\n")), 0)


def read_large_columns(
    label: str, data: bytes, schema: Schema, findings: Findings, most: int
) -> ReadColumns | None:
    """The columns of a plain CSV file of at most so many rows. None if it has faults, which are
    reported by line and column. Raises `Unreadable` if it has more rows, or is not plain.
    """
    rows = rows_in(data)
    if rows > most:
        raise Unreadable(
            f"is too large: it has {rows:,} rows, but at most {most:,} can be read; split it by "
            "time"
        )
    found = read_plain_columns(label, data, schema, findings)
    if found is not None:
        return found
    if plain_header(data, schema) is not None and b'"' not in data:
        _report_faults(label, data, schema, findings)
    if not findings.failed:
        raise Unreadable(
            f"has {rows:,} rows; more than {limits.JOB_ROWS:,} can be read only if it is plain: "
            "commas, no quotation marks, no blank lines, no other columns; write it so, or split "
            "it by time"
        )
    return None


def _report_faults(label: str, data: bytes, schema: Schema, findings: Findings) -> None:
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == _LINE_END) + 1
    head = data[: ends[0]]
    for first in range(0, len(ends), limits.ROWS):
        last = ends[first + limits.ROWS] if first + limits.ROWS < len(ends) else len(data)
        part = head + data[ends[first] : last]
        if read_plain_columns(label, part, schema, Findings()) is None:
            sheet = sheet_of_text(decode(part, label, findings), label, findings)
            moved = Sheet(label, _moved(sheet.rows, first), is_text=True)
            read_columns(moved, schema, findings)
        if findings.full:
            return


def _moved(rows: Iterable[SheetRow], lines: int) -> Iterator[SheetRow]:
    """The rows of a part that begins so many lines further down; the titles stay in line 1."""
    for row in rows:
        yield row if row.line == 1 else row._replace(line=row.line + lines)
