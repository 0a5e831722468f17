"""CSV: rows of cells separated by commas, semicolons or tabs, with quotes as in RFC 4180."""

import csv
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import tomli_w

from core.files import limits
from core.files.beside import (
    SETTINGS_SUFFIX,
    Additions,
    machine_columns,
    task_columns,
)
from core.files.findings import Findings, Unreadable
from core.files.marks import YES
from core.files.names import csv_cell
from core.files.sheet import Sheet, SheetRow
from core.files.text import TextLines, first_lines
from core.model.arrays import BoolArray, FloatArray
from core.model.system import System

DELIMITERS: Final = ",;\t"
LINES_LOOKED_AT: Final = 10
_HEAD: Final = 1_000
_QUOTED: Final = re.compile(r'"[^"]*"')


def has_delimiter(line: str) -> bool:
    """Whether a line has more than one cell."""
    return any(line.count(mark) for mark in DELIMITERS)


def titles_of(data: bytes) -> frozenset[str]:
    """The titles in the first line of a CSV file, in small letters. Only its first bytes are looked
    at.
    """
    line = data[:_HEAD].partition(b"\n")[0].decode("utf-8", "replace")
    for mark in DELIMITERS:
        line = line.replace(mark, ",")
    return frozenset(title.strip(' "\r\ufeff').casefold() for title in line.split(","))


def sheet_of_text(text: str, label: str, findings: Findings) -> Sheet:
    """The table in a text."""
    return Sheet(label, _records(text, label, findings), is_text=True)


def _records(text: str, label: str, findings: Findings) -> Iterator[SheetRow]:
    """The rows of a text. A record with wrong quotation marks is reported, and reading continues on
    the next line.
    """
    delimiter = _delimiter(text)
    lines = TextLines(text)
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    while True:
        lines.begin_record()
        first_line = lines.number + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            findings.error(label, f"line {first_line}", "", _csv_fault(error))
            if findings.full:
                raise Unreadable(
                    "has too many wrong quotation marks; correct those first"
                ) from error
            lines.skip_first_line_of_record()
            reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
        else:
            yield SheetRow(first_line, cells)


def _delimiter(text: str) -> str:
    """The separator of the first line that has more than one cell; titles may be above it."""
    for line in first_lines(text, LINES_LOOKED_AT):
        outside_quotes = _QUOTED.sub("", line)
        if has_delimiter(outside_quotes):
            return max(DELIMITERS, key=outside_quotes.count)
    return DELIMITERS[0]


def _csv_fault(error: csv.Error) -> str:
    if "field limit" in str(error):
        return (
            f"a cell is longer than {limits.CELL_CHARACTERS:,} characters; shorten it, or close "
            "the quotation marks"
        )
    return (
        "a quotation mark is not closed, or text follows the closing one; close it, and double "
        'the quotation marks inside a quoted cell: "a ""b"" c"'
    )


def system_tables(system: System, beside: Additions | None = None) -> dict[str, Iterable[str]]:
    """The tables of a system, and what is beside them, as the lines of files, by file name."""
    tables: dict[str, Iterable[str]] = {"etc.csv": _matrix_lines(system, system.etc)}
    if system.apc is not None:
        tables["apc.csv"] = _matrix_lines(system, system.apc)
    of_tasks, of_machines = task_columns(system, beside), machine_columns(system, beside)
    tables["tasks.csv"] = _listing_lines("task_type", system.task_names, of_tasks)
    tables["machines.csv"] = _listing_lines("machine_type", system.machine_names, of_machines)
    if system.estimated is not None:
        tables["estimated.csv"] = _mark_lines(system, system.estimated)
    if beside is not None:
        for name, settings in beside.settings.items():
            tables[f"{name}{SETTINGS_SUFFIX}"] = [tomli_w.dumps(settings)]
    return tables


def _matrix_lines(system: System, values: FloatArray) -> Iterator[str]:
    yield _line(["task_type", *map(csv_cell, system.machine_names)])
    for task, row in zip(system.task_types, values, strict=True):
        numbers = ("" if text in {"inf", "nan"} else text for text in map(repr, row.tolist()))
        yield _line([csv_cell(task.name), *numbers])


def _mark_lines(system: System, estimated: BoolArray) -> Iterator[str]:
    yield _line(["task_type", *map(csv_cell, system.machine_names)])
    for task, row in zip(system.task_types, estimated, strict=True):
        yield _line([csv_cell(task.name), *(YES if mark else "" for mark in row.tolist())])


def _listing_lines(
    key: str, names: Sequence[str], columns: Mapping[str, Sequence[float]]
) -> Iterator[str]:
    yield _line([key, *columns])
    for name, *numbers in zip(names, *columns.values(), strict=True):
        cells = (repr(number) if math.isfinite(number) else "" for number in numbers)
        yield _line([csv_cell(name), *cells])


def _line(cells: list[str]) -> str:
    return ",".join(cells) + "\n"
