"""A file that is one table: CSV, a sheet of a workbook, or Parquet."""

from collections.abc import Iterable, Iterator

import numpy as np

from core.files import limits
from core.files.archive import ZipArchive, is_archive
from core.files.arrow_columns import (
    is_parquet,
    plain_header,
    read_parquet_columns,
    read_plain_columns,
)
from core.files.columns import ReadColumns, read_columns
from core.files.disk import check_size
from core.files.findings import Findings, Unreadable, shown_list
from core.files.folder import sheet_of
from core.files.schema import Schema
from core.files.sheet import Sheet, SheetRow
from core.files.text import decode, sheet_of_text
from core.files.workbook_reader import Workbook, refuse_old_excel


def sheet_of_table(label: str, data: bytes, title: str, findings: Findings) -> Sheet:
    """The table in the content of a file: of a workbook, the sheet of this title or the only one.

    Raises `Unreadable` if there is none.
    """
    check_size(data)
    if is_archive(data):
        workbook = Workbook(ZipArchive(data))
        titles = workbook.titles
        found = next((t for t in titles if t.strip().casefold() == title), None)
        if found is None and len(titles) == 1:
            found = titles[0]
        if found is None:
            raise Unreadable(f"has no sheet '{title}', but {shown_list(titles)}; rename one")
        return sheet_of(workbook, found, f"{label} [{found}]")
    refuse_old_excel(data)
    return sheet_of_text(decode(data, label, findings), label, findings)


def read_table(
    label: str, data: bytes, schema: Schema, findings: Findings, title: str, most: int | None = None
) -> ReadColumns | None:
    """The columns of the table in the content of a file, as `read_columns`; of a workbook, the
    sheet of this title. It may have up to `most` rows (None: `limits.JOB_ROWS`). If these may be
    more than `limits.ROWS`, it may be Parquet, and plain CSV is read by Arrow, which alone reads
    more than `limits.JOB_ROWS`. May raise `Unreadable`.
    """
    check_size(data)
    most = limits.JOB_ROWS if most is None else most
    if most > limits.ROWS and is_parquet(data):
        found = read_parquet_columns(label, data, schema, findings)
        if found is not None and len(found) > most:
            raise Unreadable(f"is too large: at most {most:,} rows can be read")
        return found
    if most > limits.ROWS and not is_archive(data):
        if rows_in(data) > min(most, limits.JOB_ROWS):
            return read_large_columns(label, data, schema, findings, most)
        if (plain := read_plain_columns(label, data, schema, findings)) is not None:
            return plain
    sheet = sheet_of_table(label, data, title, findings)
    return read_columns(sheet, schema, findings, min(most, limits.JOB_ROWS))


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
            f"is too large: it has {rows:,} rows, but at most {most:,} can be read; give fewer"
        )
    found = read_plain_columns(label, data, schema, findings)
    if found is not None:
        return found
    if plain_header(data, schema) is not None and b'"' not in data:
        _report_faults(label, data, schema, findings)
    if not findings.failed:
        raise Unreadable(
            f"has {rows:,} rows; more than {limits.JOB_ROWS:,} can be read only if it is plain: "
            "commas, no quotation marks, no blank lines, no other columns; write it so, or give "
            "fewer rows"
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
