"""Reads a Parquet file into columns, as `columns.py` reads other tables."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.arrivals.columns import MOST_ROWS, Coded, ReadColumns, Wanted, reported
from core.files import limits
from core.files.findings import Findings, Unreadable, shown
from core.model.arrays import BoolArray, FloatArray, IntArray
from core.model.system_problems import name_fault

if TYPE_CHECKING:  # it takes long to import
    import pyarrow as pa

_MAGIC = b"PAR1"


def is_parquet(data: bytes) -> bool:
    return data.startswith(_MAGIC)


def read_parquet_columns(
    label: str, data: bytes, wanted: Sequence[Wanted], findings: Findings
) -> ReadColumns | None:
    """The columns of a Parquet file; None if one that it must have is missing. Raises `Unreadable`
    if it is damaged or too large.
    """
    table = _table(data, [column.name for column in wanted])
    there = set(table.column_names)
    for column in wanted:
        if column.blank is None and column.name not in there:
            findings.error(label, "", column.name, f"column {column.name} is missing; add it")
    if findings.failed:
        return None
    rows = table.num_rows
    found = ReadColumns(
        label, np.arange(1, rows + 1), "row", {}, {}, {}, frozenset(there), findings
    )
    texts: dict[str, Coded] = {}
    numbers: dict[str, FloatArray] = {}
    wholes: dict[str, IntArray] = {}
    for column in wanted:
        cells = table.column(column.name) if column.name in there else None
        if column.kind == "text":
            texts[column.name] = _texts(found, column, cells)
            continue
        values, blank = _numbers(found, column, cells)
        if column.blank is None:
            found.report(blank, column.name, lambda _: "is blank; give a number")
        values[blank] = float(column.blank or 0.0)
        if column.kind != "whole":
            numbers[column.name] = values
            continue
        odd = ~(np.abs(values) < 2**53) | (values != np.floor(values))
        found.report(odd, column.name, lambda _: "is not a whole number in range; give one")
        wholes[column.name] = np.where(odd, 0, values).astype(np.int64)
    return ReadColumns(
        label, found.lines, found.unit, texts, numbers, wholes, found.there, findings
    )


def _table(data: bytes, wanted: Sequence[str]) -> "pa.Table":
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(data), memory_map=False)
        rows = file.metadata.num_rows
        sizes = (file.metadata.row_group(group) for group in range(file.num_row_groups))
        inflated = sum(group.total_byte_size for group in sizes)
        if rows > MOST_ROWS or inflated > limits.ARCHIVE_BYTES:
            raise Unreadable(
                f"is too large: at most {MOST_ROWS:,} rows and "
                f"{limits.ARCHIVE_BYTES // limits.MIB} MiB can be read"
            )
        names = [name for name in wanted if name in file.schema_arrow.names]
        return file.read(columns=names, use_threads=False)
    except (pa.ArrowException, OSError, ValueError) as error:
        said = shown(str(error).partition("\n")[0], 100)
        raise Unreadable(
            f"is not a Parquet file that can be read ({said}); make it again"
        ) from error


def _texts(rows: ReadColumns, column: Wanted, cells: Any) -> Coded:
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
    names = [name or usual for name in coded.dictionary.to_pylist()]
    code = np.asarray(coded.indices, np.int64)
    faults = {
        place: fault
        for place, name in enumerate(names)
        if (fault := name_fault(name)) is not None and (name or column.blank is None)
    }
    wrong = np.flatnonzero(np.isin(code, list(faults))).tolist()
    for row in reported(wrong, rows.findings):
        rows.findings.error(rows.label, rows.place(row), column.name, faults[int(code[row])])
    return Coded(tuple(names), code)


def _numbers(rows: ReadColumns, column: Wanted, cells: Any) -> tuple[FloatArray, BoolArray]:
    """The numbers of a column, and which cells are blank."""
    import pyarrow as pa

    if cells is None:
        return np.zeros(len(rows)), np.ones(len(rows), bool)
    kind = cells.type
    if not (pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_null(kind)):
        raise Unreadable(f"has no numbers in column {column.name}; write numbers there")
    values = np.array(cells.cast(pa.float64(), safe=False).to_numpy(), np.float64)
    return values, np.isnan(values)
