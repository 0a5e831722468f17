"""Rules that make task types of the names of jobs, and machine types of those of nodes."""

import re
import signal
import threading
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from types import FrameType
from typing import Any, Final

import numpy as np

from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.clusters import Clusters
from core.engines.logs.types.names import NO_TEXT, node_stems, stem
from core.engines.logs.types.node_table import NodeTable
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rule_parts import (
    AT_ONCE,
    NOT_KEPT,
    SEVERAL,
    UNKNOWN,
    Rule,
    RulePart,
    RuleRefused,
    RunBlock,
    TextPart,
    column_named,
    rule_of,
    texts_of,
)
from core.files.findings import shown
from core.vocabulary.arrays import IntArray

_MOST_PATTERN: Final = 500
_SECONDS: Final = 10.0
"""The processor time (s) for all names of a log: a million names take an ordinary pattern a second.
A pattern such as (a+)+$ takes years for a single name.
"""
_LEAST_SECONDS: Final = 1e-3
"""A limit of 0 s would be none."""


def found_in(pattern: str, names: Iterable[str]) -> Iterator[str | None]:
    """What a pattern finds in each name: its groups with a dash between, or without groups all that
    it matches; None if it matches nowhere. Raises `RuleRefused`: at once if it is no pattern, and
    with a name for which it takes too long.
    """
    return _found(pattern, _compiled(pattern), iter(names))


def _found(pattern: str, compiled: re.Pattern[str], rest: Iterator[str]) -> Iterator[str | None]:
    left = _SECONDS
    while some := [*islice(rest, AT_ONCE)]:
        begun = time.thread_time()
        with _limited(pattern, left):
            found = [_said(compiled.search(name)) for name in some]
        left = max(left - (time.thread_time() - begun), _LEAST_SECONDS)
        yield from found


def _said(match: re.Match[str] | None) -> str | None:
    if match is None:
        return None
    return "-".join(filter(None, match.groups())) if match.re.groups else match[0]


def _compiled(pattern: str) -> re.Pattern[str]:
    if not 0 < len(pattern) <= _MOST_PATTERN:
        raise RuleRefused(
            f"a pattern has 1 to {_MOST_PATTERN} characters; write one such as pattern:([a-z]+)"
        )
    try:
        with warnings.catch_warnings(action="ignore"):
            return re.compile(pattern)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        raise RuleRefused(
            f"'{shown(pattern)}' is no regular expression ({error}); correct it"
        ) from error


@contextmanager
def _limited(pattern: str, seconds: float) -> Iterator[None]:
    """Refuse the pattern if it takes too long. Only the main thread of a process, where commands
    and workers compute, can be interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def refuse(_signal: int, _frame: FrameType | None) -> None:
        raise RuleRefused(
            f"'{shown(pattern)}' takes too long on the names of this log; write it without a "
            "repetition in a repetition, such as (a+)+"
        )

    before = signal.signal(signal.SIGVTALRM, refuse)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


ONE: Final = "machine"
"""The machine type of all machines."""

_MOST_TYPES: Final = 1_000_000
_OTHER_MACHINES: Final = "prefix, pattern:..., nodes and one"


def machine_rule(text: str, store: RunStore, nodes: Nodes, table: NodeTable | None) -> Rule:
    """The rule that a text names, for these runs. Raises `RuleRefused`."""
    rule = rule_of(text, lambda word: _machine_part(word, store, nodes, table))
    if rule.count > _MOST_TYPES:
        raise RuleRefused(
            f"'{shown(text)}' may give {rule.count:,} machine types; choose a coarser rule"
        )
    return rule


def _machine_part(word: str, store: RunStore, nodes: Nodes, table: NodeTable | None) -> TextPart:
    kind, _, argument = word.partition(":")
    if kind == "one":
        return TextPart("log", (ONE,), np.zeros(max(len(store.logs), 1), np.int64))
    if kind in ("prefix", "pattern", "nodes"):
        return _of_nodes(word, nodes, table)
    column = column_named(argument if kind == "column" else kind, store, _OTHER_MACHINES)
    return _numbered(column, len(store.values(column)), texts_of(store, column))


def _of_nodes(word: str, nodes: Nodes, table: NodeTable | None) -> TextPart:
    """The types of lists of nodes: that of their nodes, if it is one."""
    kind, _, pattern = word.partition(":")
    if nodes.column is None:
        raise RuleRefused(
            f"'{shown(word)}' needs the names of nodes, which this log does not have; add NodeList "
            "to the columns of the dump, or choose another rule"
        )
    if kind == "nodes" and table is None:
        raise RuleRefused("'nodes' needs a table of nodes; give one with the columns node, type")
    of_nodes: Iterable[str | None]
    if kind == "nodes" and table is not None:
        of_nodes = map(table.type_of, nodes.names)
    elif kind == "pattern":
        of_nodes = found_in(pattern, nodes.names)
    else:
        of_nodes = node_stems(nodes.names)
    each = _numbered(nodes.column, len(nodes.names), of_nodes)
    least, greatest = nodes.least_and_greatest(each.lookup[:-1], UNKNOWN)
    lookup = np.append(np.where(least == greatest, least, SEVERAL), NOT_KEPT)
    return TextPart(nodes.column, each.names, lookup)


def _numbered(column: str, count: int, texts: Iterable[str | None]) -> TextPart:
    """Each text that is not blank is a type."""
    return TextPart.numbered(column, count, (text or None for text in texts))


_OTHER_TASKS: Final = "stem, pattern:..., size and clusters"
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
    return rule_of(text, lambda word: _task_part(word, store))


def _task_part(word: str, store: RunStore) -> RulePart:
    kind, _, argument = word.partition(":")
    if kind == "size":
        return _Size()
    if kind == "clusters":
        return Clusters(store, argument)
    column = {"column": argument, "stem": "name", "pattern": "name"}.get(kind, kind)
    texts = texts_of(store, column_named(column, store, _OTHER_TASKS))
    if kind in (column, "column") and len(store.values(column)) > AT_ONCE:
        return _Different(column, store.values(column))
    made: Iterable[str | None] = texts
    if kind == "stem":
        made = map(stem, texts)
    elif kind == "pattern":
        made = found_in(argument, texts)
    named = (text if text is None else text or NO_TEXT for text in made)
    return TextPart.numbered(column, len(store.values(column)), named)
