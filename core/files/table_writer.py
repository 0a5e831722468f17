"""Writes tables, and settings beside them: a folder of CSV files, an archive, or a workbook."""

import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

import tomli_w

from core.files.archive import write_archive, write_lines
from core.files.beside import SETTINGS_SUFFIX, flat
from core.files.disk import cannot_write, explained, name_beside, replacing
from core.files.marks import YES
from core.files.names import csv_cell
from core.files.workbook_writer import (
    BLANK_CELL,
    WorkbookWriter,
    number_cell,
    row,
    writing_workbook,
)

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
    """Tables and settings by their names."""

    tables: Mapping[str, WrittenTable]
    settings: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    def files(self) -> dict[str, Iterable[str]]:
        """CSV and TOML files, by name."""
        files: dict[str, Iterable[str]] = {
            f"{name}.csv": table.csv_lines() for name, table in self.tables.items()
        }
        for name, settings in self.settings.items():
            files[f"{name}{SETTINGS_SUFFIX}"] = [tomli_w.dumps(settings)]
        return files

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
            with replacing(folder / name) as stream:
                write_lines(stream, lines)
        for path in old:
            if path.name not in files:
                path.unlink()


def _csv_text(cell: object) -> str:
    if isinstance(cell, str):
        return csv_cell(cell)
    text = repr(cell)
    return _WORDS.get(text, text)


def _sheet_cell(workbook: WorkbookWriter, cell: object) -> str:
    text = cell if isinstance(cell, str) else _WORDS.get(repr(cell))
    if text is None:
        return number_cell(cell)
    return workbook.text_cell(text) if text else BLANK_CELL
