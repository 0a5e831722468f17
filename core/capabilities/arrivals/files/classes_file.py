"""Classes of jobs as a CSV file: a row for each class."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from core.engines.replay.classes import MATCHED, JobClass, JobClasses, classes_of_rows
from core.files.columns import ReadColumns
from core.files.disk import read_file
from core.files.findings import Findings, Reading
from core.files.schema import Column, columns_called
from core.files.table_file import read_table
from core.files.table_writer import WrittenTable
from core.files.text import titles_of
from core.vocabulary.setting import AnyText, NumberIn, Setting, WholeIn, settings_in


def _column(name: str, one: Setting) -> Column:
    """The column of a setting; a blank cell is its usual value."""
    match one.kind:
        case AnyText():
            return Column(name, "name", "")
        case NumberIn(allowed):
            blank = math.nan if one.usual is None else one.usual
            return Column(name, "number", blank, allowed.unit, allowed=allowed)
        case WholeIn(allowed):
            return Column(name, "whole", one.usual, allowed=allowed)
    return Column(name, "flag", 0.0, called=name.replace("_", " ").removesuffix(" others"))


MOST_CLASSES: Final = 1_000
_COLUMNS: Final = tuple(_column(name, one) for name, one in settings_in(JobClass).items())


def classes_csv(classes: Sequence[JobClass]) -> bytes:
    """A row for each class; `read_classes` reads them back."""
    names = [column.name for column in _COLUMNS]
    rows = [[getattr(one, name) for name in names] for one in classes]
    return "".join(WrittenTable(names, rows).csv_lines()).encode()


def is_classes(data: bytes) -> bool:
    """Whether content says that it is a table of classes, with or without faults: which jobs, and
    something of them. A table of jobs says when they arrive.
    """
    titles = titles_of(data)
    says = columns_called([*titles], _COLUMNS).keys()
    return bool(says & {*MATCHED} and says - {*MATCHED}) and "arrival" not in titles


def read_classes(path: Path) -> JobClasses:
    """The classes of a file. Raises `InvalidInput` with all problems, also if a column is not
    known: with a misspelt one, a class would have more jobs than was meant.
    """
    return _inspected(path.name or str(path), partial(read_file, path)).require()


def inspect_classes_bytes(name: str, data: bytes) -> Reading[JobClasses]:
    """`read_classes` of the content of a file of this name, or all of its problems."""
    return _inspected(name, lambda: data)


def _inspected(label: str, load: Callable[[], bytes]) -> Reading[JobClasses]:
    findings, found = Findings(unused_is="error"), None
    with findings.refusals(label):
        rows = read_table(label, load(), _COLUMNS, findings, "classes", MOST_CLASSES)
        if rows is not None and not len(rows):
            findings.file_error(label, "has no row; give one for each class of jobs")
        if rows is not None and not findings.failed:
            places = [rows.place(row) for row in range(len(rows))]
            found = classes_of_rows(_rows(rows), label, places)
    return Reading.found(None if findings.failed else found, findings)


def _rows(rows: ReadColumns) -> list[JobClass]:
    columns: list[list[object]] = []
    for column in _COLUMNS:
        match column.kind:
            case "name":
                columns.append([*rows.listed(column.name)])
            case "flag":
                columns.append((rows.numbers[column.name] != 0).tolist())
            case "whole":
                columns.append(rows.wholes[column.name].tolist())
            case _:
                numbers = rows.numbers[column.name].tolist()
                columns.append([None if math.isnan(one) else one for one in numbers])
    names = [column.name for column in _COLUMNS]
    return [JobClass(**dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)]
