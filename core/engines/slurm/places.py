"""The rows of a map, as a person types them or as a log proposes them, and what they bind."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from core.engines.slurm.binding import COLUMNS, Binding, read_binding
from core.engines.slurm.node_lists import fold_nodes
from core.files.findings import Findings
from core.files.sheet import Sheet, SheetRow
from core.vocabulary.kinds import MachineType
from core.vocabulary.requests import LogRequests
from core.vocabulary.system import System

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
