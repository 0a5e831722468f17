"""Excel workbooks (.xlsx) written as a stream: exact numbers, and names that are never formulas.

Cells have no reference of their own, so that equal rows have equal text; readers then place each
cell to the right of the last.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html import escape
from typing import BinaryIO, Final

from core.files.archive import ArchiveWriter, write_lines, writing_archive

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
