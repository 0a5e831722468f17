"""One table as rows of text cells, from any format."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from core.files import limits
from core.files.findings import Findings, Unreadable, shown_list
from core.files.numbers import UnusableCell

LINES: Final = ("line", "row")
"""Rows of these units may be blank; an object of a document is a row whatever it holds."""


class SheetRow(NamedTuple):
    """The cells of one line; in a row that is not `whole` they cannot be told apart."""

    line: int
    cells: list[str]
    whole: bool = True
    unit: str = "line"

    @property
    def place(self) -> str:
        """The name of the row in problems, if it has no other."""
        return f"{self.unit} {self.line}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table that is not read yet; it can be read once.

    `is_text` is true for CSV, where a row must have all its cells and names may be neutralised
    formulas. It is false for a workbook, where blank cells at the end of a row are not stored and
    names are plain. `titles` are the name of its file or sheet and the lines above it: they may
    say what it holds, and in which unit. A `lone` table came without others, under a name that says
    no kind of table, so it may hold times or powers.
    """

    label: str
    rows: Iterable[SheetRow]
    is_text: bool
    titles: tuple[str, ...] = ()
    lone: bool = False

    def name(self, cell: str) -> str:
        """The name in a cell; blank if it can be none."""
        if isinstance(cell, UnusableCell):
            return ""
        return restored(cell.strip()) if self.is_text else cell.strip()

    def fitted_rows(self, findings: Findings, most_rows: int = limits.ROWS) -> Iterator[SheetRow]:
        """The rows that are not blank, the header first, all as wide as the header.

        Raises `Unreadable` beyond the limits. Blank lines and separators at the end of lines cause
        a warning. A row that is too short or too long is an error, and is returned unchanged, as
        not `whole`.
        """
        blank_lines: list[int] = []
        trailing: list[int] = []
        width = count = 0
        for row in self.rows:
            cells = row.cells
            if not filled_width(cells) and row.unit in LINES:
                blank_lines.append(row.line)
                continue
            if not width:
                width = filled_width(cells)
                if width > limits.COLUMNS:
                    raise Unreadable(
                        f"has {width:,} columns; at most {limits.COLUMNS:,} can be read"
                    )
            count += 1
            if count > most_rows + 1 or count * width > limits.CELLS:
                raise Unreadable(
                    f"is too large: at most {most_rows:,} rows and {limits.CELLS:,} cells can be "
                    "read"
                )
            if len(cells) == width:
                yield row
            elif len(cells) > width and filled_width(cells) <= width:
                trailing.append(row.line)
                yield SheetRow(row.line, cells[:width])
            elif len(cells) < width and not self.is_text:
                yield SheetRow(row.line, cells + [""] * (width - len(cells)))
            else:
                self._report_ragged(row, width, findings)
                yield row._replace(whole=False)
        if self.is_text and blank_lines:
            findings.file_warning(
                self.label, f"has blank lines (line {shown_list(blank_lines)}); remove them"
            )
        if self.is_text and trailing:
            findings.file_warning(
                self.label,
                f"has separators at the end of lines (line {shown_list(trailing)}); remove them",
            )

    def _report_ragged(self, row: SheetRow, width: int, findings: Findings) -> None:
        cells = len(row.cells)
        if not self.is_text:
            remedy = "clear the cells beside the table"
        elif cells > width:
            remedy = (
                "quote names that contain separators, write decimals with a point, and begin the "
                "header with a cell above the names"
            )
        else:
            remedy = "keep the separators around blank cells"
        findings.error(
            self.label,
            self.name(row.cells[0]) or row.place,
            "",
            f"{row.place} has {cells:,} cells, but the header has {width:,}; {remedy}",
        )


def filled_width(cells: Sequence[str]) -> int:
    """The number of cells up to the last that is not blank."""
    width = len(cells)
    while width and not cells[width - 1].strip():
        width -= 1
    return width


_FORMULA: Final = re.compile(r"'*[=+\-@]")
_NEUTRALISED: Final = re.compile(r"'+[=+\-@]")
_NEEDS_QUOTES: Final = re.compile(r"[,;\t\"\s]")


def neutralised(name: str) -> str:
    """The name as a text that no spreadsheet runs as a formula."""
    return "'" + name if _FORMULA.match(name) else name


def restored(text: str) -> str:
    """The name whose neutralised form is `text`."""
    return text[1:] if _NEUTRALISED.match(text) else text


def csv_cell(name: str) -> str:
    """The name as a cell of a CSV file of any delimiter."""
    text = neutralised(name)
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text
