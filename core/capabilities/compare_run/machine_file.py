"""A comparison machine by machine, as a CSV file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core.capabilities.compare_run.comparison import RunComparison
from core.files.archive import write_lines
from core.files.disk import replacing
from core.files.numbers import number_cell
from core.files.sheet import csv_cell

COLUMNS: Final = (
    "machine_type",
    "machine",
    "nodes",
    "tasks",
    "ran",
    "failed",
    "missing",
    "again",
    "overlapping",
    "elsewhere",
    "in_order",
    "planned (s)",
    "measured (s)",
    "began (s)",
    "waited (s)",
)


def machine_lines(compared: RunComparison) -> Iterator[str]:
    """The lines of the file. Times that are unknown are blank; names cannot be formulas."""
    yield ",".join(COLUMNS) + "\n"
    machines = compared.machines
    names = [csv_cell(name) for name in compared.system.machine_names]
    for k in range(len(machines)):
        counts = (
            machines.tasks[k],
            machines.ran[k],
            machines.failed[k],
            machines.missing[k],
            machines.again[k],
            machines.overlapping[k],
            machines.elsewhere[k],
        )
        times = (machines.planned[k], machines.measured[k], machines.began[k], machines.waited[k])
        cells = (
            names[machines.machine_type[k]],
            str(machines.machine[k]),
            csv_cell(" ".join(machines.nodes[k])),
            *map(str, counts),
            "yes" if machines.in_order[k] else "no",
            *(number_cell(float(time)) for time in times),
        )
        yield ",".join(cells) + "\n"


def write_machines(compared: RunComparison, path: Path) -> None:
    """Write the file; an old one is replaced when the new one is complete."""
    with replacing(path) as stream:
        write_lines(stream, machine_lines(compared))
