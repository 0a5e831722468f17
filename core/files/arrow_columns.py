"""Reads Parquet and plain CSV files into columns by Arrow, as `columns.py` reads other tables.

Arrow reads a table ten times as fast. It says less about what is wrong, so a CSV file that is not
plain, or has any fault, is left to the other reader.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.files import limits
from core.files.columns import Coded, ReadColumns, stand_in
from core.files.findings import Findings, Unreadable, shown
from core.files.schema import Column, Schema, columns_called
from core.files.sheet import restored
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.system_problems import name_fault

if TYPE_CHECKING:  # it takes long to import
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
    """The columns of a Parquet file; None if one that it must have is missing. Raises `Unreadable`
    if it is damaged or too large.
    """
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
