"""Rows with too many or too few cells: mended where only one reading is possible."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from core.engines.logs.reading.layout import MEMORY, WITHIN, Form, Layout
from core.engines.logs.reading.rejections import AMBIGUOUS, WRONG_CELLS
from core.engines.logs.reading.values import AMOUNT, AMOUNT_1024, DURATION, MOMENT

_AMOUNT: Final = re.compile(rb"-?\d+(\.\d*)?([eE][+-]?\d+)?[KMGTPkmgtp]?")
_BY_KIND: Final[Mapping[int, re.Pattern[bytes]]] = {
    AMOUNT: _AMOUNT,
    AMOUNT_1024: _AMOUNT,
    DURATION: re.compile(rb"(\d+-)?\d+:\d\d(:\d\d)?(\.\d+)?|UNLIMITED|Partition_Limit|INVALID"),
    MOMENT: re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?\S*|\d+|Unknown|None|N/A"),
    MEMORY: re.compile(rb"\d+(\.\d+)?[KMGTP]?[cn]?|\d+\??"),
}
_JOB: Final = re.compile(rb"\d+(_\d+|\+\d+|_\[[\d,.%:-]+\])?(\.[\w+]+)?")
_STATE: Final = re.compile(rb"[A-Z_]{1,30}\+?( by \S+)?")
_LIST: Final = re.compile(rb"[^\[\]=]*(\[[^\[\]=]*\][^\[\]=]*)*")
_ENTRY: Final = re.compile(rb"[\w/:.-]+=[\d.]+[KMGTP]?")
_ANY: Final = re.compile(rb".*", re.DOTALL)
_LINE: Final = re.compile(rb"[^\n]*")
_MOST_LINES: Final = 64
"""Lines that one row may be spread over."""
_TRIES: Final = 32
"""For each byte of a row, so that hostile rows take no more time than their length allows."""

Span = tuple[int, int]
"""First byte, and the byte after the last."""


class Group(NamedTuple):
    """Rows from `first` to before `last` that are one row, or a broken one. If more rows follow,
    the group may be another: then it is not `sure`.
    """

    first: int
    last: int
    sure: bool


def joined(cells: Sequence[int], layout: Layout) -> Iterator[Group]:
    """Runs of neighbours among rows with too few cells that have together the cells of one row. A
    row with too many cells stands by itself.

    `cells` are the numbers of cells of rows that follow each other without a gap.
    """
    before = [0, *accumulate(count - 1 for count in cells)]
    first = 0
    while first < len(cells):
        end = min(first + _MOST_LINES + 1, len(cells))
        if 1 + before[end] - before[first] < layout.cells:
            # No number of lines makes a row: this one is broken.
            yield Group(first, first + 1, end < len(cells) or end - first > _MOST_LINES)
            first += 1
            continue
        together, last = cells[first], first
        while together < layout.cells and last + 1 < len(cells) and last - first < _MOST_LINES:
            if together + cells[last + 1] - 1 > layout.cells:
                break
            last += 1
            together += cells[last] - 1
        sure = together >= layout.cells or last + 1 < len(cells) or last - first == _MOST_LINES
        if together < layout.cells:
            last = first  # no number of lines makes a row: this one is broken
        yield Group(first, last + 1, sure)
        first = last + 1


class Mender:
    """Finds the cells of rows of a layout that have too many or too few of them.

    A separator within a cell of free text makes too many cells, as commas of lists do; a line end
    makes several rows with too few.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._piece = _piece(layout)
        self._long = len({*layout.free, *layout.lists})
        self._ways: list[list[_TypedCell]] = []
        if layout.form is Form.SEPARATED and self._long:
            self._ways = [_columns_of(layout, shapes) for shapes in (layout.shapes, {})]
        named = {cell for name, cell in layout.texts.items() if name == "name"}
        self._needed = {*layout.wanted} - ({*layout.free} - named)

    def mended(self, data: bytes, low: int, high: int) -> list[Span] | str:
        """The cells of the one row in these bytes, which may be several lines; or the reason why
        they cannot be read. What usual cells look like decides first. A cell that can be read in
        several ways is blank, if it is a text that no run needs.
        """
        cells = self.layout.cells
        extra = data.count(self.layout.separator, low, high) + 1 - cells
        tries = (extra + 1) * (cells - self._long + self._long * (extra + 2) / 2)
        if not self._ways or extra < 0 or tries > _TRIES * (high - low):
            return WRONG_CELLS
        pieces = list(self._pieces(data, low, high))
        if len(pieces) < cells:
            return WRONG_CELLS
        for columns in self._ways:
            found = _cells(data, pieces, columns)
            if found is not None:
                if any(span is None and cell in self._needed for cell, span in enumerate(found)):
                    return AMBIGUOUS
                return [span or (low, low) for span in found]
        return WRONG_CELLS

    def _pieces(self, data: bytes, low: int, high: int) -> Iterator[Span]:
        """What is between separators; with quotation marks, between those outside of them."""
        at, width = low, len(self.layout.separator)
        while at <= high:
            if self._piece is None:
                end = data.find(self.layout.separator, at, high)
                end = high if end < 0 else end
                yield at, end
            else:
                match = self._piece.match(data, at, high)
                if match is None:
                    return
                yield match.span(match.lastindex or 1)
                end = match.end()
            at = end + width


class _TypedCell(NamedTuple):
    """What a column takes: the pattern of a cell, None for lists of amounts; and whether that is of
    a cell with the spaces around it. A `free` text may hold separators; so may a `long` cell, and
    behind the `last` of these, no piece may be left over.
    """

    pattern: re.Pattern[bytes] | None
    as_written: bool
    may_be_blank: bool
    free: bool
    long: bool
    last: bool

    def takes(self, text: bytes, more: int) -> bool:
        """Whether it takes the text, within which so many separators are."""
        if not self.as_written:
            text = text.strip()
        if more and self.free and _ENTRY.fullmatch(text.rpartition(b",")[2]):
            return False  # it belongs to the list behind the name
        if self.pattern is None:
            return _is_list_of_amounts(text)
        if not text and self.may_be_blank:
            return True
        return self.pattern.fullmatch(text) is not None


def _cells(
    data: bytes, pieces: Sequence[Span], columns: Sequence[_TypedCell]
) -> list[Span | None] | None:
    """The cells, None for those that differ between the ways to read the row; None if there is no
    way. From the first cell to the last, it is kept how many pieces are left over for those behind.
    """
    extra = len(pieces) - len(columns)
    steps: list[list[tuple[int, int]]] = []
    states = {extra}
    for cell, column in enumerate(columns):
        steps.append([])
        for left in states:
            begin = cell + extra - left
            low = pieces[begin][0]
            for more in range(left if column.last else 0, (left if column.long else 0) + 1):
                if column.takes(data[low : pieces[begin + more][1]], more):
                    steps[-1].append((left, more))
        states = {left - more for left, more in steps[-1]}
    found: list[Span | None] = []
    ends = states & {0}
    for cell in reversed(range(len(columns))):
        ways = [(left, more) for left, more in steps[cell] if left - more in ends]
        if not ways:
            return None
        begin = cell + extra - ways[0][0]
        span = pieces[begin][0], pieces[begin + ways[0][1]][1]
        found.append(span if len(ways) == 1 else None)
        ends = {left for left, _ in ways}
    return found[::-1]


def _columns_of(layout: Layout, shapes: Mapping[int, re.Pattern[bytes]]) -> list[_TypedCell]:
    """What each column takes, with these shapes of usual cells."""
    long = {*layout.free, *layout.lists}
    patterns: dict[int, re.Pattern[bytes] | None] = dict.fromkeys(long, _ANY)
    patterns |= {**shapes, **dict.fromkeys(layout.lists, _LIST)}
    others: dict[int, re.Pattern[bytes] | None] = {
        source.cell: None if source.kind == WITHIN else _BY_KIND[source.kind]
        for sources in layout.sources.values()
        for source in sources
    }
    if "state" in layout.texts:
        others[layout.texts["state"]] = _STATE
    if layout.job is not None:
        others[layout.job] = _JOB
    patterns |= others
    return [
        _TypedCell(
            patterns.get(cell, _LINE),
            cell in shapes and cell not in layout.lists and cell not in others,
            cell != layout.job,
            cell in layout.free,
            cell in long,
            cell == max(long),
        )
        for cell in range(layout.cells)
    ]


def _is_list_of_amounts(text: bytes) -> bool:
    """Whether it is like `cpu=8,mem=32G`: no key comes twice."""
    if not text:
        return True
    entries = [entry.partition(b"=") for entry in text.split(b",")]
    keys = {key for key, equals, _ in entries if key and equals}
    return len(keys) == len(entries)


def _piece(layout: Layout) -> re.Pattern[bytes] | None:
    """A cell that may stand in quotation marks; None if none does."""
    if not layout.quoting:
        return None
    separator = re.escape(layout.separator)
    return re.compile(
        rb'"((?:[^"]|"")*+)"(?=\r?(?:' + separator + rb"|\n|$))|([^" + separator + rb"]*)"
    )
