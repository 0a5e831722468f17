"""One table as rows of text cells, whichever format it comes from."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.files import limits
from core.files.findings import Findings, Unreadable, shown_list
from core.files.names import restored


class SheetRow(NamedTuple):
    """The cells of one line; those of a row that is not `whole` cannot be told apart."""

    line: int
    cells: list[str]
    whole: bool = True
    unit: str = "line"

    @property
    def place(self) -> str:
        """What problems call a row without a name."""
        return f"{self.unit} {self.line}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table that is yet to be read, once.

    `is_text` tells CSV, where a row must have all its cells and names may be neutralised formulas,
    from a workbook, where blank cells at the end of a row are not stored and names are plain.
    """

    label: str
    rows: Iterable[SheetRow]
    is_text: bool

    def name(self, cell: str) -> str:
        """The name that a cell holds."""
        return restored(cell.strip()) if self.is_text else cell.strip()

    def fitted_rows(self, findings: Findings, most_rows: int = limits.ROWS) -> Iterator[SheetRow]:
        """The rows that are not blank, the header first, all as wide as the header.

        Raises `Unreadable` past the limits. Blank lines and trailing separators are tolerated with
        a warning; a row that is too short or too long is an error and comes out as it stands, not
        whole.
        """
        blank_lines: list[int] = []
        trailing: list[int] = []
        width = count = 0
        for row in self.rows:
            cells = row.cells
            if not filled_width(cells):
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
            findings.warning(
                self.label, "", "", f"has blank lines (line {shown_list(blank_lines)}); remove them"
            )
        if self.is_text and trailing:
            findings.warning(
                self.label,
                "",
                "",
                f"has separators at the end of lines (line {shown_list(trailing)}); remove them",
            )

    def _report_ragged(self, row: SheetRow, width: int, findings: Findings) -> None:
        cells = len(row.cells)
        if not self.is_text:
            remedy = "clear what is beside the table"
        elif cells > width:
            remedy = (
                "quote names that contain separators, write decimals with a point, and let the "
                "header begin with a cell above the names"
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
