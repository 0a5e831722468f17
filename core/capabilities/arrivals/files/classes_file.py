"""Classes of jobs as a CSV file: a row for each class."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.engines.replay.classes import JobClass, JobClasses, classes_of_rows
from core.files.columns import ReadColumns
from core.files.disk import read_file
from core.files.findings import Findings
from core.files.schema import Column
from core.files.table_file import read_table
from core.files.table_writer import WrittenTable
from core.vocabulary.problems import InvalidInput
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


def read_classes(path: Path) -> JobClasses:
    """The classes of a file. Raises `InvalidInput` with all problems, also if a column is not
    known: with a misspelt one, a class would have more jobs than was meant.
    """
    findings, label = Findings(unused_is="error"), path.name or str(path)
    rows, found = None, JobClasses()
    with findings.refusals(label):
        rows = read_table(label, read_file(path), _COLUMNS, findings, "classes", MOST_CLASSES)
    if rows is not None and not findings.failed:
        with findings.refusals(label):
            places = [rows.place(row) for row in range(len(rows))]
            found = classes_of_rows(_rows(rows), label, places)
        if not len(rows):
            findings.file_error(label, "has no row; give one for each class of jobs")
    if findings.failed:
        raise InvalidInput(findings.problems())
    return found


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
