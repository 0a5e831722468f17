"""Rules that say which machine type a run ran on.

A rule is one or more of these words, joined by `+`:

- `partition`, `features`, `machine`, `cluster` or `column:NAME`: a column of texts of the log;
- `prefix`: the name of the node without the numbers that count nodes;
- `pattern:REGEX`: what a regular expression finds in the name of the node;
- `nodes`: the table of nodes that was given;
- `one`: all machines are of one type.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np

from core.files.findings import shown
from core.logs.reading.store import RunStore
from core.logs.types.node_table import NodeTable
from core.logs.types.nodes import Nodes
from core.logs.types.patterns import found_in
from core.logs.types.rule_parts import (
    NOT_KEPT,
    SEVERAL,
    UNKNOWN,
    Labels,
    RuleRefused,
    RunBlock,
    column_named,
    texts_of,
    words_of_rule,
)
from core.logs.types.stems import node_stems
from core.model.arrays import IntArray

ONE: Final = "machine"
"""The machine type of all machines."""

_MOST_PARTS: Final = 3
_MOST_TYPES: Final = 1_000_000
_OTHERS: Final = "prefix, pattern:..., nodes and one"


@dataclass(frozen=True)
class _Part:
    """One word of a rule: the number of a type for each text of a column."""

    column: str
    names: Sequence[str]
    lookup: IntArray


@dataclass(frozen=True)
class MachineRule:
    """A rule for one store of runs."""

    text: str
    parts: tuple[_Part, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at."""
        return tuple(dict.fromkeys(part.column for part in self.parts))

    @property
    def count(self) -> int:
        """How many types there may be; their numbers are below."""
        return prod(len(part.names) for part in self.parts)

    def types(self, block: RunBlock) -> IntArray:
        """The number of each run's machine type; `UNKNOWN`, `SEVERAL` or `NOT_KEPT` for none."""
        found = self.parts[0].lookup[block[self.parts[0].column]]
        for part in self.parts[1:]:
            more = part.lookup[block[part.column]]
            least = np.minimum(found, more)
            found = np.where(least >= 0, found * len(part.names) + more, least)
        return found

    def name(self, number: int) -> str:
        """The name of the type with this number."""
        labels: list[str] = []
        for part in reversed(self.parts):
            number, own = divmod(number, len(part.names))
            labels.append(part.names[own])
        return ", ".join(reversed(labels))


def machine_rule(text: str, store: RunStore, nodes: Nodes, table: NodeTable | None) -> MachineRule:
    """The rule that a text names, for these runs. Raises `RuleRefused`."""
    words = words_of_rule(text)
    if len(words) > _MOST_PARTS:
        raise RuleRefused(f"'{shown(text)}' has more than {_MOST_PARTS} parts; leave some out")
    rule = MachineRule(text, tuple(_part(word, store, nodes, table) for word in words))
    if rule.count > _MOST_TYPES:
        raise RuleRefused(
            f"'{shown(text)}' may give {rule.count:,} machine types; choose a coarser rule"
        )
    return rule


def _part(word: str, store: RunStore, nodes: Nodes, table: NodeTable | None) -> _Part:
    kind, _, argument = word.partition(":")
    if kind == "one":
        return _Part("log", (ONE,), np.zeros(max(len(store.logs), 1), np.int64))
    if kind in ("prefix", "pattern", "nodes"):
        return _of_nodes(word, nodes, table)
    column = column_named(argument if kind == "column" else kind, store, _OTHERS)
    return _numbered(column, len(store.values(column)), texts_of(store, column))


def _of_nodes(word: str, nodes: Nodes, table: NodeTable | None) -> _Part:
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
    return _Part(nodes.column, each.names, lookup)


def _numbered(column: str, count: int, texts: Iterable[str | None]) -> _Part:
    """Each text that is not blank is a type."""
    labels = Labels()
    lookup = labels.lookup((text or None for text in texts), count)
    return _Part(column, labels, lookup)
