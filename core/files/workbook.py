"""A system as one Excel workbook with sheets named etc, apc, tasks, machines and estimated."""

import math
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from core.files import limits
from core.files.archive import ZipArchive
from core.files.assembly import Source, read_sources, told_apart
from core.files.beside import SettingsSource, settings_of_sheet
from core.files.findings import Findings, Unreadable, shown
from core.files.headings import SETTINGS
from core.files.marks import YES
from core.files.reading import Read
from core.files.sheet import Sheet
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
    sources, spare = told_apart(sheets, "this sheet is there twice; rename or remove one", findings)
    beside = _settings(workbook, settings, label) if settings else None
    return read_sources(sources, f"{label} [etc]", findings, spare, beside)


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


def write_workbook(system: System, stream: BinaryIO) -> None:
    """Write a system as a workbook. Raises `InvalidInput` if it has more types than a sheet has
    rows or columns.
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
        workbook.add_sheet("tasks", _task_rows(workbook, system))
        workbook.add_sheet("machines", _machine_rows(workbook, system))
        if system.estimated is not None:
            workbook.add_sheet("estimated", _mark_rows(workbook, system, system.estimated))


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


def _task_rows(workbook: WorkbookWriter, system: System) -> Iterator[str]:
    text = workbook.text_cell
    yield row(map(text, ("task_type", "count")))
    for task in system.task_types:
        yield row([text(task.name), number_cell(task.count)])


def _machine_rows(workbook: WorkbookWriter, system: System) -> Iterator[str]:
    text = workbook.text_cell
    yield row(map(text, ("machine_type", "count", "idle_power")))
    for machine in system.machine_types:
        numbers = (number_cell(machine.count), number_cell(float(machine.idle_power)))
        yield row([text(machine.name), *numbers])
