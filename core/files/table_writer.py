"""Writes tables, and settings beside them: a folder of CSV files, an archive, or a workbook."""

import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import BinaryIO, Final

import tomli_w

from core.files.archive import (
    ArchiveWriter,
    write_archive,
    write_file,
    write_lines,
    writing_archive,
)
from core.files.beside import SETTINGS_SUFFIX, flat
from core.files.disk import cannot_write, explained, name_beside
from core.files.sheet import csv_cell
from core.files.tables import YES

BLANK_CELL: Final = "<c/>"
_ESCAPE_LIKE: Final = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_RELATION: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"


class WorkbookWriter:
    """Writes sheets one after the other; `writing_workbook` makes one and completes it."""

    def __init__(self, archive: ArchiveWriter) -> None:
        self._archive = archive
        self._strings: dict[str, int] = {}
        self._titles: list[str] = []

    def text_cell(self, text: str) -> str:
        """A cell of text; equal texts are stored once."""
        index = self._strings.setdefault(text, len(self._strings))
        return f'<c t="s"><v>{index}</v></c>'

    def add_sheet(self, title: str, rows: Iterable[str]) -> None:
        """Add a sheet of rows made by `row`, in parts of one or more rows."""
        self._titles.append(title)
        with self._archive.member(f"xl/worksheets/sheet{len(self._titles)}.xml") as stream:
            stream.write(f'{_DECLARATION}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            write_lines(stream, rows)
            stream.write(b"</sheetData></worksheet>")

    def complete(self) -> None:
        """Write the parts that list the others."""
        self._archive.add("xl/sharedStrings.xml", self._shared_strings())
        numbers = range(1, len(self._titles) + 1)
        sheets = "".join(
            f'<sheet name="{escape(title)}" sheetId="{n}" r:id="rId{n}"/>'
            for n, title in zip(numbers, self._titles, strict=True)
        )
        workbook = f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATION}"><sheets>{sheets}</sheets>'
        self._add("xl/workbook.xml", workbook + "</workbook>")
        parts = [f"worksheets/sheet{n}.xml" for n in numbers]
        kinds = ["worksheet" for _ in numbers]
        self._add_relations(
            "xl/_rels/workbook.xml.rels", [*parts, "sharedStrings.xml"], [*kinds, "sharedStrings"]
        )
        self._add_relations("_rels/.rels", ["xl/workbook.xml"], ["officeDocument"])
        overrides = "".join(
            f'<Override PartName="/xl/{part}" ContentType="{_TYPE}.{kind}+xml"/>'
            for part, kind in [
                ("workbook.xml", "sheet.main"),
                ("sharedStrings.xml", "sharedStrings"),
                *((part, "worksheet") for part in parts),
            ]
        )
        self._add(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types">'
            '<Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>',
        )

    def _shared_strings(self) -> Iterator[str]:
        yield f'{_DECLARATION}<sst xmlns="{_MAIN}">'
        for text in self._strings:
            meant = escape(_ESCAPE_LIKE.sub("_x005F_", text), quote=False)
            yield f'<si><t xml:space="preserve">{meant}</t></si>'
        yield "</sst>"

    def _add_relations(self, name: str, targets: list[str], kinds: list[str]) -> None:
        relations = "".join(
            f'<Relationship Id="rId{n}" Type="{_RELATION}/{kind}" Target="{target}"/>'
            for n, (target, kind) in enumerate(zip(targets, kinds, strict=True), start=1)
        )
        self._add(
            name, f'<Relationships xmlns="{_PACKAGE}/relationships">{relations}</Relationships>'
        )

    def _add(self, name: str, xml: str) -> None:
        self._archive.add(name, [_DECLARATION, xml])


@contextmanager
def writing_workbook(stream: BinaryIO) -> Iterator[WorkbookWriter]:
    with writing_archive(stream) as archive:
        workbook = WorkbookWriter(archive)
        yield workbook
        workbook.complete()


def number_cell(number: object) -> str:
    return f"<c><v>{number!r}</v></c>"


def row(cells: Iterable[str]) -> str:
    return f"<row>{''.join(cells)}</row>"


_WORDS: Final = {"nan": "", "inf": "", "None": "", "False": "", "True": YES}
"""What is written for values that are no numbers: unknown ones are blank."""


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A table to be written: its titles, and rows of texts, numbers, marks (True or False), and
    None, NaN or infinity for what is blank.
    """

    titles: Sequence[str]
    rows: Iterable[Sequence[object]]

    def csv_lines(self) -> Iterator[str]:
        yield ",".join(map(csv_cell, self.titles)) + "\n"
        for cells in self.rows:
            yield ",".join(map(_csv_text, cells)) + "\n"

    def sheet_rows(self, workbook: WorkbookWriter) -> Iterator[str]:
        yield row(map(workbook.text_cell, self.titles))
        for cells in self.rows:
            yield row(_sheet_cell(workbook, cell) for cell in cells)


@dataclass(frozen=True, slots=True)
class WrittenTables:
    """Tables and settings by their names; and other files by their paths in a folder, which a
    workbook does not have.
    """

    tables: Mapping[str, WrittenTable]
    settings: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    others: Mapping[str, Iterable[str]] = field(default_factory=dict)

    def files(self) -> dict[str, Iterable[str]]:
        """CSV and TOML files and the others, by their paths."""
        files: dict[str, Iterable[str]] = {
            f"{name}.csv": table.csv_lines() for name, table in self.tables.items()
        }
        for name, settings in self.settings.items():
            files[f"{name}{SETTINGS_SUFFIX}"] = [tomli_w.dumps(settings)]
        return {**files, **self.others}

    def write_zip(self, stream: BinaryIO) -> None:
        write_archive(stream, self.files())

    def write_workbook(self, stream: BinaryIO) -> None:
        """A sheet for each table and for each group of settings."""
        with writing_workbook(stream) as workbook:
            for name, table in self.tables.items():
                workbook.add_sheet(name, table.sheet_rows(workbook))
            for name, settings in self.settings.items():
                rows = ((key, *values) for key, values in flat(settings))
                workbook.add_sheet(name, WrittenTable(("key", "value"), rows).sheet_rows(workbook))

    def write_folder(self, folder: Path, known: Collection[str], first: str) -> None:
        """A new folder, which appears only when it is complete. In one that has the table `first`,
        each file is replaced as a whole, other files stay, and `known` tables that are not written
        are removed. Any other folder is refused.
        """
        with explained(folder):
            if folder.exists() and any(folder.iterdir()):
                self._replace_files(folder, known, first)
                return
            new = name_beside(folder)
            try:
                new.mkdir()
                for name, lines in self.files().items():
                    (new / name).parent.mkdir(exist_ok=True)
                    with (new / name).open("xb") as stream:
                        write_lines(stream, lines)
                new.replace(folder)
            finally:
                shutil.rmtree(new, ignore_errors=True)

    def _replace_files(self, folder: Path, known: Collection[str], first: str) -> None:
        names = {f"{name}.csv" for name in known}
        old = [path for path in folder.iterdir() if path.name.casefold() in names]
        if not any(path.name.casefold() == f"{first}.csv" for path in old):
            message = f"the folder has other files and no {first}.csv; choose another"
            raise cannot_write(folder, message)
        files = self.files()
        for name, lines in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            write_file(folder / name, lines)
        for path in old:
            if path.name not in files:
                path.unlink()


def _csv_text(cell: object) -> str:
    if isinstance(cell, str):
        return csv_cell(cell)
    text = repr(cell)
    return _WORDS.get(text, text)


def _sheet_cell(workbook: WorkbookWriter, cell: object) -> str:
    text = cell if isinstance(cell, str) else repr(cell)
    if text is not cell:
        if text not in _WORDS:
            return f"<c><v>{text}</v></c>"
        text = _WORDS[text]
    return workbook.text_cell(text) if text else BLANK_CELL
