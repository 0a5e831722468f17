"""Rows with too many or too few cells: mended where only one reading is possible."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from core.logs.layout import MEMORY, WITHIN, Form, Layout
from core.logs.values import AMOUNT, AMOUNT_1024, DURATION, MOMENT

_AMOUNT: Final = re.compile(rb"|-?\d+(\.\d*)?([eE][+-]?\d+)?[KMGTPkmgtp]?")
_BY_KIND: Final[Mapping[int, re.Pattern[bytes]]] = {
    AMOUNT: _AMOUNT,
    AMOUNT_1024: _AMOUNT,
    DURATION: re.compile(rb"|(\d+-)?\d+:\d\d(:\d\d)?(\.\d+)?|UNLIMITED|Partition_Limit|INVALID"),
    MOMENT: re.compile(rb"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?\S*|\d+|Unknown|None|N/A"),
    MEMORY: re.compile(rb"|\d+(\.\d+)?[KMGTP]?[cn]?|\d+\??"),
    WITHIN: re.compile(rb"|[\w/:.+-]+=[^=]*(,[\w/:.+-]+=[^=]*)*"),
}
_JOB: Final = re.compile(rb"\d+([_+]\S+)?(\.\w+)?")
_STATE: Final = re.compile(rb"[A-Z_]{1,30}\+?( by \S+)?")
_MOST_LINES: Final = 64
"""Lines that one row may be spread over."""

Span = tuple[int, int]
"""First byte, and the byte after the last."""


def mended(data: bytes, low: int, high: int, layout: Layout) -> list[Span] | None:
    """The cells of the one row in these bytes, which may be several lines; None if they cannot be
    read in exactly one way.

    A separator within a cell of free text makes too many cells; a line end makes several rows with
    too few.
    """
    if layout.form is not Form.SEPARATED or not layout.free:
        return None
    cells = list(_cells(data, low, high, layout.separator))
    extra = len(cells) - layout.cells
    if extra < 0:
        return None
    readings: list[list[Span]] = []
    for free in layout.free:
        merged = [
            *cells[:free],
            (cells[free][0], cells[free + extra][1]),
            *cells[free + extra + 1 :],
        ]
        if merged not in readings and _fits(data, merged, layout):
            readings.append(merged)
    return readings[0] if len(readings) == 1 else None


def joined(cells: Sequence[int], layout: Layout) -> Iterator[tuple[int, int]]:
    """Runs of neighbours among rows with too few cells that have together the cells of one row:
    first row, and the row after the last. A row with too many cells stands by itself.

    `cells` are the numbers of cells of rows that follow each other without a gap.
    """
    first = 0
    while first < len(cells):
        together, last = cells[first], first
        while together < layout.cells and last + 1 < len(cells) and last - first < _MOST_LINES:
            if together + cells[last + 1] - 1 > layout.cells:
                break
            last += 1
            together += cells[last] - 1
        if together < layout.cells:
            last = first  # no number of lines makes a row: this one is broken
        yield first, last + 1
        first = last + 1


def _cells(data: bytes, low: int, high: int, separator: bytes) -> Iterator[Span]:
    at = low
    while True:
        end = data.find(separator, at, high)
        if end < 0:
            yield at, high
            return
        yield at, end
        at = end + 1


def _fits(data: bytes, cells: Sequence[Span], layout: Layout) -> bool:
    """Whether all cells but the free ones look like what their columns have."""

    def text(cell: int) -> bytes:
        return data[slice(*cells[cell])].strip()

    if layout.job is not None and not _JOB.fullmatch(text(layout.job)):
        return False
    if "state" in layout.texts and not _STATE.fullmatch(text(layout.texts["state"])):
        return False
    return all(
        _BY_KIND[source.kind].fullmatch(text(source.cell))
        for sources in layout.sources.values()
        for source in sources
    )
