"""A file that is one table: CSV, a sheet of a workbook, or Parquet.

Arrow reads Parquet and plain CSV ten times as fast as `columns.py` reads other tables. It says less
about what is wrong, so a CSV file that is not plain, or has any fault, is left to that.
"""

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.files import limits
from core.files.archive import ZipArchive, is_archive
from core.files.columns import Coded, ReadColumns, read_columns, stand_in
from core.files.disk import check_size
from core.files.findings import Findings, Unreadable, shown, shown_list
from core.files.folder import sheet_of
from core.files.schema import Column, Schema, columns_called
from core.files.sheet import Sheet, SheetRow, restored
from core.files.text import decode, sheet_of_text
from core.files.workbook_reader import Workbook, refuse_old_excel
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.system_problems import name_fault

if TYPE_CHECKING:
    import pyarrow as pa


_MAGIC: Final = b"PAR1"
_ODD: Final = (b'"', b"\r", b"\0", b"\xef\xbb\xbf", b"\xff\xfe")
_LONGEST: Final = 1_000
_EXACT: Final = 2.0**53
"""Whole numbers below this are exact as floats."""


def is_parquet(data: bytes) -> bool:
    return data.startswith(_MAGIC)


def read_parquet_columns(
    label: str, data: bytes, schema: Schema, findings: Findings
) -> ReadColumns | None:
    """The columns of a Parquet file; None if one is missing. Raises `Unreadable` if damaged."""
    table = _parquet_table(data, [column.name for column in schema])
    missing = [c.name for c in schema if c.is_needed and c.name not in table.column_names]
    for name in missing:
        findings.error(label, "", name, f"column {name} is missing; add it")
    if missing:
        return None
    place = ReadColumns(
        label,
        np.arange(1, table.num_rows + 1),
        "row",
        {},
        {},
        {},
        frozenset(table.column_names),
        findings,
    )
    return _columns(place, table, schema, str)


def read_plain_columns(
    label: str, data: bytes, schema: Schema, findings: Findings
) -> ReadColumns | None:
    """The columns of a CSV file that is plain: commas, no quotation marks, no blank lines, no
    unknown columns, no fault. None for any other.
    """
    columns = plain_header(data, schema)
    if columns is None or _is_odd(data):
        return None
    table = _csv_table(data, columns)
    if table is None or not all(_is_finite(table.column(one.name)) for one in columns):
        return None
    faults = Findings()
    lines = np.arange(2, table.num_rows + 2)
    place = ReadColumns(
        label, lines, "line", {}, {}, {}, frozenset(one.name for one in columns), faults
    )
    found = _columns(place, table, schema, lambda text: restored(text.strip()))
    return replace(found, findings=findings) if faults.errors == 0 else None


def _is_finite(cells: Any) -> bool:
    """Whether all numbers of a column are finite, but for the blanks."""
    import pyarrow as pa

    if not pa.types.is_floating(cells.type):
        return True
    finite = int(np.count_nonzero(np.isfinite(cells.to_numpy())))
    return bool(finite + cells.null_count == len(cells))


def plain_header(data: bytes, schema: Schema) -> list[Column] | None:
    """The columns of a CSV file if their titles are plain, all are known and can be read by Arrow,
    and none that is needed is missing.
    """
    head = data[: data.find(b"\n")] if b"\n" in data else data
    if not head.isascii() or any(mark in head for mark in (b";", b"\t")) or len(head) > _LONGEST:
        return None
    titles = head.decode().split(",")
    places = columns_called(titles, schema)
    if sorted(places.values()) != [*range(len(titles))] or "" in titles:
        return None
    if any(column.is_needed and column.name not in places for column in schema):
        return None
    found = sorted((c for c in schema if c.name in places), key=lambda c: places[c.name])
    return None if any(c.kind == "flag" or c.parse for c in found) else found


def _is_odd(data: bytes) -> bool:
    """Whether a file has quotation marks, other ends of lines, blank lines and the like."""
    return any(mark in data for mark in _ODD) or b"\n\n" in data


def _csv_table(data: bytes, columns: Sequence[Column]) -> "pa.Table | None":
    import pyarrow as pa
    from pyarrow import csv

    types = {"number": pa.float64(), "whole": pa.int64()}
    try:
        return csv.read_csv(
            pa.BufferReader(data),
            csv.ReadOptions(use_threads=False, column_names=[c.name for c in columns], skip_rows=1),
            csv.ParseOptions(quote_char=False, ignore_empty_lines=False),
            csv.ConvertOptions(
                column_types={c.name: types.get(c.kind, pa.string()) for c in columns},
                null_values=[""],
                strings_can_be_null=False,
            ),
        )
    except (pa.ArrowException, ValueError):
        return None


def _columns(
    rows: ReadColumns, table: "pa.Table", schema: Schema, name_of: Callable[[str], str]
) -> ReadColumns:
    """The columns of a table whose rows have places."""
    texts: dict[str, Coded] = {}
    numbers: dict[str, FloatArray] = {}
    wholes: dict[str, IntArray] = {}
    for column in schema:
        cells = table.column(column.name) if column.name in rows.there else None
        if column.is_text:
            texts[column.name] = _texts(rows, column, cells, name_of)
            continue
        values, blank = _numbers(rows, column, cells)
        if column.blank is None:
            rows.report(blank, column.name, lambda _: "is blank; give a number")
        values[blank] = stand_in(column)
        if column.kind != "whole":
            numbers[column.name] = values
            continue
        odd = ~(np.abs(values) < _EXACT) | (values != np.floor(values))
        rows.report(odd, column.name, lambda _: "is not a whole number in range; give one")
        wholes[column.name] = np.where(odd, stand_in(column), values).astype(np.int64)
    found = replace(rows, texts=texts, numbers=numbers, wholes=wholes)
    found.check(schema)
    return found


def _parquet_table(data: bytes, wanted: Sequence[str]) -> "pa.Table":
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(data), memory_map=False)
        rows = file.metadata.num_rows
        sizes = (file.metadata.row_group(group) for group in range(file.num_row_groups))
        inflated = sum(group.total_byte_size for group in sizes)
        if rows > limits.JOB_ROWS or inflated > limits.ARCHIVE_BYTES:
            raise Unreadable(
                f"is too large: it has {rows:,} rows, but at most {limits.JOB_ROWS:,} rows and "
                f"{limits.ARCHIVE_BYTES // limits.MIB} MiB can be read; give fewer"
            )
        names = [name for name in wanted if name in file.schema_arrow.names]
        return file.read(columns=names, use_threads=False)
    except (pa.ArrowException, OSError, ValueError) as error:
        said = shown(str(error).partition("\n")[0], 100)
        raise Unreadable(
            f"is not a Parquet file that can be read ({said}); make it again"
        ) from error


def _texts(rows: ReadColumns, column: Column, cells: Any, name_of: Callable[[str], str]) -> Coded:
    import pyarrow as pa

    usual = str(column.blank or "")
    if cells is None:
        return Coded((usual,), np.zeros(len(rows), np.int64))
    kind = cells.type
    if pa.types.is_dictionary(kind):
        cells, kind = cells.cast(kind.value_type), kind.value_type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        if not (pa.types.is_integer(kind) or pa.types.is_null(kind)):
            raise Unreadable(f"has no texts in column {column.name}; write texts there")
        cells = cells.cast(pa.string())  # numbers of jobs
    coded = cells.fill_null("").combine_chunks().dictionary_encode()
    if len(rows) > limits.JOB_ROWS and len(coded.dictionary) > limits.FEW_TEXTS:
        raise Unreadable(
            f"has {len(coded.dictionary):,} different texts in column {column.name}, but with more "
            f"than {limits.JOB_ROWS:,} rows at most {limits.FEW_TEXTS:,} can be read; give fewer, "
            "or give fewer rows"
        )
    names: dict[str, int] = {}
    found = [name_of(name) or usual for name in coded.dictionary.to_pylist()]
    places = np.array([names.setdefault(name, len(names)) for name in found], np.int64)
    code = places[np.asarray(coded.indices, np.int64)] if len(places) else np.zeros(0, np.int64)
    faults = {
        place: fault
        for name, place in names.items()
        if (fault := name_fault(name)) is not None
        and ((column.kind == "name" and name) or (column.blank is None and not name))
    }
    wrong = np.flatnonzero(np.isin(code, list(faults))).tolist()
    for row in rows.findings.listed(wrong):
        rows.findings.error(rows.label, rows.place(row), column.name, faults[int(code[row])])
    return Coded(tuple(names), code)


def _numbers(rows: ReadColumns, column: Column, cells: Any) -> tuple[FloatArray, BoolArray]:
    """The numbers of a column, and which cells are blank."""
    import pyarrow as pa

    if cells is None:
        return np.zeros(len(rows)), np.ones(len(rows), bool)
    kind, readable = cells.type, [pa.types.is_floating, pa.types.is_integer, pa.types.is_null]
    if column.kind == "flag":
        readable.append(pa.types.is_boolean)
    if not any(is_such(kind) for is_such in readable):
        raise Unreadable(f"has no numbers in column {column.name}; write numbers there")
    values = np.array(cells.cast(pa.float64(), safe=False).to_numpy(), np.float64)
    return values, np.isnan(values)


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
