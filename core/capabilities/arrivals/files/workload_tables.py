"""Where the tables of a workload are, in any format, which the content shows."""

import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from core.capabilities.arrivals.files.workload_file import (
    SETTINGS,
    TABLES,
    WORKLOAD_FORMAT,
    WORKLOAD_VERSION,
)
from core.files.archive import ZipArchive, is_archive
from core.files.beside import SETTINGS_SUFFIX, SettingsSource
from core.files.columns import ReadColumns, read_columns
from core.files.disk import check_size, kind_of, read_file
from core.files.document import cell_of
from core.files.findings import Findings, Unreadable, shown_list
from core.files.folder import sheet_of
from core.files.schema import Schema
from core.files.sheet import Sheet, SheetRow
from core.files.strict_json import check_format, is_document, parse_json
from core.files.table_file import read_table
from core.files.text import decode, header_of, titles_of
from core.files.workbook_reader import Workbook, is_workbook, refuse_old_excel

SchemaOf = Callable[[Sequence[str]], Schema]
"""The columns of a table with such titles."""
LONE: Final = "jobs alone"
"""The key of a table of jobs that is a file by itself."""


class WorkloadTable(NamedTuple):
    """A table that is not read yet: where it is, and its rows, or the bytes of its CSV file. Both
    may raise `Unreadable`.
    """

    label: str
    sheet: Callable[[], Sheet] | None = None
    data: Callable[[], bytes] | None = None

    def columns(
        self, schema_of: SchemaOf, findings: Findings, most: int | None = None
    ) -> ReadColumns | None:
        """The columns of the table, which its titles may decide; None if one that it must have is
        missing. It may have up to `most` rows.
        """
        if self.sheet is not None:
            sheet = self.sheet()
            rows = iter(sheet.rows)
            header = [*islice(rows, 1)]
            titles = [str(cell).strip() for row in header for cell in row.cells]
            whole = replace(sheet, rows=chain(header, rows))
            return read_columns(whole, schema_of(titles), findings, most)
        data = b"" if self.data is None else self.data()
        return read_table(self.label, data, schema_of(header_of(data)), findings, "jobs", most)

    def has(self, columns: Sequence[str]) -> bool:
        """Whether a CSV file has these columns; only its first bytes are looked at."""
        return self.data is not None and titles_of(self.data()).issuperset(columns)


@dataclass(frozen=True)
class WorkloadTables:
    """The tables that are there, by name, and where the settings are."""

    label: str
    sheets: Mapping[str, WorkloadTable]
    settings: SettingsSource


def tables_at(path: Path, findings: Findings) -> WorkloadTables:
    """The tables at a path: a folder, or a file of one of the formats. May raise `Unreadable`."""
    if kind_of(path) == stat.S_IFDIR:
        there = {name for name in _file_names() if (path / name).exists()}
        places = {name: name for name in there}
        return _of_files(path.name, places, lambda name: read_file(path / name))
    return tables_of_bytes(path.name, read_file(path), findings)


def tables_of_bytes(label: str, data: bytes, findings: Findings) -> WorkloadTables:
    """`tables_at` for the content of a file."""
    check_size(data)
    if is_archive(data):
        archive = ZipArchive(data)
        if is_workbook(archive):
            return _of_workbook(label, Workbook(archive))
        return _of_files(label, _members(archive), archive.read)
    refuse_old_excel(data)
    if is_document(data):
        return tables_of_document(label, parse_json(decode(data, label, findings), label, findings))
    lone = {LONE: WorkloadTable(label, data=lambda: data)}
    return WorkloadTables(label, lone, SettingsSource.absent(label))


def _file_names() -> Iterator[str]:
    yield f"{SETTINGS}{SETTINGS_SUFFIX}"
    yield from (f"{name}.csv" for name in TABLES)


def _members(archive: ZipArchive) -> dict[str, str]:
    """The places of files by name, in the folder of the archive that has a workload."""
    known = set(_file_names())
    paths = [PurePosixPath(name) for name in archive.names]
    homes = sorted({str(path.parent) for path in paths if path.name == "jobs.csv"})
    if len(homes) > 1:
        raise Unreadable(
            f"holds jobs.csv in several folders ({shown_list(homes)}); keep those of one workload"
        )
    return {p.name: str(p) for p in paths if str(p.parent) in homes and p.name in known}


def _of_files(
    label: str, places: Mapping[str, str], load: Callable[[str], bytes]
) -> WorkloadTables:
    if "jobs.csv" not in places:
        raise Unreadable("has no jobs.csv, so it is no workload; give a folder that has one")

    sheets = {
        name: WorkloadTable(f"{name}.csv", data=partial(load, places[f"{name}.csv"]))
        for name in TABLES
        if f"{name}.csv" in places
    }
    name = f"{SETTINGS}{SETTINGS_SUFFIX}"
    load_settings = partial(load, places[name]) if name in places else None
    return WorkloadTables(label, sheets, SettingsSource.of_file(name, load_settings))


def _of_workbook(label: str, workbook: Workbook) -> WorkloadTables:
    titles = {title.strip().casefold(): title for title in workbook.titles}
    if "jobs" not in titles:
        raise Unreadable(
            f"has no sheet 'jobs', so it is no workload, but {shown_list(titles)}; name one"
        )

    def sheet(name: str) -> Sheet:
        return sheet_of(workbook, titles[name], f"{label} [{titles[name]}]")

    sheets = {
        name: WorkloadTable(f"{label} [{titles[name]}]", partial(sheet, name))
        for name in TABLES
        if name in titles
    }
    settings = partial(sheet, SETTINGS) if SETTINGS in titles else None
    source = SettingsSource.of_sheet(f"{label} [{SETTINGS}]", settings)
    return WorkloadTables(label, sheets, source)


def tables_of_document(label: str, document: dict[str, object]) -> WorkloadTables:
    """The tables of a JSON document. May raise `Unreadable`."""
    check_format(document, WORKLOAD_FORMAT, WORKLOAD_VERSION)

    sheets = {
        name: WorkloadTable(place, partial(_document_sheet, place, document[name]))
        for name, place in ((name, f"{label} [{name}]") for name in TABLES)
        if document.get(name) is not None
    }
    return WorkloadTables(label, sheets, SettingsSource.of_object(document, SETTINGS, label))


def _document_sheet(label: str, rows: object) -> Sheet:
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise Unreadable("is not a list of rows; give [[titles], [cells], ...]")
    numbered = enumerate(rows)
    cells = (SheetRow(n, [cell_of(cell) for cell in row], unit="row") for n, row in numbered)
    return Sheet(label, cells, is_text=False)
