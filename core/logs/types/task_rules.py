"""Rules that say which task type a run is of.

A rule is one or more of these words, joined by `+`:

- `name`: the name of the job; `stem`: the name without its numbers;
- `pattern:REGEX`: what the groups of a regular expression find in the name, or all that it finds;
- `column:NAME`: any column of texts that the log has; `account`, `application` and so on for short;
- `size`: the cores, GPUs and memory that were asked for, rounded up to powers of two;
- `clusters`, `clusters:N`: groups of jobs that asked for similar resources.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.files.findings import shown
from core.logs.reading.store import RunStore
from core.logs.types.clusters import Clusters
from core.logs.types.patterns import found_in
from core.logs.types.rule_parts import (
    AT_ONCE,
    NOT_KEPT,
    PART_BITS,
    Labels,
    RulePart,
    RuleRefused,
    RunBlock,
    column_named,
    texts_of,
    words_of_rule,
)
from core.logs.types.stems import stem
from core.model.arrays import IntArray

NO_TEXT: Final = "(none)"
"""The type of runs where the column is blank."""

_MOST_PARTS: Final = 3
_OTHERS: Final = "stem, pattern:..., size and clusters"
_GIB: Final = 1024.0


@dataclass(frozen=True)
class TaskRule:
    """A rule for one store of runs."""

    text: str
    parts: tuple[RulePart, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at."""
        return tuple({column for part in self.parts for column in part.columns})

    def keys(self, block: RunBlock) -> IntArray:
        """A number for each run, the same for runs of one type; `UNKNOWN` or `NOT_KEPT` for no
        type.
        """
        found = self.parts[0].keys(block)
        for part in self.parts[1:]:
            more = part.keys(block)
            least = np.minimum(found, more)
            found = np.where(least >= 0, (found << PART_BITS) | more, least)
        return found

    def name(self, key: int) -> str:
        """The name of the type with this number."""
        labels: list[str] = []
        for part in reversed(self.parts):
            labels.append(part.label(key & ((1 << PART_BITS) - 1)))
            key >>= PART_BITS
        return ", ".join(reversed(labels))


class _Text:
    """A type for each different text of a column, or of what was made of it; None for no type."""

    def __init__(self, column: str, count: int, made: Iterable[str | None]) -> None:
        self.columns: tuple[str, ...] = (column,)
        self._column = column
        self._labels = Labels()
        named = (label if label is None else label or NO_TEXT for label in made)
        self._lookup = self._labels.lookup(named, count)

    def keys(self, block: RunBlock) -> IntArray:
        return self._lookup[block[self._column]]

    def label(self, key: int) -> str:
        return self._labels[key]


class _Different:
    """A type for each of so many different texts that they stay on disk."""

    def __init__(self, column: str, texts: Sequence[str]) -> None:
        self.columns: tuple[str, ...] = (column,)
        self._column, self._texts = column, texts

    def keys(self, block: RunBlock) -> IntArray:
        numbers = block[self._column]
        return np.where(numbers >= 0, numbers, NOT_KEPT).astype(np.int64)

    def label(self, key: int) -> str:
        return self._texts[key] or NO_TEXT


class _Size:
    """Cores, GPUs and memory, each rounded up to a power of two."""

    columns: tuple[str, ...] = ("cores", "gpus", "memory")

    def keys(self, block: RunBlock) -> IntArray:
        cores, gpus = _power(block["cores"]), _power(block["gpus"])
        memory = _power(np.nan_to_num(block["memory"]) / _GIB)
        return (cores << 12) | (gpus << 6) | memory

    def label(self, key: int) -> str:
        cores, gpus, memory = key >> 12, (key >> 6) & 63, key & 63
        said = []
        if cores:
            said.append(_counted(cores, "core"))
        if gpus:
            said.append(_counted(gpus, "GPU"))
        if memory:
            said.append(f"{2 ** (memory - 1)} GiB")
        return " ".join(said) or NO_TEXT


def _power(values: np.ndarray[Any, Any]) -> IntArray:
    """0 for none, 1 for up to 1, 2 for up to 2, 3 for up to 4, ...; at most 63."""
    positive = values > 0
    powers = np.ceil(np.log2(np.where(positive, np.maximum(values, 1), 1.0))) + 1
    return np.where(positive, np.minimum(powers, 63), 0).astype(np.int64)


def _counted(power: int, of: str) -> str:
    count = 2 ** (power - 1)
    return f"{count} {of}" if count == 1 else f"{count} {of}s"


def task_rule(text: str, store: RunStore) -> TaskRule:
    """The rule that a text names, for these runs. Raises `RuleRefused`."""
    words = words_of_rule(text)
    if len(words) > _MOST_PARTS:
        raise RuleRefused(f"'{shown(text)}' has more than {_MOST_PARTS} parts; leave some out")
    return TaskRule(text, tuple(_part(word, store) for word in words))


def _part(word: str, store: RunStore) -> RulePart:
    kind, _, argument = word.partition(":")
    if kind == "size":
        return _Size()
    if kind == "clusters":
        return Clusters(store, argument)
    column = {"column": argument, "stem": "name", "pattern": "name"}.get(kind, kind)
    texts = texts_of(store, column_named(column, store, _OTHERS))
    if kind in (column, "column") and len(store.values(column)) > AT_ONCE:
        return _Different(column, store.values(column))
    made: Iterable[str | None] = texts
    if kind == "stem":
        made = map(stem, texts)
    elif kind == "pattern":
        made = found_in(argument, texts)
    return _Text(column, len(store.values(column)), made)
