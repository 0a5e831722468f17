"""Rows with too many or too few cells: mended where only one reading is possible."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from core.logs.layout import MEMORY, WITHIN, Form, Layout
from core.logs.values import AMOUNT, AMOUNT_1024, DURATION, MOMENT

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


def mended(data: bytes, low: int, high: int, layout: Layout) -> list[Span] | None:
    """The cells of the one row in these bytes, which may be several lines; None if they cannot be
    read in exactly one way.

    A separator within a cell of free text makes too many cells, as commas of lists do; a line end
    makes several rows with too few.
    """
    if layout.form is not Form.SEPARATED or not (layout.free or layout.lists):
        return None
    extra = data.count(layout.separator, low, high) + 1 - layout.cells
    long = len({*layout.free, *layout.lists})
    tries = (extra + 1) * (layout.cells - long + long * (extra + 2) / 2)
    if extra < 0 or tries > _TRIES * (high - low):
        return None
    pieces = list(_pieces(data, low, high, layout))
    if len(pieces) < layout.cells:
        return None
    return _Reading(data, pieces, layout).cells()


class _Reading:
    """Finds which pieces between separators make the cells of a row."""

    def __init__(self, data: bytes, pieces: Sequence[Span], layout: Layout) -> None:
        self._data, self._pieces, self._layout = data, pieces, layout
        self._patterns = _patterns_of(layout)
        self._long = {*layout.free, *layout.lists}

    def cells(self) -> list[Span] | None:
        """The cells, if there is exactly one way. From the last cell to the first, the number of
        ways (at most 2) to read what follows is kept for each number of pieces left over.
        """
        extra = len(self._pieces) - self._layout.cells
        ways = [1] + [0] * extra
        taken: list[list[int]] = []
        for cell in reversed(range(self._layout.cells)):
            now, took = [0] * (extra + 1), [0] * (extra + 1)
            for left in range(extra + 1):
                begin = cell + extra - left
                for more in range(left + 1 if cell in self._long else 1):
                    if ways[left - more] and self._fits(cell, begin, more):
                        now[left] = min(now[left] + ways[left - more], 2)
                        took[left] = more
            ways = now
            taken.append(took)
        if ways[extra] != 1:
            return None
        found, begin, left = [], 0, extra
        for took in reversed(taken):
            more = took[left]
            found.append((self._pieces[begin][0], self._pieces[begin + more][1]))
            begin, left = begin + more + 1, left - more
        return found

    def _fits(self, cell: int, begin: int, more: int) -> bool:
        text = self._data[self._pieces[begin][0] : self._pieces[begin + more][1]].strip()
        if more and cell in self._layout.free and _ENTRY.fullmatch(text.rpartition(b",")[2]):
            return False  # it belongs to the list behind the name
        pattern = self._patterns.get(cell, _ANY if cell in self._long else _LINE)
        if pattern is None:
            return _is_list_of_amounts(text)
        if not text and cell != self._layout.job:
            return True
        return pattern.fullmatch(text) is not None


def _patterns_of(layout: Layout) -> dict[int, re.Pattern[bytes] | None]:
    """What the cells of each column look like; None for lists of amounts."""
    found: dict[int, re.Pattern[bytes] | None] = dict.fromkeys(layout.lists, _LIST)
    for sources in layout.sources.values():
        for source in sources:
            found[source.cell] = None if source.kind == WITHIN else _BY_KIND[source.kind]
    if "state" in layout.texts:
        found[layout.texts["state"]] = _STATE
    if layout.job is not None:
        found[layout.job] = _JOB
    return found


def _is_list_of_amounts(text: bytes) -> bool:
    """Whether it is like `cpu=8,mem=32G`: no key comes twice."""
    if not text:
        return True
    entries = [entry.partition(b"=") for entry in text.split(b",")]
    keys = {key for key, equals, _ in entries if key and equals}
    return len(keys) == len(entries)


def _pieces(data: bytes, low: int, high: int, layout: Layout) -> Iterator[Span]:
    """What is between separators; with quotation marks, between those outside of them."""
    separator = re.escape(layout.separator)
    quoted = rb'"((?:[^"]|"")*+)"(?=\r?(?:' + separator + rb"|\n|$))|" if layout.quoting else b""
    piece = re.compile(quoted + rb"([^" + separator + rb"]*)")
    at = low
    while at <= high:
        match = piece.match(data, at, high)
        if match is None:
            return
        yield match.span(match.lastindex or 1)
        at = match.end() + 1
