"""Numbers for texts of which there may be a million, packed so that they take little memory."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, overload

import numpy as np

from core.logs.reading import limits
from core.logs.reading.cutting import BoundsArray
from core.logs.reading.texts import TextRoom, Texts, decoded
from core.logs.types.rule_parts import NOT_KEPT, UNKNOWN
from core.model.arrays import IntArray

AT_ONCE: Final = 1 << 14
"""Texts that are numbered together."""


class Labels(Sequence[str]):
    """Different texts, each with a number; at most a million, and none for further ones."""

    def __init__(self) -> None:
        self._texts = Texts(limits.MANY_VALUES, TextRoom(limits.TEXT_BYTES))

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, number: int) -> str: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...

    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(len(self)))]
        return decoded(self._texts[range(len(self))[number]])

    def __iter__(self) -> Iterator[str]:
        return map(decoded, self._texts.values())

    def numbers(self, texts: Sequence[str]) -> BoundsArray:
        """The numbers of texts, which are new ones or known; -1 where there is no room."""
        some = [text.encode() for text in texts]
        bounds = np.cumsum([0, *map(len, some)], dtype=np.int32)
        data = np.frombuffer(b"".join(some) or b"\0", np.uint8)
        return self._texts.numbers(data, bounds[:-1], bounds[1:])

    def lookup(self, texts: Iterable[str | None], count: int) -> IntArray:
        """The numbers of so many texts: `UNKNOWN` for None, `NOT_KEPT` where there is no room. The
        last one more, `NOT_KEPT`, is that of texts which the log has but the store has not: -1.
        """
        found = np.full(count + 1, NOT_KEPT, np.int64)
        rest, at = iter(texts), 0
        while some := [*islice(rest, AT_ONCE)]:
            part = found[at : at + len(some)]
            known = np.array([text is not None for text in some])
            numbers = self.numbers([text for text in some if text is not None])
            part[known] = np.where(numbers >= 0, numbers, NOT_KEPT)
            part[~known] = UNKNOWN
            at += len(some)
        self.close()
        return found

    def close(self) -> None:
        """Free what only new texts need."""
        self._texts.close()
