"""What rules for types are made of."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod
from typing import Any, Final, Protocol

import numpy as np

from core.engines.logs.reading import limits
from core.engines.logs.reading.cutting import BoundsArray
from core.engines.logs.reading.store import RunStore
from core.engines.logs.reading.texts import PackedTexts, TextRoom, Texts, decoded
from core.files.findings import shown, shown_list
from core.vocabulary.arrays import IntArray

RunBlock = Mapping[str, np.ndarray[Any, Any]]
"""Columns of some runs."""

UNKNOWN: Final = -1
"""No type."""
SEVERAL: Final = -2
"""The nodes of a run are of several machine types."""
NOT_KEPT: Final = -3
"""The text that the type depends on is not kept: the log has too many different ones."""
MOST_PARTS: Final = 3
_UNKNOWN_IN_SWF: Final = "-1"
AT_ONCE: Final = 1 << 14
"""Texts that are numbered together."""


class RuleRefused(ValueError):
    """A rule cannot be used; the message says why, and the remedy."""


class RulePart(Protocol):
    """One word of a rule: a small number for each run, and what it means."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at."""

    @property
    def count(self) -> int:
        """The numbers are below; at most a million, so that those of three words fit in one."""

    def keys(self, block: RunBlock) -> IntArray:
        """The number of each run; `UNKNOWN`, `SEVERAL` or `NOT_KEPT` where there is none."""

    def label(self, key: int) -> str:
        """What a number means."""


@dataclass(frozen=True)
class Rule:
    """A rule for one store of runs: what makes a task type, or a machine type, of each run."""

    text: str
    parts: tuple[RulePart, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at."""
        return tuple(dict.fromkeys(column for part in self.parts for column in part.columns))

    @property
    def count(self) -> int:
        """How many types there may be; their numbers are below."""
        return prod(part.count for part in self.parts)

    def keys(self, block: RunBlock) -> IntArray:
        """The number of each run's type; `UNKNOWN`, `SEVERAL` or `NOT_KEPT` for none."""
        found = self.parts[0].keys(block)
        for part in self.parts[1:]:
            more = part.keys(block)
            least = np.minimum(found, more)
            found = np.where(least >= 0, found * part.count + more, least)
        return found

    def name(self, key: int) -> str:
        """The name of the type with this number."""
        labels: list[str] = []
        for part in reversed(self.parts):
            key, own = divmod(key, part.count)
            labels.append(part.label(own))
        return ", ".join(reversed(labels))


def rule_of(text: str, part: Callable[[str], RulePart]) -> Rule:
    """The rule of a text, each word of which makes a part. Raises `RuleRefused`."""
    words = words_of_rule(text)
    if len(words) > MOST_PARTS:
        raise RuleRefused(f"'{shown(text)}' has more than {MOST_PARTS} parts; leave some out")
    return Rule(text, tuple(map(part, words)))


@dataclass(frozen=True)
class TextPart:
    """A word of a rule that looks at a column of texts: the number of a type for each text."""

    column: str
    names: Sequence[str]
    lookup: IntArray

    @classmethod
    def numbered(cls, column: str, count: int, made: Iterable[str | None]) -> "TextPart":
        """A type for each different text of so many that were made of a column; None for none."""
        labels = Labels()
        return cls(column, labels, labels.lookup(made, count))

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    def count(self) -> int:
        return len(self.names)

    def keys(self, block: RunBlock) -> IntArray:
        return self.lookup[block[self.column]]

    def label(self, key: int) -> str:
        return self.names[key]


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


class Labels(PackedTexts):
    """Different texts, each with a number; at most a million, and none for further ones."""

    def __init__(self) -> None:
        self._texts = Texts(limits.MANY_VALUES, TextRoom(limits.TEXT_BYTES))

    def __len__(self) -> int:
        return len(self._texts)

    def text(self, number: int) -> str:
        return decoded(self._texts[number])

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
