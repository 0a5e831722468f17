"""Turns bytes into text: encodings are recognised, never guessed, and lines are counted."""

import codecs
import csv
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from core.files import limits
from core.files.findings import Findings, Unreadable, shown_list
from core.files.sheet import Sheet, SheetRow

# The longest first, because the mark of UTF-32 begins with that of UTF-16.
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UTF8_CHARACTER: Final = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_LINES_NAMED: Final = 5


def decode(data: bytes, label: str, findings: Findings) -> str:
    """The text of a file; raises `Unreadable` if its encoding is not clear."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_marked(data[len(mark) :], encoding, label, findings)
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise Unreadable(
            f"holds a NUL byte (line {line}), so it is not plain text; "
            f"save it as {_kind(label)} in UTF-8"
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_windows(data, label, findings)


def _kind(label: str) -> str:
    """What a file of this name is to be."""
    return "plain text" if label.casefold().endswith((".toml", ".json")) else "CSV"


class TextLines(Iterator[str]):
    """The lines of a text, which may end in LF, CRLF or CR; each is returned with LF."""

    def __init__(self, text: str) -> None:
        self._text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._position = self._read_again = 0
        self._record_start = self._record_number = 0
        self.number = 0

    def __next__(self) -> str:
        if self._position >= len(self._text):
            raise StopIteration
        if self.number >= limits.LINES:
            raise Unreadable(f"has more than {limits.LINES:,} lines; check that it is the file")
        start = self._position
        self._position = self._text.find("\n", start) + 1 or len(self._text)
        self.number += 1
        if self._position - self._record_start > limits.RECORD_CHARACTERS:
            raise Unreadable(
                f"line {self.number} is longer than {limits.RECORD_CHARACTERS:,} characters, or "
                "follows a quotation mark that is not closed; check that it is the file"
            )
        return self._text[start : self._position]

    def begin_record(self) -> None:
        """Begin a record, which may have one or more lines, at the next line."""
        self._record_start, self._record_number = self._position, self.number

    def skip_first_line_of_record(self) -> None:
        """Give up the current record, and continue with the line after its first.

        Raises `Unreadable` if too much of the text would be read again.
        """
        end = self._position
        self._position, self.number = self._record_start, self._record_number
        next(self)
        self.begin_record()
        self._read_again += end - self._position
        if self._read_again > limits.TIMES_READ_AGAIN * len(self._text):
            raise Unreadable("has many quotation marks that are not closed; correct those first")


def first_lines(text: str, count: int) -> list[str]:
    """The first lines that are not blank, without white space around them, except tabs in front."""
    found: list[str] = []
    lines = TextLines(text)
    for line in lines:
        if line.strip():
            found.append(line.rstrip().lstrip(" "))
        if len(found) == count:
            break
        lines.begin_record()
    return found


def _decode_marked(data: bytes, encoding: str, label: str, findings: Findings) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"begins with the byte-order mark of {encoding.upper()}, but is not {encoding.upper()} "
            "throughout; save it as UTF-8"
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Unreadable(f"holds a NUL character (line {line}); save it as {_kind(label)} in UTF-8")
    findings.warning(
        label,
        "line 1",
        "",
        f"begins with a byte-order mark; it was read as {encoding.upper()}. Save it as UTF-8 "
        "without the mark",
    )
    return text


def _decode_windows(data: bytes, label: str, findings: Findings) -> str:
    """The text of bytes that are not UTF-8, if they can only be Windows-1252."""
    if _UTF8_CHARACTER.search(data):
        raise Unreadable(
            f"mixes encodings: UTF-8, but not in {_undecodable_lines(data)}; save it as UTF-8 "
            "throughout"
        )
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"is neither UTF-8 nor Windows-1252 ({_undecodable_lines(data)}); save it as UTF-8"
        ) from error
    findings.file_warning(
        label,
        f"is not UTF-8 ({_undecodable_lines(data)}); it was read as Windows-1252. Check the names, "
        "and save it as UTF-8",
    )
    return text


def _undecodable_lines(data: bytes) -> str:
    numbers = list(islice(_line_numbers_not_utf8(data), _LINES_NAMED + 1))
    more = " and more" if len(numbers) > _LINES_NAMED else ""
    return f"line {shown_list(numbers[:_LINES_NAMED])}{more}"


def _line_numbers_not_utf8(data: bytes) -> Iterator[int]:
    """The lines that are not UTF-8; each takes one pass over the rest of the bytes."""
    view = memoryview(data)
    number, start = 1, 0
    while True:
        try:
            codecs.utf_8_decode(view[start:], "strict", True)
        except UnicodeDecodeError as error:
            fault = start + error.start
        else:
            return
        number += _line_ends(data, start, fault)
        yield number
        ends = (data.find(end, fault) for end in (b"\n", b"\r"))
        start = min((end for end in ends if end >= 0), default=len(data))


def _line_ends(data: bytes, start: int, end: int) -> int:
    """How many lines end between two positions, with LF, CRLF or CR."""
    both = data.count(b"\r\n", start, end)
    return data.count(b"\n", start, end) + data.count(b"\r", start, end) - both


DELIMITERS: Final = ",;\t"
LINES_LOOKED_AT: Final = 10
_HEAD: Final = 1_000
_QUOTED: Final = re.compile(r'"[^"]*"')


def has_delimiter(line: str) -> bool:
    """Whether a line has more than one cell."""
    return any(line.count(mark) for mark in DELIMITERS)


def header_of(data: bytes) -> list[str]:
    """The titles in the first line of a CSV file, from its first bytes."""
    line = data[:_HEAD].partition(b"\n")[0].decode("utf-8", "replace")
    for mark in DELIMITERS:
        line = line.replace(mark, ",")
    return [title.strip(' "\r\ufeff') for title in line.split(",")]


def titles_of(data: bytes) -> frozenset[str]:
    """The titles of `header_of`, in small letters."""
    return frozenset(map(str.casefold, header_of(data)))


def sheet_of_text(text: str, label: str, findings: Findings) -> Sheet:
    """The table in a text."""
    return Sheet(label, _records(text, label, findings), is_text=True)


def _records(text: str, label: str, findings: Findings) -> Iterator[SheetRow]:
    """The rows of a text. A record with wrong quotation marks is reported, and reading continues on
    the next line.
    """
    delimiter = _delimiter(text)
    lines = TextLines(text)
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    while True:
        lines.begin_record()
        first_line = lines.number + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            findings.error(label, f"line {first_line}", "", _csv_fault(error))
            if findings.full:
                raise Unreadable(
                    "has too many wrong quotation marks; correct those first"
                ) from error
            lines.skip_first_line_of_record()
            reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
        else:
            yield SheetRow(first_line, cells)


def _delimiter(text: str) -> str:
    """The separator of the first line that has more than one cell; titles may be above it."""
    for line in first_lines(text, LINES_LOOKED_AT):
        outside_quotes = _QUOTED.sub("", line)
        if has_delimiter(outside_quotes):
            return max(DELIMITERS, key=outside_quotes.count)
    return DELIMITERS[0]


def _csv_fault(error: csv.Error) -> str:
    if "field limit" in str(error):
        return (
            f"a cell is longer than {limits.CELL_CHARACTERS:,} characters; shorten it, or close "
            "the quotation marks"
        )
    return (
        "a quotation mark is not closed, or text follows the closing one; close it, and double "
        'the quotation marks inside a quoted cell: "a ""b"" c"'
    )
