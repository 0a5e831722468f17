"""What rules for types are made of."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol

import numpy as np

from core.files.findings import shown, shown_list
from core.logs.reading.store import RunStore
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
