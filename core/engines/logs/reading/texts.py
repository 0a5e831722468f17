"""Columns of texts: each different text is kept once, and rows refer to it by number."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from core.engines.compute.compiled import Kernel
from core.engines.logs.reading.cutting import BoundsArray
from core.engines.logs.reading.limits import VALUE_BYTES
from core.vocabulary.arrays import ByteArray, IntArray

UNKNOWN: Final = -1
"""The number of a text that is not kept, because there were too many different ones."""
MOST_PROBES: Final = 400
"""Slots that are looked at for one text. Few texts need ten; those that are made to collide count
as too many different ones, so that they do not take more time than others.
"""

_FIRST_SLOTS: Final = 1_024
_FIRST_BYTES: Final = 16_384
FNV_OFFSET: Final = np.uint64(14695981039346656037)
FNV_PRIME: Final = np.uint64(1099511628211)


class TextTable(NamedTuple):
    """Different texts, as kernels see them.

    Text number k is `content[ends[k]:ends[k + 1]]`, and its hash is `hashes[k]`. `slots` finds it
    by its hash; a free slot is -1. `sizes` are the number of texts, whether no new ones are taken,
    and the number of cells whose text was not taken because of that.
    """

    slots: BoundsArray
    hashes: npt.NDArray[np.uint64]
    ends: IntArray
    content: ByteArray
    sizes: IntArray


@Kernel
def number_texts(data, low, high, begin, table, numbers):
    """The number of each cell's text, from row `begin` on; new texts are added. Returns the row
    before which it had to stop because the table is full, or the number of rows.
    """
    mask = len(table.slots) - 1
    known = table.sizes[0]
    for row in range(begin, len(low)):
        start, end = low[row], min(high[row], low[row] + VALUE_BYTES)
        mixed = FNV_OFFSET
        for at in range(start, end):
            mixed = (mixed ^ np.uint64(data[at])) * FNV_PRIME
        mixed ^= mixed >> np.uint64(29)
        slot = np.int64(mixed & np.uint64(mask))
        found, probes = -1, 0
        while table.slots[slot] >= 0 and probes < MOST_PROBES:
            probes += 1
            candidate = table.slots[slot]
            if table.hashes[candidate] == mixed:
                begins = table.ends[candidate]
                if table.ends[candidate + 1] - begins == end - start:
                    same = True
                    for k in range(end - start):
                        if table.content[begins + k] != data[start + k]:
                            same = False
                            break
                    if same:
                        found = candidate
                        break
            slot = (slot + 1) & mask
        if found < 0 and (table.sizes[1] or probes == MOST_PROBES):
            table.sizes[2] += 1
        elif found < 0:
            used = table.ends[known]
            full = known + 1 >= len(table.ends) or 2 * (known + 1) > len(table.slots)
            if full or used + end - start > len(table.content):
                table.sizes[0] = known
                return row
            for k in range(end - start):
                table.content[used + k] = data[start + k]
            table.hashes[known] = mixed
            table.ends[known + 1] = used + end - start
            table.slots[slot] = known
            found = known
            known += 1
        numbers[row] = found
    table.sizes[0] = known
    return len(low)


@Kernel
def place_again(table, slots):
    """Fill larger `slots` with the texts of the table."""
    mask = len(slots) - 1
    for known in range(table.sizes[0]):
        slot = np.int64(table.hashes[known] & np.uint64(mask))
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = known


class TextRoom:
    """The memory that the texts of all columns may take together, in bytes."""

    def __init__(self, free: int) -> None:
        self._free = free

    def take(self, size: int) -> bool:
        """Whether there is so much; then it is taken."""
        if size > self._free:
            return False
        self._free -= size
        return True


class Texts:
    """The different texts of a column; at most `most` of them are kept, while there is room."""

    def __init__(self, most: int, room: TextRoom) -> None:
        self.most = most
        self._room = room
        self._table = TextTable(
            np.full(_FIRST_SLOTS, -1, np.int32),
            np.zeros(_FIRST_SLOTS // 2, np.uint64),
            np.zeros(_FIRST_SLOTS // 2 + 1, np.int64),
            np.zeros(_FIRST_BYTES, np.uint8),
            np.zeros(3, np.int64),
        )

    def __len__(self) -> int:
        return int(self._table.sizes[0])

    @property
    def dropped(self) -> int:
        """Cells whose text is not kept."""
        return int(self._table.sizes[2])

    def numbers(self, data: ByteArray, low: BoundsArray, high: BoundsArray) -> BoundsArray:
        """The number of the text of each cell; `UNKNOWN` where it is new and there is no room."""
        numbers = np.full(len(low), UNKNOWN, np.int32)
        row = 0
        while True:
            row = number_texts(data, low, high, row, self._table, numbers)
            if row == len(low):
                return numbers
            if not self._grow():
                self._table.sizes[1] = 1

    def _grow(self) -> bool:
        """Makes room for more texts, if more are allowed."""
        table = self._table
        known, used = len(self), int(table.ends[len(self)])
        if known >= self.most:
            return False
        content, slots, hashes, ends = table.content, table.slots, table.hashes, table.ends
        if used + VALUE_BYTES > len(content):
            if not self._room.take(len(content)):
                return False
            content = _longer(content, 2 * len(content))
        if known + 1 >= len(ends) or 2 * (known + 1) > len(slots):
            if not self._room.take(slots.nbytes + 2 * hashes.nbytes):
                return False
            room = min(2 * len(hashes), max(self.most, 1))
            hashes = _longer(hashes, max(room, len(hashes)))
            ends = _longer(ends, max(room + 1, len(ends)))
            if 2 * room > len(slots):
                slots = np.full(2 * len(slots), -1, np.int32)
                place_again(table, slots)
        self._table = TextTable(slots, hashes, ends, content, table.sizes)
        return True

    def close(self) -> None:
        """Free what only new texts need: from now on there are none."""
        table, known = self._table, len(self)
        ends = table.ends[: known + 1].copy()
        slots, hashes = np.full(1, -1, np.int32), np.zeros(0, np.uint64)
        table.sizes[1] = 1
        self._table = TextTable(slots, hashes, ends, table.content[: ends[-1]].copy(), table.sizes)

    def __getitem__(self, number: int) -> bytes:
        content, ends = self._table.content, self._table.ends
        return content[ends[number] : ends[number + 1]].tobytes()

    def values(self) -> Iterator[bytes]:
        """The different texts, in the order of their numbers."""
        return map(self.__getitem__, range(len(self)))


class PackedTexts(Sequence[str]):
    """Many texts that take little memory: each is made when it is asked for."""

    @abstractmethod
    def text(self, number: int) -> str:
        """One of the texts, by its number from 0 on."""

    @overload
    def __getitem__(self, number: int) -> str: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...

    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        if isinstance(number, slice):
            return [self.text(k) for k in range(*number.indices(len(self)))]
        return self.text(range(len(self))[number])


def _longer(values: np.ndarray[Any, Any], length: int) -> np.ndarray[Any, Any]:
    """The values with zeros behind them, which take no memory until they are written."""
    found = np.zeros(length, values.dtype)
    found[: len(values)] = values
    return found


def decoded(value: bytes) -> str:
    """A text; what is not UTF-8 is read as Windows-1252, which old logs have."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError as error:
        if len(value) == VALUE_BYTES and error.start > len(value) - 4:
            return value[: error.start].decode("utf-8")  # its last character was cut off
        return value.decode("cp1252", "replace")
