"""A system as one Excel workbook with sheets named etc, apc, tasks, machines and estimated."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import BinaryIO

from core.files import limits
from core.files.archive import ZipArchive
from core.files.assembly import Read, read_sources
from core.files.beside import (
    Additions,
    SettingsSource,
    flat,
    machine_columns,
    settings_of_sheet,
    task_columns,
)
from core.files.findings import Findings, Unreadable, shown
from core.files.headings import SETTINGS
from core.files.marks import YES
from core.files.sheet import Sheet
from core.files.sources import Source, told_apart
from core.files.workbook_reader import Workbook
from core.files.workbook_writer import (
    BLANK_CELL,
    WorkbookWriter,
    number_cell,
    row,
    writing_workbook,
)
from core.model.arrays import BoolArray, FloatArray
from core.model.problems import InvalidInput, Problem
from core.model.system import System


def read_workbook(archive: ZipArchive, label: str, findings: Findings, settings: str = "") -> Read:
    """The system of a workbook; sheets whose names are not those of tables are reported. With
    `settings`, its parts, and the settings on the sheet of that name.
    """
    workbook = Workbook(archive)
    places = {title: f"{label} [{title}]" for title in workbook.titles}
    sheets = [
        (title.strip(), Source(place, partial(sheet_of, workbook, title, place), title))
        for title, place in places.items()
        if title.strip().casefold() not in SETTINGS
    ]
    beside = {name: _settings(workbook, name, label) for name in SETTINGS}
    twice = "this sheet is there twice; rename or remove one"
    sources, spare = told_apart(sheets, [*beside.values()], twice, findings)
    return read_sources(sources, f"{label} [etc]", findings, spare, beside.get(settings))


def _settings(workbook: Workbook, name: str, label: str) -> SettingsSource:
    place = f"{label} [{name}]"
    titles = {title.strip().casefold(): title for title in workbook.titles}

    def sheet(table: str) -> Sheet:
        if table.strip().casefold() not in titles:
            raise Unreadable(f"names '{shown(table)}', which is no sheet; add that sheet")
        title = titles[table.strip().casefold()]
        return sheet_of(workbook, title, f"{label} [{title}]")

    def content(findings: Findings) -> dict[str, object] | None:
        return settings_of_sheet(sheet(name), findings) if name in titles else None

    return SettingsSource(place, content, sheet)


def sheet_of(workbook: Workbook, title: str, label: str) -> Sheet:
    """A sheet of a workbook as a table that is not read yet."""
    return Sheet(label, workbook.rows(title), is_text=False)


def write_workbook(system: System, stream: BinaryIO, beside: Additions | None = None) -> None:
    """Write a system, and what is beside it, as a workbook. Raises `InvalidInput` if it has more
    types than a sheet has rows or columns.
    """
    if (
        len(system.task_types) >= limits.WORKBOOK_ROWS
        or len(system.machine_types) >= limits.WORKBOOK_COLUMNS
    ):
        message = (
            f"is too large for a workbook of {limits.WORKBOOK_ROWS:,} rows and "
            f"{limits.WORKBOOK_COLUMNS:,} columns; write .zip or .json"
        )
        raise InvalidInput([Problem("the system", "", "", message)])
    with writing_workbook(stream) as workbook:
        workbook.add_sheet("etc", _matrix_rows(workbook, system, system.etc))
        if system.apc is not None:
            workbook.add_sheet("apc", _matrix_rows(workbook, system, system.apc))
        of_tasks, of_machines = task_columns(system, beside), machine_columns(system, beside)
        tasks = _listing_rows(workbook, "task_type", system.task_names, of_tasks)
        workbook.add_sheet("tasks", tasks)
        machines = _listing_rows(workbook, "machine_type", system.machine_names, of_machines)
        workbook.add_sheet("machines", machines)
        if system.estimated is not None:
            workbook.add_sheet("estimated", _mark_rows(workbook, system, system.estimated))
        if beside is not None:
            for name, settings in beside.settings.items():
                workbook.add_sheet(name, _settings_rows(workbook, settings))


def _matrix_rows(workbook: WorkbookWriter, system: System, values: FloatArray) -> Iterator[str]:
    text = workbook.text_cell
    yield row([text("task_type"), *map(text, system.machine_names)])
    for task, line in zip(system.task_types, values, strict=True):
        cells = (number_cell(v) if math.isfinite(v) else BLANK_CELL for v in line.tolist())
        yield row([text(task.name), *cells])


def _mark_rows(workbook: WorkbookWriter, system: System, estimated: BoolArray) -> Iterator[str]:
    text = workbook.text_cell
    yield row([text("task_type"), *map(text, system.machine_names)])
    for task, line in zip(system.task_types, estimated, strict=True):
        cells = (text(YES) if mark else BLANK_CELL for mark in line.tolist())
        yield row([text(task.name), *cells])


def _listing_rows(
    workbook: WorkbookWriter,
    key: str,
    names: Sequence[str],
    columns: Mapping[str, Sequence[float]],
) -> Iterator[str]:
    text = workbook.text_cell
    yield row(map(text, (key, *columns)))
    for name, *numbers in zip(names, *columns.values(), strict=True):
        cells = (number_cell(n) if math.isfinite(n) else BLANK_CELL for n in numbers)
        yield row([text(name), *cells])


def _settings_rows(workbook: WorkbookWriter, settings: Mapping[str, object]) -> Iterator[str]:
    text = workbook.text_cell
    yield row(map(text, ("key", "value")))
    for key, values in flat(settings):
        cells = (text(v) if isinstance(v, str) else f"<c><v>{v!r}</v></c>" for v in values)
        yield row([text(key), *cells])
