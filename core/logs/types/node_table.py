"""A table of nodes or of machine types: what a log does not say of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from core.files.delimited import sheet_of_text, titles_of
from core.files.disk import read_file
from core.files.findings import Findings, shown
from core.files.number_format import in_one_format
from core.files.numbers import number_fault, parse_number, parse_whole, whole_fault
from core.files.reading import Reading
from core.files.sheet import SheetRow
from core.files.tables import find_columns
from core.files.text import decode
from core.logs.reading.node_lists import expand_nodes
from core.model.ranges import MACHINE_COUNT, Range

_RANGES: Final[Mapping[str, Range]] = {
    "cores": Range(1, 1_000_000, "cores"),
    "gpus": Range(0, 10_000, "GPUs"),
    "memory_gib": Range(0, 1e6, "GiB"),
    "idle_watts": Range(0, 1e6, "W"),
    "busy_watts": Range(0, 1e6, "W"),
    "count": Range(1, MACHINE_COUNT.high, "nodes"),
}
_WHOLE: Final = frozenset({"cores", "gpus", "count"})
_COLUMNS: Final = ("node", "type", *_RANGES)
_OF_NODES: Final = {*_COLUMNS} - {"type", "count"}
"""No other table has one of these beside a type."""
_MOST_NODES: Final = 1_000_000


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


@dataclass(frozen=True)
class NodeTable:
    """Machine types, and the nodes of each, where they are listed."""

    machines: Mapping[str, Machine] = field(default_factory=dict)
    _types: Mapping[str, str] = field(default_factory=dict)

    @property
    def has_nodes(self) -> bool:
        """Whether it says which type a node is of."""
        return bool(self._types)

    def type_of(self, node: str) -> str | None:
        """The machine type of a node; None if it is not in the table."""
        return self._types.get(node)

    def of(self, machine_type: str) -> Machine:
        return self.machines.get(machine_type, Machine())

    def with_machines(self, machines: Mapping[str, Machine]) -> "NodeTable":
        """The table with what a person has typed in."""
        return replace(self, machines={**self.machines, **machines})


def read_node_table(path: Path) -> NodeTable:
    """The table of a CSV file with the columns `node` and `type`, and any of `cores`, `gpus`,
    `memory_gib`, `idle_watts`, `busy_watts`; without `node`, of machine types with their `count`. A
    node may be a list of Slurm such as `n[01-16]`.

    Raises `InvalidInput` with all problems.
    """
    return Reading.of(
        path.name, lambda findings: parse_node_table(read_file(path), path.name, findings)
    ).require()


def is_node_table(data: bytes) -> bool:
    """Whether a CSV file says that it is a table of nodes, with or without faults."""
    titles = titles_of(data)
    return "type" in titles and not titles.isdisjoint(_OF_NODES)


def parse_node_table(data: bytes, label: str, findings: Findings) -> NodeTable | None:
    """`read_node_table` of bytes; None if a column that it needs is missing."""
    sheet = sheet_of_text(decode(data, label, findings), label, findings)
    rows = sheet.fitted_rows(findings)
    header = next(rows, SheetRow(1, []))
    columns = find_columns(sheet, header, _COLUMNS, ("type",), findings)
    if columns is None:
        return None
    rows = in_one_format(rows, label, {t: columns[t] for t in _RANGES if t in columns}, findings)
    types: dict[str, str] = {}
    machines: dict[str, Machine] = {}
    for row in rows:
        if not row.whole:
            continue
        name = sheet.name(row.cells[columns["type"]])
        if not name:
            findings.error(label, row.place, "type", "is blank; give the machine type")
            continue
        numbers = {
            title: _number(row, columns[title], title, label, findings)
            for title in _RANGES
            if title in columns
        }
        nodes = _nodes(row, columns.get("node"), label, findings)
        if len(types) + len(nodes) > _MOST_NODES:
            message = f"the table has more than {_MOST_NODES:,} nodes; leave some out"
            findings.error(label, row.place, "node", message)
            break
        new = 0
        for node in nodes:
            new += node not in types
            if types.setdefault(node, name) != name and not findings.full:
                message = f"node '{node}' is of the types {types[node]} and {name}; keep one"
                findings.error(label, row.place, "node", message)
        listed = new if "node" in columns else _whole(numbers.get("count"))
        machines[name] = _joined(machines.get(name), listed, numbers)
    return NodeTable(machines, types)


def _nodes(row: SheetRow, column: int | None, label: str, findings: Findings) -> tuple[str, ...]:
    if column is None:
        return ()
    try:
        nodes = expand_nodes(row.cells[column])
    except ValueError as refusal:
        findings.error(label, row.place, "node", str(refusal))
        return ()
    if not nodes:
        findings.error(label, row.place, "node", "is blank; give the node, or a list of nodes")
    return nodes


def _number(row: SheetRow, column: int, title: str, label: str, findings: Findings) -> float | None:
    cell = row.cells[column]
    if not cell.strip():
        return None
    allowed, whole = _RANGES[title], title in _WHOLE
    value = parse_whole(cell) if whole else parse_number(cell)
    if value is None:
        fault = whole_fault(cell) if whole else number_fault(cell)
        findings.error(label, row.place, title, fault)
        return None
    if value not in allowed:
        message = f"'{shown(cell.strip())}' is not in range; give {allowed}"
        findings.error(label, row.place, title, message)
        return None
    return value


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
