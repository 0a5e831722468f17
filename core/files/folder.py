"""A system as CSV files, in a folder or in a zip archive."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath

from core.files import limits
from core.files.archive import ZipArchive
from core.files.assembly import Read, read_sources
from core.files.beside import SETTINGS_SUFFIX, SettingsSource
from core.files.disk import read_file
from core.files.findings import Findings, Unreadable, shown, shown_list
from core.files.headings import SETTINGS, TableName, table_called
from core.files.raw_table import Source, told_apart
from core.files.sheet import Sheet
from core.files.stated_units import one_table_said
from core.files.text import decode, sheet_of_text
from core.files.workbook_reader import Workbook


def read_folder(folder: Path, findings: Findings, settings: str = "") -> Read:
    """The system of the CSV files in a folder. CSV files whose names are not those of tables are
    reported, and all other files, too. With `settings`, its parts, and the settings of that name.
    """
    names = [path.name for path in _files(folder)]
    files = _Files({name: name for name in names}, lambda name: read_file(folder / name), findings)
    others = (name for name in names if not _is_csv(name) and not name.startswith("."))
    findings.unread += _without_settings(others)
    return files.read(filter(_is_csv, names), settings)


def read_archive(archive: ZipArchive, findings: Findings, settings: str = "") -> Read:
    """The system of the CSV files in a zip archive, at its top or in one folder. All other files
    are reported. With `settings`, its parts, and the settings of that name in the same folder.
    """
    paths = [PurePosixPath(name) for name in archive.names]
    tables = [path for path in paths if _is_csv(path.name) and not _is_hidden(path)]
    folders = sorted({str(path.parent) for path in tables if table_called(path.stem)})
    tables = [path for path in tables if not folders or str(path.parent) in folders]
    if len(folders) > 1:
        raise Unreadable(
            f"holds tables in several folders ({shown_list(folders)}); keep those of one system"
        )
    home = {str(path.parent) for path in tables}
    members = {path.name: str(path) for path in paths if str(path.parent) in home}
    files = _Files(members, archive.read, findings)
    others = (path for path in paths if path not in tables and not _is_hidden(path))
    findings.unread += _without_settings(map(str, others))
    return files.read([path.name for path in tables], settings)


def table_of_file(name: str) -> TableName | None:
    """The kind of table that the name of a CSV file says, at least by a word of one kind."""
    stem = PurePosixPath(name).stem
    return table_called(stem) or one_table_said(stem)


def those_of_one_system(files: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    """The last of some files, in the order in which a person chose them, and those that go with it:
    CSV files of other tables. A later file of the same table takes the place of an earlier one.
    """
    chosen: dict[str, bytes] = {}
    for name, data in files:
        kind = table_of_file(name)
        chosen = {
            other: content
            for other, content in chosen.items()
            if _is_csv(name) and _is_csv(other) and (kind is None or table_of_file(other) != kind)
        }
        chosen[name] = data
    return chosen


def read_files(files: Mapping[str, bytes], findings: Findings) -> Read:
    """The system of CSV files that a person chose together, such as one of times and one of powers.

    A name that says no kind of table is understood if it has a word of one kind, as `my_power_kw`,
    and no other file is of that kind.
    """
    tables = [name for name in files if _is_csv(name)]
    if not tables:
        raise Unreadable(
            f"are several files ({shown_list(files)}); give one system: one file, or the .csv "
            "files of its tables"
        )
    kinds: dict[str, list[str]] = {}
    for name in tables:
        kinds.setdefault(table_of_file(name) or "", []).append(name)
    called = {names[0]: kind for kind, names in kinds.items() if kind and len(names) == 1}
    findings.unread += _without_settings(name for name in files if name not in tables)
    places = {name: name for name in files}
    return _Files(places, files.__getitem__, findings, called).read(tables, "")


def csv_source(label: str, load: Callable[[], bytes], findings: Findings) -> Source:
    """The table in one CSV file, not read yet."""

    def sheet() -> Sheet:
        return sheet_of_text(decode(load(), label, findings), label, findings)

    return Source(label, sheet)


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of a folder by name: where each is, and how it is read. `called` are those whose
    table is known whatever their names.
    """

    places: Mapping[str, str]
    load: Callable[[str], bytes]
    findings: Findings
    called: Mapping[str, str] = field(default_factory=dict)

    def read(self, tables: Iterable[str], settings: str) -> Read:
        """The system of the files that may be tables; or its parts, if settings have a name."""
        called = self.called
        named = [
            (called.get(name, PurePosixPath(name).stem), self._source(name)) for name in tables
        ]
        twice = "is there twice, with another spelling; remove one of them"
        beside = {name: self._settings(f"{name}{SETTINGS_SUFFIX}") for name in SETTINGS}
        sources, spare = told_apart(named, [*beside.values()], twice, self.findings)
        return read_sources(sources, "etc.csv", self.findings, spare, beside.get(settings))

    def _source(self, name: str) -> Source:
        load = partial(self.load, self.places[name])
        return csv_source(name, load, self.findings)._replace(name=name)

    def _settings(self, name: str) -> SettingsSource:
        def sheet(table: str) -> Sheet:
            if table not in self.places:
                raise Unreadable(f"names '{shown(table)}', which is not beside it; add that file")
            return self._source(table).sheet()

        there = name in self.places
        load = partial(self.load, self.places[name]) if there else None
        return SettingsSource.of_file(name, load, sheet)


def _without_settings(names: Iterable[str]) -> tuple[str, ...]:
    known = {f"{name}{SETTINGS_SUFFIX}" for name in SETTINGS}
    return tuple(name for name in names if PurePosixPath(name).name not in known)


def _files(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in islice(entries, limits.FOLDER_ENTRIES + 1)]
    except OSError as error:
        raise Unreadable(f"cannot be read ({error.strerror}); check its permissions") from error
    if len(names) > limits.FOLDER_ENTRIES:
        raise Unreadable(
            f"has more than {limits.FOLDER_ENTRIES:,} entries; put the tables in their own folder"
        )
    return [folder / name for name in sorted(names)]


def _is_csv(name: str) -> bool:
    return name.casefold().endswith(".csv") and not name.startswith(".")


def _is_hidden(path: PurePosixPath) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in path.parts)


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

    return SettingsSource.of_sheet(place, partial(sheet, name) if name in titles else None, sheet)


def sheet_of(workbook: Workbook, title: str, label: str) -> Sheet:
    """A sheet of a workbook as a table that is not read yet."""
    return Sheet(label, workbook.rows(title), is_text=False)
