"""Cuts blocks of bytes into rows and cells, without copying them: kernels."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from core.engines.compute.compiled import Kernel
from core.engines.logs.reading.limits import QUOTED_BYTES, ROW_BYTES
from core.vocabulary.arrays import IntArray

NEWLINE: Final = 10
RETURN: Final = 13
SPACE: Final = 32
TAB: Final = 9
QUOTE: Final = 34

OPEN: Final = -1
NOT_QUOTED: Final = -2

BoundsArray = npt.NDArray[np.int32]


class Cuts(NamedTuple):
    """Where the rows and cells of a block are.

    Row r is the bytes `row_from[r]` to `row_to[r]`, on line `line[r]` (of the block, counted from
    0), and has `cells[r]` cells. Wanted cell k of row r is the bytes `low[k, r]` to
    `high[k, r]`, without quotation marks and spaces around it.
    """

    row_from: BoundsArray
    row_to: BoundsArray
    line: BoundsArray
    cells: BoundsArray
    low: BoundsArray
    high: BoundsArray

    @classmethod
    def room_for(cls, rows: int, wanted: int) -> "Cuts":
        row_from, row_to, line, cells = (np.zeros(rows, np.int32) for _ in range(4))
        low, high = (np.zeros((wanted, rows), np.int32) for _ in range(2))
        return cls(row_from, row_to, line, cells, low, high)

    def rows(self, chosen: slice | IntArray) -> "Cuts":
        """The cuts of the chosen rows."""
        return Cuts(
            self.row_from[chosen],
            self.row_to[chosen],
            self.line[chosen],
            self.cells[chosen],
            self.low[:, chosen],
            self.high[:, chosen],
        )


@Kernel
def cut_separated(data, separator, quoting, final, wanted, cuts):
    """Cut rows whose cells have a separator between them.

    `wanted[c]` is where the bounds of cell c go, or -1. Unless the block is the `final` one, a last
    row without an end is left. With `quoting`, a cell may stand in quotation marks, and then hold
    separators and line ends; not so after `ROW_BYTES` of a row, so that its end is the next line
    end wherever blocks are cut. Rows without anything but spaces are no rows.
    """
    length = len(data)
    position, row, lines = 0, 0, 0
    while position < length and row < len(cuts.row_from):
        at, cell, line = position, 0, lines
        waits = False
        while True:
            low, high = at, -1
            if quoting and at < length and data[at] == QUOTE and at - position <= ROW_BYTES:
                close = _closing_quote(data, at + 1, separator)
                waits = close == OPEN and not (final or length - at > QUOTED_BYTES)
                if waits:
                    break
                if close >= 0:
                    low, high = at + 1, close
                    for inside in range(at, close):
                        if data[inside] == NEWLINE:
                            lines += 1
                    at = close + 1
            while at < length and data[at] != separator and data[at] != NEWLINE:
                at += 1
            if high < 0:
                low, high = _stripped(data, low, at)
            _put(cuts, row, wanted, cell, low, high)
            cell += 1
            if at >= length or data[at] == NEWLINE:
                break
            at += 1
        if waits or not (at < length or final):
            break
        if cell > 1 or high > low:
            end = at - 1 if at > position and data[at - 1] == RETURN else at
            _put_row(cuts, row, position, end, line, cell)
            row += 1
        if at < length:
            at += 1
            lines += 1
        position = at
    return row, position


@Kernel
def _put(cuts, row, wanted, cell, low, high):
    """Note the bounds of a cell, if it is wanted."""
    if cell < len(wanted) and wanted[cell] >= 0:
        cuts.low[wanted[cell], row] = low
        cuts.high[wanted[cell], row] = high


@Kernel
def _put_row(cuts, row, begin, end, line, cells):
    """Note the bounds of a row, its line and how many cells it has."""
    cuts.row_from[row], cuts.row_to[row] = begin, end
    cuts.line[row], cuts.cells[row] = line, cells


@Kernel
def _stripped(data, low, high):
    """The bounds of a cell without the spaces around it."""
    while high > low and (data[high - 1] == RETURN or data[high - 1] == SPACE):
        high -= 1
    while low < high and data[low] == SPACE:
        low += 1
    return low, high


@Kernel
def _line_end(data, at):
    """Where the line that goes on at a byte ends."""
    while at < len(data) and data[at] != NEWLINE:
        at += 1
    return at


@Kernel
def _closing_quote(data, at, separator):
    """Where the quotation mark is that closes a cell. `OPEN` if the data end before it;
    `NOT_QUOTED` if it is too far, or text stands behind it: then the opening one is text, too.
    """
    length = len(data)
    end = min(length, at + QUOTED_BYTES)
    while at < end:
        if data[at] == QUOTE:
            after = at + 1
            if after < length and data[after] == QUOTE:
                at += 1
            else:
                if after < length and data[after] == RETURN:
                    after += 1
                if after >= length or data[after] == separator or data[after] == NEWLINE:
                    return at
                return NOT_QUOTED
        at += 1
    return OPEN if end == length else NOT_QUOTED


@Kernel
def unquote(data, low, high):
    """Make one of each two quotation marks in quoted cells, in place."""
    for row in range(len(low)):
        at = into = low[row]
        if at > 0 and data[at - 1] == QUOTE:
            while at < high[row]:
                data[into] = data[at]
                doubled = data[at] == QUOTE and at + 1 < high[row] and data[at + 1] == QUOTE
                at += 2 if doubled else 1
                into += 1
            high[row] = into


@Kernel
def cut_between(data, separator, final, wanted, cuts):
    """Cut rows whose cells have several bytes between them, and no quotation marks; see
    `cut_separated`.
    """
    length, width = len(data), len(separator)
    position, row, lines = 0, 0, 0
    while position < length and row < len(cuts.row_from):
        end = _line_end(data, position)
        if end >= length and not final:
            break
        stop = end - 1 if end > position and data[end - 1] == RETURN else end
        at, cell, blank = position, 0, True
        while at <= stop:
            high = at
            while high + width <= stop and not _is_at(data, high, separator):
                high += 1
            after = high + width
            if after > stop:
                high, after = stop, stop + 1
            low, high = _stripped(data, at, high)
            _put(cuts, row, wanted, cell, low, high)
            blank = low == high
            at = after
            cell += 1
        if cell > 1 or not blank:
            _put_row(cuts, row, position, stop, lines, cell)
            row += 1
        position = min(end + 1, length)
        lines += 1
    return row, position


@Kernel
def _is_at(data, at, text):
    for k in range(len(text)):  # noqa: SIM110  # all() of a generator is not compiled
        if data[at + k] != text[k]:
            return False
    return True


@Kernel
def cut_words(data, final, wanted, cuts):
    """Cut rows whose cells have spaces or tabs between them; see `cut_separated`."""
    length = len(data)
    position, row, lines = 0, 0, 0
    while position < length and row < len(cuts.row_from):
        end = _line_end(data, position)
        if end >= length and not final:
            break
        at, cell = position, 0
        while at < end:
            while at < end and (data[at] == SPACE or data[at] == TAB or data[at] == RETURN):
                at += 1
            if at >= end:
                break
            low = at
            while at < end and data[at] != SPACE and data[at] != TAB and data[at] != RETURN:
                at += 1
            _put(cuts, row, wanted, cell, low, at)
            cell += 1
        if cell:
            _put_row(cuts, row, position, end, lines, cell)
            row += 1
        position = min(end + 1, length)
        lines += 1
    return row, position


@Kernel
def cut_columns(data, final, edges, wanted, cuts):
    """Cut rows of fixed columns: cell c is the bytes from `edges[c]` to before `edges[c + 1]`.

    A row that goes on beyond the last column has one cell too many.
    """
    length, columns = len(data), len(edges) - 1
    position, row, lines = 0, 0, 0
    while position < length and row < len(cuts.row_from):
        end = _line_end(data, position)
        if end >= length and not final:
            break
        _, stop = _stripped(data, position, end)
        if stop > position:
            for cell in range(columns):
                if wanted[cell] < 0:
                    continue
                low = min(position + edges[cell], stop)
                high = min(position + edges[cell + 1], stop)
                low, high = _stripped(data, low, high)
                _put(cuts, row, wanted, cell, low, high)
            cells = columns + 1 if stop - position > edges[columns] else columns
            _put_row(cuts, row, position, stop, lines, cells)
            row += 1
        position = min(end + 1, length)
        lines += 1
    return row, position
