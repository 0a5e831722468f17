"""What a person or Slurm says of machines: a table of nodes, or of machine types."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path
from typing import Final, NamedTuple

from core.engines.logs.types.names import node_stems, unique_names
from core.engines.logs.types.node_listing import ListedNode, is_node_listing, parse_node_listing
from core.engines.logs.types.nodes import expand_nodes
from core.files import limits
from core.files.columns import ReadColumns
from core.files.disk import read_file
from core.files.findings import Findings, Reading, shown_list
from core.files.schema import Column, Schema
from core.files.table_file import read_table
from core.files.text import titles_of
from core.vocabulary.ranges import MACHINE_COUNT, Range
from core.vocabulary.say.words import Sense, amount, counted

_NOT_SAID: Final = 1 - 2**53
"""A blank cell of a whole number: below every range, and no number of nodes or cores."""
_NUMBERS: Final = (
    Column("cores", "whole", _NOT_SAID, allowed=Range(1, 1_000_000, "cores")),
    Column("gpus", "whole", _NOT_SAID, allowed=Range(0, 10_000, "GPUs")),
    Column("memory_gib", "number", math.nan, "GiB", allowed=Range(0, 1e6, "GiB")),
    Column("idle_watts", "number", math.nan, "watts", allowed=Range(0, 1e6, "W")),
    Column("busy_watts", "number", math.nan, "watts", allowed=Range(0, 1e6, "W")),
    Column("count", "whole", _NOT_SAID, allowed=Range(1, MACHINE_COUNT.high, "nodes")),
)
NODE_WORDS: Final = "nodes, node name, nodelist, node list, host, hosts"
"""Other words for a column of nodes."""
_SCHEMA: Final[Schema] = (
    Column("node", "text", "", called=NODE_WORDS),
    Column("type", "name"),
    *_NUMBERS,
)
_OF_NODES: Final = {column.name for column in _SCHEMA} - {"type", "count"}
"""No other table has one of these beside a type."""
_MOST_NODES: Final = 1_000_000
_NAMED: Final = 20
"""Nodes, or machine types, that a sentence names."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What a machine of a type has and draws; None where nobody has said.

    `nodes` is how many nodes there are, `cores`, `gpus` and memory what one node has; the watts are
    those of a node that idles or works.
    """

    nodes: int | None = None
    cores: int | None = None
    gpus: int | None = None
    idle_watts: float | None = None
    busy_watts: float | None = None
    memory_gib: float | None = None
    words: frozenset[str] = frozenset()
    """Models of GPUs, features and partitions that a node of the type has."""


@dataclass(frozen=True)
class NodeTable:
    """Machine types, and the nodes of each, where they are listed."""

    machines: Mapping[str, Machine] = field(default_factory=dict)
    _types: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What was taken for granted of the nodes, in sentences."""

    @property
    def has_nodes(self) -> bool:
        """Whether it says which type a node is of."""
        return bool(self._types)

    def type_of(self, node: str) -> str | None:
        """The machine type of a node, also without its domain; None if it is not in the table."""
        return self._types.get(node) or self._types.get(node.partition(".")[0])

    @property
    def in_words(self) -> str:
        each = Counter(self._types.values())
        types = shown_list((f"{count:,} {name}" for name, count in each.most_common()), _NAMED)
        return f"{counted(len(self._types), 'node')} of {counted(len(each), 'type')}: {types}."

    def of(self, machine_type: str) -> Machine:
        return self.machines.get(machine_type, Machine())

    def with_machines(self, machines: Mapping[str, Machine]) -> "NodeTable":
        """The table with what a person has typed in."""
        return replace(self, machines={**self.machines, **machines})


def read_node_table(path: Path) -> NodeTable:
    """The table of a CSV file with the columns `node` and `type`, and any of `cores`, `gpus`,
    `memory_gib`, `idle_watts`, `busy_watts`; without `node`, of machine types with their `count`. A
    node may be a list of Slurm such as `n[01-16]`. Or the nodes that `sinfo` or `scontrol show
    node` lists.

    Raises `InvalidInput` with all problems.
    """
    return Reading.of(
        path.name, lambda findings: parse_node_table(read_file(path), path.name, findings)
    ).require()


def is_node_table(data: bytes) -> bool:
    """Whether a file says that it is a table of nodes, with or without faults."""
    return _is_typed(data) or is_node_listing(data)


def _is_typed(data: bytes) -> bool:
    titles = titles_of(data)
    return "type" in titles and not titles.isdisjoint(_OF_NODES)


def parse_node_table(data: bytes, label: str, findings: Findings) -> NodeTable | None:
    """`read_node_table` of bytes; None if a column that it needs is missing."""
    if not _is_typed(data) and is_node_listing(data):
        return _of_listing(parse_node_listing(data, label, _MOST_NODES, findings))
    rows = read_table(label, data, _SCHEMA, findings, "nodes", limits.ROWS)
    if rows is None:
        return None
    types: dict[str, str] = {}
    machines: dict[str, Machine] = {}
    numbers = {column.name: _known(rows, column) for column in _NUMBERS}
    columns = (rows.listed(each) for each in ("type", "node"))
    for row, (name, listed) in enumerate(zip(*columns, strict=True)):
        nodes = _nodes(rows, row, listed) if "node" in rows.there else ()
        if len(types) + len(nodes) > _MOST_NODES:
            message = f"the table has more than {_MOST_NODES:,} nodes; leave some out"
            findings.error(label, rows.place(row), "node", message)
            break
        new = 0
        for node in nodes:
            new += node not in types
            if types.setdefault(node, name) != name and not findings.full:
                message = f"node '{node}' is of the types {types[node]} and {name}; keep one"
                findings.error(label, rows.place(row), "node", message)
        said = {title: values[row] for title, values in numbers.items()}
        there = new if "node" in rows.there else _whole(said["count"])
        machines[name] = _joined(machines.get(name), there, said)
    return NodeTable(machines, types)


def _of_listing(listed: Mapping[str, ListedNode]) -> NodeTable:
    """The table of nodes that Slurm lists. Nodes that are down or drained are of a type, but do not
    count, unless there are no others of it.
    """
    types: dict[str, str] = {}
    machines: dict[str, Machine] = {}
    notes: list[str] = []
    for name, nodes in types_of_listed(listed):
        said = [listed[node] for node in nodes]
        away = [node for node in nodes if listed[node].is_away]
        there = len(nodes) - len(away)
        types |= dict.fromkeys(nodes, name)
        machines[name] = Machine(
            there or len(nodes),
            said[0].cores,
            said[0].gpus,
            memory_gib=_largest(node.memory_gib for node in said),
            words=frozenset().union(*(n.models | n.features | n.partitions for n in set(said))),
        )
        if away:
            why = "and not counted" if there else "but counted, since there are no others"
            notes.append(f"Down or drained, {why}: {shown_list(away, _NAMED)} (of {name}).")
    return NodeTable(machines, types, tuple(notes))


def _known(rows: ReadColumns, column: Column) -> list[float | None]:
    """The numbers of a column; None where nobody has said one."""
    if column.kind == "number":
        return [None if math.isnan(n) else n for n in rows.numbers[column.name].tolist()]
    return [None if n == _NOT_SAID else n for n in rows.wholes[column.name].tolist()]


def _nodes(rows: ReadColumns, row: int, listed: str) -> tuple[str, ...]:
    fault = "is blank; give the node, or a list of nodes"
    try:
        if nodes := expand_nodes(listed):
            return nodes
    except ValueError as refusal:
        fault = str(refusal)
    rows.findings.error(rows.label, rows.place(row), "node", fault)
    return ()


def _joined(
    before: Machine | None, listed: int | None, numbers: Mapping[str, float | None]
) -> Machine:
    """What is known of a type after one more row: nodes are added up, of the rest the largest."""
    known = before or Machine()
    return Machine(
        _sum(known.nodes, listed),
        _whole(_largest((known.cores, numbers.get("cores")))),
        _whole(_largest((known.gpus, numbers.get("gpus")))),
        _largest((known.idle_watts, numbers.get("idle_watts"))),
        _largest((known.busy_watts, numbers.get("busy_watts"))),
        _largest((known.memory_gib, numbers.get("memory_gib"))),
    )


def _sum(first: int | None, second: int | None) -> int | None:
    return second if first is None else first + (second or 0)


def _largest(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


_ALIKE: Final = 1.25
"""Nodes are of one type if the largest memory is at most so many times the least: what Slurm is
told of equal nodes differs by some per cent.
"""
_MOST_STEMS: Final = 50
"""If names make more types, they are names of single nodes."""


class _Hardware(NamedTuple):
    """What a node has."""

    stem: str
    cores: int | None
    gpus: int | None
    models: frozenset[str]
    memory_gib: float | None

    @property
    def in_words(self) -> tuple[str, str, str]:
        """Its cores, GPUs and memory; blank where they are not known."""
        kind = " or ".join(sorted(self.models)) or ("GPU" if self.gpus == 1 else "GPUs")
        return (
            "" if self.cores is None else counted(self.cores, "core"),
            "" if self.gpus is None else f"{self.gpus or 'no'} {kind}",
            ""
            if self.memory_gib is None
            else amount(self.memory_gib, Sense.PLAIN, "GiB", digits=2),
        )

    def is_like(self, other: "_Hardware") -> bool:
        """Whether nodes are of one type, if this one has the least memory of it."""
        return self[:-1] == other[:-1] and (other.memory_gib or 0) <= _ALIKE * (
            self.memory_gib or 0
        )


def types_of_listed(listed: Mapping[str, ListedNode]) -> list[tuple[str, list[str]]]:
    """Names of machine types, and the nodes of each. Nodes are of one type if their names differ by
    the numbers that count nodes alone, and if they have the same cores and GPUs and about the same
    memory; where names give more than 50 types, what they have makes types alone. A type is called
    as its nodes are, and if necessary by what tells it from others.
    """
    stems = [stem or "" for stem in node_stems([*listed])]
    if len(set(stems)) > _MOST_STEMS:
        stems = [""] * len(stems)
    nodes: dict[_Hardware, list[str]] = {}
    for stem, (name, node) in zip(stems, listed.items(), strict=True):
        has = _Hardware(stem, node.cores, node.gpus, node.models, node.memory_gib)
        nodes.setdefault(has, []).append(name)
    of_stems: dict[str, list[list[_Hardware]]] = {stem: [] for stem in stems}
    for has in sorted(nodes, key=lambda one: one.memory_gib or 0):
        types = of_stems[has.stem]
        alike = next((one for one in types if one[0].is_like(has)), None)
        if alike is None:
            types.append([has])
        else:
            alike.append(has)
    names = [name for stem, types in of_stems.items() for name in _names(stem, types)]
    every = [one for types in of_stems.values() for one in types]
    return [
        (name, [node for has in one for node in nodes[has]])
        for name, one in zip(unique_names(names), every, strict=True)
    ]


def _names(stem: str, types: Sequence[Sequence[_Hardware]]) -> list[str]:
    """The stem, and what tells each type from the others of the stem."""
    said = [one[-1].in_words for one in types]
    tells = [len(set(words)) > 1 or not stem for words in zip(*said, strict=True)]
    return [" ".join(filter(None, [stem, *compress(words, tells)])) for words in said]
