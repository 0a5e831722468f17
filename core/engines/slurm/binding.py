"""The table that binds machines to nodes: `machine_type, machine, node, constraint, partition`."""

import re
from dataclasses import dataclass, field
from typing import Final

from core.engines.logs.types.node_table import NODE_WORDS
from core.engines.logs.types.nodes import expand_nodes
from core.files.findings import Findings, shown
from core.files.headings import MACHINE_TYPE
from core.files.numbers import UnusableCell, parse_whole, whole_fault
from core.files.schema import Column, Schema, find_columns
from core.files.sheet import Sheet, SheetRow
from core.vocabulary.say.words import counted
from core.vocabulary.system import System

SCHEMA: Final[Schema] = (
    MACHINE_TYPE,
    Column("machine", "whole", 0),
    Column("node", "text", "", called=NODE_WORDS),
    Column("constraint", "text", "", called="constraints, feature, features"),
    Column("partition", "text", "", called="partitions, queue"),
)
COLUMNS: Final = tuple(column.name for column in SCHEMA)
TITLE: Final = "map"

_NODE: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_PARTITION: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.,-]*")
_CONSTRAINT: Final = re.compile(r"[A-Za-z0-9_!(\[][A-Za-z0-9_.:=!&|*,()\[\]-]*")
_PATTERNS: Final = {"node": _NODE, "constraint": _CONSTRAINT, "partition": _PARTITION}


@dataclass(frozen=True, slots=True)
class Place:
    """Where Slurm runs the tasks of a machine; a blank part leaves the choice to Slurm."""

    node: str = ""
    constraint: str = ""
    partition: str = ""

    def options(self, *, shared: bool = False) -> tuple[str, ...]:
        """The options of `sbatch`. The job has its node for itself alone, unless the table has
        several machines on that node (`shared`).
        """
        named = (
            ("--nodelist", self.node),
            ("--constraint", self.constraint),
            ("--partition", self.partition),
        )
        options = tuple(f"{option}={value}" for option, value in named if value)
        alone = () if shared else ("--exclusive",)
        return (*alone, *options) if self.node else ("--nodes=1", *alone, *options)


@dataclass(slots=True)
class Binding:
    """The places of machines, as a table gives them; `label` names the table in problems."""

    label: str
    machines: dict[tuple[int, int], Place] = field(default_factory=dict)
    """By machine type and number, for machines with a row of their own."""
    types: dict[int, tuple[tuple[str, ...], Place]] = field(default_factory=dict)
    """The nodes of all machines of a type in order, if any, and what else is said of them."""

    def place(self, machine_type: int, machine: int) -> Place | None:
        """The place of a machine, 1 being the first of its type; None if the table has none."""
        single = self.machines.get((machine_type, machine))
        if single is not None or machine_type not in self.types:
            return single
        nodes, place = self.types[machine_type]
        if not nodes:
            return place
        if machine > len(nodes):
            return None
        return Place(nodes[machine - 1], place.constraint, place.partition)


def read_binding(sheet: Sheet, system: System, findings: Findings) -> Binding | None:
    """The places of the machines of a system; None if the table cannot be used.

    A row without a number is for all machines of its type: they get the nodes of its list in
    order. Rows of other machine types are reported, and not used.
    """
    errors = findings.errors
    with findings.refusals(sheet.label):
        rows = sheet.fitted_rows(findings)
        column = find_columns(sheet, next(rows, SheetRow(1, [])), SCHEMA, findings)
        if column is None:
            return None
        reader = _Rows(sheet, system, column, findings)
        for row in rows:
            if row.whole:
                reader.read(row)
        return reader.binding if findings.errors == errors else None
    return None


class _Rows:
    """Puts one row after the other into a binding, and reports what is wrong with it."""

    def __init__(
        self, sheet: Sheet, system: System, column: dict[str, int], findings: Findings
    ) -> None:
        self.binding = Binding(sheet.label)
        self._sheet = sheet
        self._system = system
        self._column = column
        self._findings = findings
        self._position = {name: j for j, name in enumerate(system.machine_names)}
        self._line: dict[tuple[int, int | None], str] = {}

    def read(self, row: SheetRow) -> None:
        errors = self._findings.errors
        name = self._cell(row, "machine_type")
        kind = self._position.get(name)
        if self._findings.errors > errors:
            return
        if kind is None:
            self._findings.warning(
                self._sheet.label,
                row.place,
                "machine_type",
                f"'{shown(name)}' is not a machine type of the system; the row is not used",
            )
            return
        machine = self._machine(row, kind)
        nodes = self._nodes(row)
        parts = {one: self._checked(row, one) for one in COLUMNS[3:]}
        if self._findings.errors > errors:
            return
        if not nodes and not any(parts.values()):
            self._error(row, "node", "no place is given; give a node, a constraint or a partition")
        elif machine is not None and len(nodes) > 1:
            said = f"{len(nodes):,} nodes are given for one machine; give one"
            self._error(row, "node", said)
        elif machine is None:
            self._bind_type(row, kind, nodes, Place(**parts))
        else:
            self._bind_machine(row, (kind, machine), Place("".join(nodes), **parts))

    def _bind_type(self, row: SheetRow, kind: int, nodes: tuple[str, ...], place: Place) -> None:
        there = self._system.machine_types[kind].count
        if kind in self.binding.types:
            self._report_twice(row, (kind, None), "all machines of the type")
        elif nodes and len(nodes) < there:
            self._error(
                row,
                "node",
                f"{counted(len(nodes), 'node')} for {counted(there, 'machine')}; give one node for "
                "each",
            )
        else:
            if len(nodes) > there:
                said = (
                    f"{len(nodes):,} nodes are given for {counted(there, 'machine')}; the last ones"
                )
                self._findings.warning(
                    self._sheet.label, row.place, "node", f"{said} are not used; check the list"
                )
            self._line[kind, None] = row.place
            self.binding.types[kind] = nodes, place

    def _bind_machine(self, row: SheetRow, machine: tuple[int, int], place: Place) -> None:
        if machine in self.binding.machines:
            self._report_twice(row, machine, f"machine {machine[1]:,}")
        else:
            self._line[machine] = row.place
            self.binding.machines[machine] = place

    def _report_twice(self, row: SheetRow, key: tuple[int, int | None], what: str) -> None:
        self._error(row, "machine", f"{what} is there already ({self._line[key]}); remove one row")

    def _machine(self, row: SheetRow, kind: int) -> int | None:
        """The number of the machine; None if the row is for all, or if the number is wrong."""
        cell = self._cell(row, "machine")
        if not cell:
            return None
        machine, there = parse_whole(cell), self._system.machine_types[kind].count
        if machine is None:
            self._error(row, "machine", whole_fault(cell))
        elif not 1 <= machine <= there:
            said = f"there is no machine {machine:,}; the type has machines 1 to {there:,}"
            self._error(row, "machine", said)
        return machine

    def _nodes(self, row: SheetRow) -> tuple[str, ...]:
        try:
            nodes = expand_nodes(self._cell(row, "node"))
        except ValueError as refusal:
            self._error(row, "node", str(refusal))
            return ()
        for node in nodes:
            if not _NODE.fullmatch(node):
                self._error(row, "node", _not_a("node", node))
                break
        return nodes

    def _checked(self, row: SheetRow, name: str) -> str:
        cell = self._cell(row, name)
        if cell and not _PATTERNS[name].fullmatch(cell):
            self._error(row, name, _not_a(name, cell))
        return cell

    def _cell(self, row: SheetRow, name: str) -> str:
        place = self._column.get(name)
        cell = "" if place is None else row.cells[place]
        if isinstance(cell, UnusableCell):
            self._error(row, name, cell.why)
            return ""
        return self._sheet.name(cell)

    def _error(self, row: SheetRow, column: str, message: str) -> None:
        self._findings.error(self._sheet.label, row.place, column, message)


def _not_a(what: str, text: str) -> str:
    return f"'{shown(text)}' is not the name of a {what} in Slurm; correct it"
