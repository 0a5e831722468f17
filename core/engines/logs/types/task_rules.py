"""Rules that say which task type a run is of.

A rule is one or more of these words, joined by `+`:

- `name`: the name of the job; `stem`: the name without its numbers;
- `pattern:REGEX`: what the groups of a regular expression find in the name, or all that it finds;
- `column:NAME`: any column of texts that the log has; `account`, `application` and so on for short;
- `size`: the cores, GPUs and memory that were asked for, rounded up to powers of two;
- `clusters`, `clusters:N`: groups of jobs that asked for similar resources.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.clusters import Clusters
from core.engines.logs.types.patterns import found_in
from core.engines.logs.types.rule_parts import (
    AT_ONCE,
    NOT_KEPT,
    Rule,
    RulePart,
    RunBlock,
    TextPart,
    column_named,
    rule_of,
    texts_of,
)
from core.engines.logs.types.stems import stem
from core.vocabulary.arrays import IntArray

NO_TEXT: Final = "(none)"
"""The type of runs where the column is blank."""

_OTHERS: Final = "stem, pattern:..., size and clusters"
_GIB: Final = 1024.0


class _Different:
    """A type for each of so many different texts that they stay on disk."""

    def __init__(self, column: str, texts: Sequence[str]) -> None:
        self.columns, self.count = (column,), len(texts)
        self._column, self._texts = column, texts

    def keys(self, block: RunBlock) -> IntArray:
        numbers = block[self._column]
        return np.where(numbers >= 0, numbers, NOT_KEPT).astype(np.int64)

    def label(self, key: int) -> str:
        return self._texts[key] or NO_TEXT


class _Size:
    """Cores, GPUs and memory, each rounded up to a power of two."""

    columns = ("cores", "gpus", "memory")
    count = 1 << 18

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


def task_rule(text: str, store: RunStore) -> Rule:
    """The rule that a text names, for these runs. Raises `RuleRefused`."""
    return rule_of(text, lambda word: _part(word, store))


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
    named = (text if text is None else text or NO_TEXT for text in made)
    return TextPart.numbered(column, len(store.values(column)), named)
