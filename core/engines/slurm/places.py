"""Lists of nodes as Slurm reads them, and the rows of a map that binds machines to them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from core.engines.slurm.binding import COLUMNS, Binding, read_binding
from core.files.findings import Findings
from core.files.sheet import Sheet, SheetRow
from core.vocabulary.kinds import MachineType
from core.vocabulary.node_use import NodeUse
from core.vocabulary.requests import LogRequests
from core.vocabulary.system import System

_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}")
_NUMBERED: Final = re.compile(r"(.*?)([0-9]{1,18})")


def nodes_of_machines(use: NodeUse | None, system: System) -> tuple[tuple[str, ...], ...]:
    """The node of each machine of each type, as far as a log names them, in the order of
    `fold_nodes`; none without a log. Machines that share a node have it one after the other.
    """
    if use is None:
        return ()
    kinds = {name: kind for kind, name in enumerate(use.names)}
    found = []
    for one in system.machine_types:
        kind = kinds.get(one.name, -1)
        names = [use.node_names[place] for place in np.flatnonzero(use.node_types == kind)]
        on_each = max(round(float(use.machines[kind])), 1) if kind >= 0 else 0
        nodes = np.repeat(sorted(filter(_PLAIN.fullmatch, names), key=_by_number), on_each)
        found.append(tuple(nodes[: one.count].tolist()))
    return tuple(found)


def _by_number(name: str) -> tuple[str, int, str]:
    numbered = _NUMBERED.fullmatch(name)
    return (numbered[1], int(numbered[2]), name) if numbered else (name, -1, name)


def fold_nodes(names: Iterable[str]) -> str:
    """A list of nodes as Slurm reads it, sorted; each name comes once. Names that cannot stand in
    such a list, or that a line of slurm.conf could take for something else, are left out.

    >>> fold_nodes(["n10", "n9", "login", "n11"])
    'login,n[9-11]'
    """
    parts: list[str] = []
    plain = sorted(filter(_PLAIN.fullmatch, {*names}))
    numbered = [match for name in plain if (match := _NUMBERED.fullmatch(name))]
    parts += sorted({*plain} - {match[0] for match in numbered})
    heads: dict[str, list[str]] = {}
    for match in numbered:
        heads.setdefault(match[1], []).append(match[2])
    for head, digits in heads.items():
        ranges: list[list[str]] = []
        for one in sorted(digits, key=lambda text: (int(text), len(text))):
            before = ranges[-1] if ranges else None
            if before and one == f"{int(before[-1]) + 1:0{len(before[0])}}":
                before.append(one)
            else:
                ranges.append([one])
        said = [each[0] if len(each) == 1 else f"{each[0]}-{each[-1]}" for each in ranges]
        inside = ",".join(said)
        parts.append(f"{head}{inside}" if inside.isdigit() else f"{head}[{inside}]")
    return ",".join(sorted(parts))


MAP: Final = "the map"
ROWS_OF_MACHINES: Final = 64
"""The most machines that have a row each at first; of more, each machine type has one row."""
NodesOfTypes = Sequence[Sequence[str]]
"""The nodes of the machines of each machine type, as far as they are known."""


class PlaceRow(NamedTuple):
    """A row of the map as it is typed; the columns are those of a map file."""

    machine_type: str = ""
    machine: str = ""
    node: str = ""
    constraint: str = ""
    partition: str = ""

    @property
    def has_place(self) -> bool:
        return any(cell.strip() for cell in self[2:])


def first_rows(
    system: System, nodes: NodesOfTypes = (), log: LogRequests | None = None
) -> tuple[PlaceRow, ...]:
    """What is known of places before a person says anything: a row for each machine, or of many
    machines for each machine type.
    """
    many = sum(kind.count for kind in system.machine_types) > ROWS_OF_MACHINES
    return (rows_of_types if many else rows_of_machines)(system, nodes, log)


def rows_of_machines(
    system: System, nodes: NodesOfTypes = (), log: LogRequests | None = None
) -> tuple[PlaceRow, ...]:
    """A row for each machine, with its node and its partition if they are known."""
    return tuple(
        PlaceRow(kind.name, str(number + 1), "".join(known[number : number + 1]), "", partition)
        for kind, known, partition in _known(system, nodes, log)
        for number in range(kind.count)
    )


def rows_of_types(
    system: System, nodes: NodesOfTypes = (), log: LogRequests | None = None
) -> tuple[PlaceRow, ...]:
    """A row for each machine type that has machines, with its partition, and with their nodes if
    each has one of its own, as far as these are known.
    """
    return tuple(
        PlaceRow(
            kind.name, "", fold_nodes(known) if len({*known}) == kind.count else "", "", partition
        )
        for kind, known, partition in _known(system, nodes, log)
        if kind.count
    )


def _known(
    system: System, nodes: NodesOfTypes, log: LogRequests | None
) -> Iterator[tuple[MachineType, Sequence[str], str]]:
    kinds = system.machine_types
    partitions = [log.partitions.get(kind.name, "") if log else "" for kind in kinds]
    return zip(kinds, nodes or [()] * len(kinds), partitions, strict=True)


def bound_by(rows: Iterable[PlaceRow], system: System, findings: Findings) -> Binding | None:
    """The places that are given; None if none is. A row without one is not finished yet."""
    given = [
        SheetRow(number, [*row], unit="row") for number, row in enumerate(rows, 1) if row.has_place
    ]
    if not given:
        return None
    sheet = Sheet(MAP, [SheetRow(0, [*COLUMNS]), *given], is_text=False)
    return read_binding(sheet, system, findings)
