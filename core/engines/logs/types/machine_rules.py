"""Rules that say which machine type a run ran on.

A rule is one or more of these words, joined by `+`:

- `partition`, `features`, `machine`, `cluster` or `column:NAME`: a column of texts of the log;
- `prefix`: the name of the node without the numbers that count nodes;
- `pattern:REGEX`: what a regular expression finds in the name of the node;
- `nodes`: the table of nodes that was given;
- `one`: all machines are of one type.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np

from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.node_table import NodeTable
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.patterns import found_in
from core.engines.logs.types.rule_parts import (
    NOT_KEPT,
    SEVERAL,
    UNKNOWN,
    Rule,
    RuleRefused,
    TextPart,
    column_named,
    rule_of,
    texts_of,
)
from core.engines.logs.types.stems import node_stems
from core.files.findings import shown

ONE: Final = "machine"
"""The machine type of all machines."""

_MOST_TYPES: Final = 1_000_000
_OTHERS: Final = "prefix, pattern:..., nodes and one"


def machine_rule(text: str, store: RunStore, nodes: Nodes, table: NodeTable | None) -> Rule:
    """The rule that a text names, for these runs. Raises `RuleRefused`."""
    rule = rule_of(text, lambda word: _part(word, store, nodes, table))
    if rule.count > _MOST_TYPES:
        raise RuleRefused(
            f"'{shown(text)}' may give {rule.count:,} machine types; choose a coarser rule"
        )
    return rule


def _part(word: str, store: RunStore, nodes: Nodes, table: NodeTable | None) -> TextPart:
    kind, _, argument = word.partition(":")
    if kind == "one":
        return TextPart("log", (ONE,), np.zeros(max(len(store.logs), 1), np.int64))
    if kind in ("prefix", "pattern", "nodes"):
        return _of_nodes(word, nodes, table)
    column = column_named(argument if kind == "column" else kind, store, _OTHERS)
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
