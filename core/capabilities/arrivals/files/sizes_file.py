"""Sizes that are offered, as a CSV file: a row for each size."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from core.capabilities.arrivals.made.job_sizes import (
    GIGABYTES,
    HOURLY_PRICE,
    SIZE_CORES,
    JobSize,
    JobSizes,
    alike,
)
from core.files.columns import ReadColumns
from core.files.disk import read_file
from core.files.findings import Findings, Reading, shown
from core.files.schema import Column, Schema, columns_called
from core.files.table_file import sheet_of_table
from core.files.table_set import UnreadTable
from core.files.table_writer import WrittenTable
from core.files.text import titles_of
from core.vocabulary.ranges import ETC

MOST_SIZES: Final = 100
_OF_KIND: Final = "seconds:"
_COLUMNS: Final = (
    Column("size", "name"),
    Column("cores", "whole", allowed=SIZE_CORES),
    Column("memory_gb", "number", unit="GB", allowed=GIGABYTES),
    Column("price", "number", math.nan, "an hour", allowed=HOURLY_PRICE),
)


def sizes_csv(sizes: JobSizes) -> bytes:
    """A row for each size; `read_sizes` reads them back."""
    titles = [*(column.name for column in _COLUMNS), *(f"{_OF_KIND}{one}" for one in sizes.kinds)]
    rows = [[row.name, row.cores, row.memory_gb, row.price, *row.seconds] for row in sizes.rows]
    return "".join(WrittenTable(titles, rows).csv_lines()).encode()


def is_sizes(data: bytes) -> bool:
    """Whether content says that it is a table of sizes, with or without faults. A table of jobs
    says when they arrive.
    """
    titles = titles_of(data)
    says = columns_called([*titles], _COLUMNS).keys()
    return "size" in says and bool(says & {"cores", "memory_gb"}) and "arrival" not in titles


def read_sizes(path: Path) -> JobSizes:
    """The sizes of a file. Raises `InvalidInput` with all problems, also if a column is not known:
    with a misspelt one, jobs would take other times than was meant.
    """
    return _inspected(path.name or str(path), partial(read_file, path)).require()


def inspect_sizes_bytes(name: str, data: bytes) -> Reading[JobSizes]:
    """`read_sizes` of the content of a file of this name, or all of its problems."""
    return _inspected(name, lambda: data)


def _inspected(label: str, load: Callable[[], bytes]) -> Reading[JobSizes]:
    findings, found = Findings(unused_is="error"), None
    kinds = dict[str, str]()

    def schema_of(titles: Sequence[str]) -> Schema:
        kinds.update({title.casefold(): title[len(_OF_KIND) :] for title in titles if _says(title)})
        of_kinds = (Column(one, "number", math.nan, "seconds", allowed=ETC) for one in kinds)
        return (*_COLUMNS, *of_kinds)

    with findings.refusals(label):
        table = UnreadTable(label, lambda: sheet_of_table(label, load(), "sizes", findings))
        rows = table.columns(schema_of, findings, MOST_SIZES)
        if rows is not None and not len(rows):
            findings.file_error(label, "has no row; give one for each size that is offered")
        if rows is not None:
            found = _sizes(rows, kinds)
    return Reading.found(None if findings.failed else found, findings)


def _says(title: str) -> bool:
    """Whether a column of this title says what jobs of a name take."""
    return title.casefold().startswith(_OF_KIND) and len(title) > len(_OF_KIND)


def _sizes(rows: ReadColumns, kinds: Mapping[str, str]) -> JobSizes:
    """The sizes of a table; those that cannot be told from each other are reported."""
    seconds = [map(_known, rows.numbers[title].tolist()) for title in kinds]
    found = tuple(
        JobSize(name, cores, memory, _known(price), tuple(said))
        for name, cores, memory, price, *said in zip(
            rows.listed("size"),
            rows.wholes["cores"].tolist(),
            rows.numbers["memory_gb"].tolist(),
            rows.numbers["price"].tolist(),
            *seconds,
            strict=True,
        )
    )
    places = tuple(rows.place(row) for row in range(len(rows)))
    for place, first, column in alike(found):
        said = f"'{shown(found[first].name)}' in {places[first]}"
        message = (
            f"is that of {places[first]}, too; give each size its own name"
            if column == "size"
            else f"and memory_gb are those of {said}, too; keep one of the two"
        )
        rows.findings.error(rows.label, places[place], column, message)
    for title in kinds if len(found) else ():
        if np.isnan(rows.numbers[title]).all() and not rows.findings.failed:
            message = "is blank in all sizes, so such jobs run in none; say some, or remove it"
            rows.findings.error(rows.label, "", title, message)
    return JobSizes(found, tuple(kinds.values()), rows.label, places)


def _known(number: float) -> float | None:
    """A blank cell is None."""
    return None if math.isnan(number) else number
