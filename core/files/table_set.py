"""Tables that belong together, with their settings, in any format, which the content shows: a
folder or an archive of CSV files, a workbook, or a JSON document.
"""

import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from core.files import limits
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


class UnreadTable(NamedTuple):
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


OtherFiles = Mapping[str, Callable[[], bytes]]
"""What reads each of some files, which may raise `Unreadable`, by their paths in a folder."""


@dataclass(frozen=True)
class UnreadTables:
    """The tables that are there, by name, and where the settings are. `others` are the files beside
    them that are looked for.
    """

    label: str
    sheets: Mapping[str, UnreadTable]
    settings: SettingsSource
    others: OtherFiles = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableSet:
    """Which tables and settings belong together as, say, a "workload". A folder of them is known by
    the file `known_by`, a workbook by the sheet of that name, a document by its format and version.

    `may_be_alone` says that a CSV file by itself may be one (`LONE`). Where there is a folder of
    `others`, its files are looked for, and those at the top that `is_other` accepts by name.
    """

    what: str
    tables: Sequence[str]
    settings: str
    known_by: str
    format: str
    version: int
    may_be_alone: bool = False
    others: str = ""
    is_other: Callable[[str], bool] = lambda _: False

    def at(self, path: Path, findings: Findings) -> UnreadTables:
        """The tables at a path: a folder, or a file of one of the formats. May raise
        `Unreadable`.
        """
        if kind_of(path) == stat.S_IFDIR:
            there = {name: name for name in self._file_names() if (path / name).exists()}
            there |= {name: name for name in self._others_in(path)}
            return self._of_files(path.name, there, lambda name: read_file(path / name))
        return self.of_bytes(path.name, read_file(path), findings)

    def of_bytes(self, label: str, data: bytes, findings: Findings) -> UnreadTables:
        """`at` for the content of a file."""
        check_size(data)
        if is_archive(data):
            archive = ZipArchive(data)
            if is_workbook(archive):
                return self._of_workbook(label, Workbook(archive))
            return self._of_files(label, self._members(archive), archive.read)
        refuse_old_excel(data)
        if is_document(data):
            document = parse_json(decode(data, label, findings), label, findings)
            return self.of_document(label, document)
        if not self.may_be_alone:
            raise Unreadable(
                f"is no {self.what}; give a folder with {self.known_by}, a .zip of it, or what "
                "Wattfront wrote"
            )
        lone = {LONE: UnreadTable(label, data=lambda: data)}
        return UnreadTables(label, lone, SettingsSource.absent(label))

    def of_document(self, label: str, document: dict[str, object]) -> UnreadTables:
        """The tables of a JSON document. May raise `Unreadable`."""
        check_format(document, self.format, self.version)
        sheets = {
            name: UnreadTable(place, partial(_document_sheet, place, document[name]))
            for name, place in ((name, f"{label} [{name}]") for name in self.tables)
            if document.get(name) is not None
        }
        source = SettingsSource.of_object(document, self.settings, label)
        return UnreadTables(label, sheets, source, self._others_of_document(document))

    def _file_names(self) -> Iterator[str]:
        yield f"{self.settings}{SETTINGS_SUFFIX}"
        yield from (f"{name}.csv" for name in self.tables)

    def _others_in(self, folder: Path) -> Iterator[str]:
        if not self.others:
            return
        for home, prefix in ((folder, ""), (folder / self.others, f"{self.others}/")):
            if not home.is_dir():
                continue
            for count, path in enumerate(sorted(home.iterdir())):
                if count >= limits.FOLDER_ENTRIES:
                    raise Unreadable(f"holds more than {limits.FOLDER_ENTRIES:,} files; give fewer")
                if (prefix or self.is_other(path.name)) and path.is_file():
                    yield f"{prefix}{path.name}"

    def _others_of(self, places: Iterable[str]) -> Iterator[str]:
        known = set(self._file_names())
        for name in places:
            if name not in known and not PurePosixPath(name).name.startswith("."):
                yield name

    def _others_of_document(self, document: dict[str, object]) -> OtherFiles:
        texts = document.get(self.others) if self.others else None
        if texts is None:
            return {}
        if not isinstance(texts, dict) or not all(isinstance(one, str) for one in texts.values()):
            raise Unreadable(f'has no texts of files in {self.others}; give {{"NAME": "..."}}')
        return {f"{self.others}/{name}": partial(str.encode, text) for name, text in texts.items()}

    def _members(self, archive: ZipArchive) -> dict[str, str]:
        """The places of files by name, in the folder of the archive that has them."""
        known = set(self._file_names())
        paths = [PurePosixPath(name) for name in archive.names]
        homes = sorted({str(path.parent) for path in paths if path.name == self.known_by})
        if len(homes) > 1:
            raise Unreadable(
                f"holds {self.known_by} in several folders ({shown_list(homes)}); keep those of "
                f"one {self.what}"
            )
        found: dict[str, str] = {}
        for path in paths if homes else ():
            parent = str(path.parent)
            if parent == homes[0] and (path.name in known or self.is_other(path.name)):
                found[path.name] = str(path)
            elif self.others and parent == str(PurePosixPath(homes[0], self.others)):
                found[f"{self.others}/{path.name}"] = str(path)
        return found

    def _of_files(
        self, label: str, places: Mapping[str, str], load: Callable[[str], bytes]
    ) -> UnreadTables:
        if self.known_by not in places:
            raise Unreadable(
                f"has no {self.known_by}, so it is no {self.what}; give a folder that has one"
            )
        sheets = {
            name: UnreadTable(f"{name}.csv", data=partial(load, places[f"{name}.csv"]))
            for name in self.tables
            if f"{name}.csv" in places
        }
        name = f"{self.settings}{SETTINGS_SUFFIX}"
        load_settings = partial(load, places[name]) if name in places else None
        others = {name: partial(load, places[name]) for name in self._others_of(places)}
        return UnreadTables(label, sheets, SettingsSource.of_file(name, load_settings), others)

    def _of_workbook(self, label: str, workbook: Workbook) -> UnreadTables:
        titles = {title.strip().casefold(): title for title in workbook.titles}
        first = PurePosixPath(self.known_by).stem
        if first not in titles:
            raise Unreadable(
                f"has no sheet '{first}', so it is no {self.what}, but {shown_list(titles)}; name "
                "one"
            )

        def sheet(name: str) -> Sheet:
            return sheet_of(workbook, titles[name], f"{label} [{titles[name]}]")

        sheets = {
            name: UnreadTable(f"{label} [{titles[name]}]", partial(sheet, name))
            for name in self.tables
            if name in titles
        }
        settings = partial(sheet, self.settings) if self.settings in titles else None
        source = SettingsSource.of_sheet(f"{label} [{self.settings}]", settings)
        return UnreadTables(label, sheets, source)


def _document_sheet(label: str, rows: object) -> Sheet:
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise Unreadable("is not a list of rows; give [[titles], [cells], ...]")
    numbered = enumerate(rows)
    cells = (SheetRow(n, [cell_of(cell) for cell in row], unit="row") for n, row in numbered)
    return Sheet(label, cells, is_text=False)
