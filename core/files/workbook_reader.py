"""Excel workbooks (.xlsx) read cell by cell, in bounded memory, as rows of text.

Formulas are not evaluated, and their stored results are not used.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from core.files import limits
from core.files.archive import ZipArchive, is_archive
from core.files.findings import Unreadable
from core.files.numbers import StoredNumber, TruthCell, UnusableCell, parse_number
from core.files.sheet import SheetRow

Attributes = dict[str, str]

_CHUNK: Final = 2**16
_DEPTH: Final = 100
_DIFFERENT_NAMES: Final = 10_000


def parse(
    content: bytes,
    start: Callable[[str, Attributes], object],
    end: Callable[[str], object] | None = None,
    text: Callable[[str], object] | None = None,
) -> None:
    """Call back for each element and text; names of elements have no namespace."""
    for _ in parsing(content, start, end, text):
        pass


def parsing(
    content: bytes,
    start: Callable[[str, Attributes], object],
    end: Callable[[str], object] | None = None,
    text: Callable[[str], object] | None = None,
) -> Iterator[None]:
    """`parse` in chunks, with a pause after each."""
    parser = _parser(start, end)
    if text:
        parser.CharacterDataHandler = text
    view = memoryview(content)
    try:
        for position in range(0, len(content), _CHUNK):
            chunk = view[position : position + _CHUNK]
            parser.Parse(chunk, False)
            if position + len(chunk) - parser.CurrentByteIndex > limits.XML_TOKEN_BYTES:
                raise _hostile("has an endless tag")
            yield
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise Unreadable("is a damaged workbook: its XML is broken; save it again") from error
    yield


def _parser(
    start: Callable[[str, Attributes], object], end: Callable[[str], object] | None
) -> expat.XMLParserType:
    """A parser that refuses XML with too many names or elements, or made to be expanded."""
    names: dict[str, str] = {}
    local: dict[str, str] = {}
    depth = declared = elements = 0

    def start_element(tag: str, attributes: Attributes) -> None:
        nonlocal depth, elements
        depth += 1
        elements += 1
        if depth > _DEPTH or len(names) > _DIFFERENT_NAMES or elements > limits.XML_ELEMENTS:
            raise _hostile("is too deep, or has too many names or elements")
        if tag not in local:
            local[tag] = tag.rpartition(" ")[2]
        start(local[tag], attributes)

    def end_element(tag: str) -> None:
        nonlocal depth
        depth -= 1
        if end:
            end(local[tag])

    def declare_namespace(*_: object) -> None:
        nonlocal declared
        declared += 1
        if declared > _DIFFERENT_NAMES:
            raise _hostile("has too many names")

    def declare_type(*_: object) -> None:
        raise _hostile("declares a document type")

    # UTF-8, whatever is declared: Excel always writes it, and expat knows few encodings.
    parser = expat.ParserCreate("utf-8", namespace_separator=" ", intern=names)
    parser.buffer_text = True
    parser.buffer_size = 2 * limits.CELL_CHARACTERS
    parser.StartElementHandler = start_element
    parser.EndElementHandler = end_element
    parser.StartNamespaceDeclHandler = declare_namespace
    parser.StartDoctypeDeclHandler = declare_type
    return parser


def _hostile(why: str) -> Unreadable:
    return Unreadable(f"is a hostile workbook: its XML {why}; save it again")


_DIGITS_SHOWN: Final = 15
_OLD_EXCEL: Final = b"\xd0\xcf\x11\xe0"
_CONTENT_TYPES: Final = "[Content_Types].xml"
_REFERENCE: Final = re.compile(r"([A-Z]{1,3})[0-9]{1,7}")
_ESCAPE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_DATE_FORMATS: Final = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_NOT_DATE_LETTERS: Final = re.compile(r'"[^"]*"|\\.|_.|\[(?![hms]+\])[^\[\]]*\]|general', re.I)
_DATE_LETTERS: Final = re.compile("[ymdhs]", re.I)
_INDEX: Final = re.compile(r"[0-9]{1,9}")

_FORMULA: Final = "holds a formula; copy the cells and paste them as values"
_DATE: Final = "holds a date; format the cell as a number and give the number"
_FAULT: Final = "holds an error of Excel; correct the cell"


def refuse_old_excel(data: bytes) -> None:
    if data.startswith(_OLD_EXCEL):
        raise Unreadable(
            "is an old Excel file, or one with a password; save it as .xlsx without a password"
        )


def is_workbook(archive: ZipArchive) -> bool:
    return _CONTENT_TYPES in archive.names


def has_sheet(data: bytes, title: str) -> bool:
    """Whether content is a workbook with a sheet of this title."""
    if not is_archive(data):
        return False
    try:
        archive = ZipArchive(data)
        return is_workbook(archive) and title in Workbook(archive).titles
    except Unreadable:
        return False


class Workbook:
    """The sheets of a workbook by title; raises `Unreadable` if it is damaged."""

    def __init__(self, archive: ZipArchive) -> None:
        self._archive = archive
        root = self._related("")
        path = next((target for kind, target in root.values() if kind == "officeDocument"), "")
        parts = self._related(path)
        self._sheets: dict[str, str] = {}

        def start(tag: str, attributes: Attributes) -> None:
            if tag == "sheet":
                reference = next((v for k, v in attributes.items() if k.endswith(" id")), "")
                self._sheets[attributes.get("name", "")] = parts.get(reference, ("", ""))[1]

        parse(self._part(path), start)
        by_kind = dict(parts.values())
        self._strings = self._read_strings(by_kind.get("sharedStrings"))
        self._dates = self._read_date_styles(by_kind.get("styles"))

    @property
    def titles(self) -> list[str]:
        return list(self._sheets)

    def rows(self, title: str) -> Iterator[SheetRow]:
        """The stored rows of a sheet, from the first column to the last stored one."""
        content = self._part(self._sheets[title])
        yield from _SheetParser(self._strings, self._dates).rows(content)

    def _part(self, path: str) -> bytes:
        if path not in self._archive.names:
            raise Unreadable("is a damaged workbook: a part is missing; save it again as .xlsx")
        return self._archive.read(path)

    def _related(self, path: str) -> dict[str, tuple[str, str]]:
        """The parts that a part refers to: their kind and path, by reference."""
        folder, name = posixpath.split(path)
        found: dict[str, tuple[str, str]] = {}

        def start(tag: str, attributes: Attributes) -> None:
            if tag == "Relationship":
                kind = attributes.get("Type", "").rpartition("/")[2]
                target = posixpath.join("/", folder, attributes.get("Target", ""))
                found[attributes.get("Id", "")] = kind, posixpath.normpath(target).lstrip("/")

        parse(self._part(posixpath.join(folder, "_rels", f"{name}.rels")), start)
        return found

    def _read_strings(self, path: str | None) -> list[str]:
        if path is None:
            return []
        parser = _StringsParser()
        parse(self._part(path), parser.start, parser.end, parser.text)
        return parser.strings

    def _read_date_styles(self, path: str | None) -> frozenset[str]:
        """The styles that show a number as a date or a time, by index."""
        if path is None:
            return frozenset()
        date_formats = {str(number) for number in _DATE_FORMATS}
        styles: list[str] = []
        inside: list[str] = []

        def start(tag: str, attributes: Attributes) -> None:
            inside.append(tag)
            if tag == "numFmt" and _shows_date(attributes.get("formatCode", "")):
                date_formats.add(attributes.get("numFmtId", ""))
            elif tag == "xf" and "cellXfs" in inside[-2:]:
                styles.append(attributes.get("numFmtId", "0"))

        parse(self._part(path), start, lambda _: inside.pop())
        return frozenset(str(i) for i, style in enumerate(styles) if style in date_formats)


@dataclass
class _StringsParser:
    """The strings that cells share: the text of all runs, without phonetic hints.

    White space around them is removed here, once for all cells that share them.
    """

    strings: list[str] = field(default_factory=list)
    _runs: list[str] = field(default_factory=list)
    _characters: int = 0
    _hints: int = 0
    _collects: bool = False

    def start(self, tag: str, _: Attributes) -> None:
        if tag == "si":
            self._runs.clear()
            self._characters = 0
        elif tag == "rPh":
            self._hints += 1
        self._collects = tag == "t" and not self._hints

    def end(self, tag: str) -> None:
        self._collects = False
        if tag == "rPh":
            self._hints -= 1
        elif tag == "si":
            if len(self.strings) >= limits.SHARED_STRINGS:
                raise Unreadable(f"has more than {limits.SHARED_STRINGS:,} texts; give fewer")
            self.strings.append(unescaped("".join(self._runs)).strip())

    def text(self, data: str) -> None:
        if self._collects:
            self._characters += len(data)
            if self._characters > limits.CELL_CHARACTERS:
                raise Unreadable(
                    f"has a text longer than {limits.CELL_CHARACTERS:,} characters; shorten it"
                )
            self._runs.append(data)


class _SheetParser:
    """Turns the XML of a sheet into rows of text cells."""

    def __init__(self, strings: list[str], date_styles: frozenset[str]) -> None:
        self._strings = strings
        self._date_styles = date_styles
        self._ready: list[SheetRow] = []
        self._rows = self._line = self._placed = 0
        self._cells: list[str] = []
        self._attributes: Attributes = {}
        self._text: list[str] = []
        self._characters_of_cell = 0
        self._collects = self._is_formula = self._has_rows = False
        self._hints = 0
        self._columns: dict[str, int] = {}

    def rows(self, content: bytes) -> Iterator[SheetRow]:
        for _ in parsing(content, self._start, self._end, self._characters):
            yield from self._ready
            self._ready.clear()

    def _start(self, tag: str, attributes: Attributes) -> None:
        if tag == "c":
            self._attributes = attributes
            self._text.clear()
            self._characters_of_cell = 0
            self._is_formula = False
        elif tag in {"v", "t"}:
            self._collects = not self._hints
        elif tag == "f":
            self._is_formula = True
        elif tag == "rPh":
            self._hints += 1
        elif tag == "row":
            self._rows += 1
            if self._rows > limits.LINES:
                raise Unreadable(f"has more than {limits.LINES:,} rows; give fewer")
            stated = attributes.get("r", "")
            self._line = int(stated) if _INDEX.fullmatch(stated) else self._line + 1
            self._cells = []

    def _end(self, tag: str) -> None:
        if tag in {"v", "t"}:
            self._collects = False
        elif tag == "c":
            self._place(self._cell())
        elif tag == "rPh":
            self._hints -= 1
        elif tag == "row":
            self._placed += len(self._cells)
            if self._placed > limits.CELLS:
                raise Unreadable(
                    f"is too large: at most {limits.CELLS:,} cells can be read; clear the cells "
                    "far beside the table"
                )
            self._ready.append(SheetRow(self._line, self._cells))
            self._has_rows |= bool(self._cells)
            self._cells = []

    def _characters(self, data: str) -> None:
        if self._collects:
            self._characters_of_cell += len(data)
            if self._characters_of_cell > limits.CELL_CHARACTERS:
                raise Unreadable(
                    f"line {self._line} has a cell longer than {limits.CELL_CHARACTERS:,} "
                    "characters; shorten it"
                )
            self._text.append(data)

    def _place(self, cell: str) -> None:
        """Put a cell into its column, or into the next one if no column is stated."""
        column = len(self._cells) + 1
        stated = self._attributes.get("r")
        if stated is not None:
            column = self._column(stated)
        if column > limits.COLUMNS:
            raise Unreadable(f"has more than {limits.COLUMNS:,} columns; give fewer")
        if column <= len(self._cells):
            raise Unreadable(f"is a damaged workbook: cells of line {self._line} are out of order")
        if cell:
            self._cells += [""] * (column - len(self._cells) - 1)
            self._cells.append(cell)
        elif stated is None:
            self._cells.append(cell)

    def _column(self, reference: str) -> int:
        found = _REFERENCE.fullmatch(reference)
        if not found:
            raise Unreadable(f"is a damaged workbook: no cell is called '{reference[:20]}'")
        letters = found[1]
        if letters not in self._columns:
            number = 0
            for letter in letters:
                number = 26 * number + ord(letter) - ord("A") + 1
            self._columns[letters] = number
        return self._columns[letters]

    @property
    def _may_be_name(self) -> bool:
        """Whether the cell may be a name: names are in the first row and in the first column."""
        return not self._cells or not self._has_rows

    def _cell(self) -> str:
        text = "".join(self._text)
        kind = self._attributes.get("t", "n")
        if self._is_formula:
            return UnusableCell(_FORMULA)
        if not text:
            return ""
        if kind == "n":
            if self._attributes.get("s") in self._date_styles:
                return UnusableCell(_DATE)
            number = _shortest(text) if self._may_be_name else text
            return StoredNumber(number) if "." in number else number
        if kind == "s":
            return self._shared(text)
        if kind in {"inlineStr", "str"}:
            return unescaped(text)
        if kind == "b":
            return TruthCell(text.strip() == "1")
        return UnusableCell(_DATE) if kind == "d" else UnusableCell(_FAULT)

    def _shared(self, index: str) -> str:
        if not _INDEX.fullmatch(index) or int(index) >= len(self._strings):
            raise Unreadable("is a damaged workbook: a text is missing; save it again as .xlsx")
        return self._strings[int(index)]


def unescaped(text: str) -> str:
    """The text with characters in place of Excel's codes _xHHHH_."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _shortest(number: str) -> str:
    """The number as people write it: Excel stores 0.1 as 0.10000000000000001."""
    if len(number) <= _DIGITS_SHOWN and "E" not in number:
        return number
    value = parse_number(number)
    if value is None:
        return number
    return str(int(value)) if value.is_integer() and 0 < abs(value) < 1e15 else repr(value)


def _shows_date(format_code: str) -> bool:
    return bool(_DATE_LETTERS.search(_NOT_DATE_LETTERS.sub("", format_code)))
