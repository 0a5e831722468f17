"""CSV: rows of cells separated by commas, semicolons or tabs, with quotes as in RFC 4180."""

import csv
import re
from collections.abc import Iterator
from typing import Final

from core.files import limits
from core.files.findings import Findings, Unreadable
from core.files.sheet import Sheet, SheetRow
from core.files.text import TextLines, first_lines

DELIMITERS: Final = ",;\t"
LINES_LOOKED_AT: Final = 10
_HEAD: Final = 1_000
_QUOTED: Final = re.compile(r'"[^"]*"')


def has_delimiter(line: str) -> bool:
    """Whether a line has more than one cell."""
    return any(line.count(mark) for mark in DELIMITERS)


def titles_of(data: bytes) -> frozenset[str]:
    """The titles in the first line of a CSV file, in small letters. Only its first bytes are looked
    at.
    """
    line = data[:_HEAD].partition(b"\n")[0].decode("utf-8", "replace")
    for mark in DELIMITERS:
        line = line.replace(mark, ",")
    return frozenset(title.strip(' "\r\ufeff').casefold() for title in line.split(","))


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
