"""The different texts of a column, as they are on disk: a million of them take little memory."""

import os
import weakref
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, overload

from core.logs.reading.texts import decoded
from core.model.arrays import IntArray

_AT_ONCE: Final = 1 << 14
"""Texts that are read together."""


class StoredTexts(Sequence[str]):
    """Texts that lie in a file one after the other; text k is the bytes `ends[k]` to `ends[k + 1]`.
    They are read when they are asked for.
    """

    def __init__(self, file: Path, ends: IntArray) -> None:
        self._ends = ends
        self._file = os.open(file, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, number: int) -> str: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...

    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(len(self)))]
        first = range(len(self))[number]
        return next(self._read(first, first + 1))

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _AT_ONCE):
            yield from self._read(first, min(first + _AT_ONCE, len(self)))

    def _read(self, first: int, last: int) -> Iterator[str]:
        ends = self._ends[first : last + 1].tolist()
        content = os.pread(self._file, ends[-1] - ends[0], ends[0])
        for low, high in pairwise(ends):
            yield decoded(content[low - ends[0] : high - ends[0]])
