"""Rules that say which machine type a run ran on.

- `partition`, `features`, `machine`, `cluster` or `column:NAME`: a column of texts of the log;
- `prefix`: the name of the node up to its first digit;
- `pattern:REGEX`: what a regular expression finds in the name of the node;
- `nodes`: the table of nodes that was given.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from core.files.findings import shown, shown_list
from core.logs.nodes import expand_nodes
from core.logs.store import RunStore
from core.model.arrays import IntArray
from core.runs.node_table import NodeTable
from core.runs.rule_parts import UNKNOWN, RuleRefused
from core.runs.task_rules import matching

SEVERAL: Final = -2
"""The nodes of a run are of several machine types."""

_MOST_NAMES: Final = 5_000_000
"""Names of nodes in all lists together; lists beyond are not expanded."""
_PREFIX: Final = re.compile(r"[^\d]+")


class Nodes:
    """The nodes that runs ran on, each list expanded once."""

    def __init__(self, store: RunStore) -> None:
        self._lists = store.values("nodelist") if "nodelist" in store.texts else ()
        self._left = _MOST_NAMES
        self._expanded: dict[int, tuple[str, ...]] = {}

    @property
    def known(self) -> bool:
        """Whether the log says which nodes runs ran on."""
        return any(text not in ("", "None assigned") for text in self._lists)

    def of(self, number: int) -> tuple[str, ...]:
        """The names of a list; none where it is blank or cannot be read."""
        if number < 0:
            return ()
        if number not in self._expanded:
            self._expanded[number] = self._expand(self._lists[number])
        return self._expanded[number]

    def all(self) -> Iterator[tuple[str, ...]]:
        return (self.of(number) for number in range(len(self._lists)))

    def _expand(self, text: str) -> tuple[str, ...]:
        if text in ("", "None assigned", "(null)") or self._left <= 0:
            return ()
        try:
            names = expand_nodes(text)
        except ValueError:
            return ()
        self._left -= len(names)
        return names


@dataclass
class MachineRule:
    """A rule for one store: a machine type for each text of one column."""

    text: str
    column: str
    names: list[str] = field(default_factory=list)
    lookup: IntArray = field(default_factory=lambda: np.full(1, UNKNOWN, np.int64))

    def types(self, numbers: IntArray) -> IntArray:
        """The machine type of each run, by the number of its text; `UNKNOWN` or `SEVERAL`."""
        return self.lookup[numbers]


def machine_rule(text: str, store: RunStore, nodes: Nodes, table: NodeTable | None) -> MachineRule:
    """The rule that a text names, for these runs. Raises `RuleRefused`."""
    kind, _, argument = text.strip().partition(":")
    by_node = _by_node(kind, argument, table)
    if by_node is not None:
        if "nodelist" not in store.texts:
            raise RuleRefused(
                f"'{shown(text)}' needs the names of nodes, which this log does not have; add "
                "NodeList to the columns of the dump, or choose another rule"
            )
        return _of_lists(text, nodes, by_node)
    column = argument if kind == "column" else kind
    if column not in store.texts:
        offered = shown_list(store.texts, 12) or "none"
        raise RuleRefused(
            f"'{shown(text)}' is no column of this log; its columns are {offered}; other rules are "
            "prefix, pattern:... and nodes"
        )
    return _of_texts(text, column, store)


def usual_machine_rules(store: RunStore, nodes: Nodes, table: NodeTable | None) -> list[str]:
    """Rules to choose from when nobody has chosen, the best first."""
    found = ["nodes"] if table is not None and table.has_nodes and nodes.known else []
    if "machine" in store.texts:
        found.append("machine")
    if nodes.known:
        found.append("prefix")
    return [*found, *(rule for rule in ("partition", "queue", "cluster") if rule in store.texts)]


def _by_node(
    kind: str, argument: str, table: NodeTable | None
) -> Callable[[str], str | None] | None:
    """The machine type of a node by its name; None if the rule does not look at nodes."""
    if kind == "prefix":
        return _prefix
    if kind == "pattern":
        return matching(argument)
    if kind == "nodes":
        if table is None:
            raise RuleRefused(
                "'nodes' needs a table of nodes; give one with the columns node, type"
            )
        return table.type_of
    return None


def _prefix(node: str) -> str | None:
    match = _PREFIX.match(node)
    return match[0].rstrip("-_.") or match[0] if match else None


def _of_lists(text: str, nodes: Nodes, type_of: Callable[[str], str | None]) -> MachineRule:
    """The types of lists of nodes: that of their nodes, if it is one."""
    rule = MachineRule(text, "nodelist")
    numbers: dict[str, int] = {}
    known: dict[str, str | None] = {}
    lookup: list[int] = []
    for names in nodes.all():
        types = {known.setdefault(name, type_of(name)) for name in names}
        if len(types) > 1:
            lookup.append(SEVERAL)
        else:
            name = types.pop() if types else None
            lookup.append(UNKNOWN if not name else numbers.setdefault(name, len(numbers)))
    rule.names = list(numbers)
    rule.lookup = np.array([*lookup, UNKNOWN], np.int64)
    return rule


def _of_texts(text: str, column: str, store: RunStore) -> MachineRule:
    """Each text that is not blank is a type."""
    numbers: dict[str, int] = {}
    lookup = [
        numbers.setdefault(value, len(numbers)) if value else UNKNOWN
        for value in store.values(column)
    ]
    return MachineRule(text, column, list(numbers), np.array([*lookup, UNKNOWN], np.int64))
