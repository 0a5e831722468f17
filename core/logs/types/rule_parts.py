"""What rules for types are made of."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Protocol, overload

import numpy as np

from core.files.findings import shown, shown_list
from core.logs.reading import limits
from core.logs.reading.cutting import BoundsArray
from core.logs.reading.store import RunStore
from core.logs.reading.texts import TextRoom, Texts, decoded
from core.model.arrays import IntArray

RunBlock = Mapping[str, np.ndarray[Any, Any]]
"""Columns of some runs."""

UNKNOWN: Final = -1
"""No type."""
SEVERAL: Final = -2
"""The nodes of a run are of several machine types."""
NOT_KEPT: Final = -3
"""The text that the type depends on is not kept: the log has too many different ones."""
PART_BITS: Final = 21
"""A column has at most a million different texts, so their numbers fit."""

_UNKNOWN_IN_SWF: Final = "-1"


AT_ONCE: Final = 1 << 14
"""Texts that are numbered together."""


class RuleRefused(ValueError):
    """A rule cannot be used; the message says why, and the remedy."""


class RulePart(Protocol):
    """One word of a rule: a small number for each run, and what it means."""

    columns: tuple[str, ...]

    def keys(self, block: RunBlock) -> IntArray:
        """A number below 2^`PART_BITS` for each run; `UNKNOWN` where the word says nothing."""

    def label(self, key: int) -> str:
        """What a number means."""


def words_of_rule(text: str) -> list[str]:
    """The words of a rule; a pattern goes on to the end."""
    pattern = text.find("pattern:")
    if pattern < 0:
        return [word.strip() for word in text.split("+")]
    before = [word.strip() for word in text[:pattern].split("+") if word.strip()]
    return [*before, text[pattern:]]


def texts_of(store: RunStore, column: str) -> Iterator[str]:
    """The texts of a column; blank for the -1 of SWF logs, which stands for unknown."""
    values = iter(store.values(column))
    if any(log.format == "swf" for log in store.logs):
        return ("" if value == _UNKNOWN_IN_SWF else value for value in values)
    return values


def column_named(name: str, store: RunStore, others: str) -> str:
    """The name, if the log has this column of texts; `others` are rules that are no columns.
    Raises `RuleRefused`.
    """
    if name in store.texts:
        return name
    if not name:
        raise RuleRefused("a part of the rule is blank; leave out its + or name a column")
    columns = shown_list(store.texts, 12) or "none"
    raise RuleRefused(
        f"'{shown(name)}' is no column of this log; its columns are {columns}; other rules are "
        f"{others}"
    )


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
