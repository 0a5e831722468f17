"""Writes what came of whole tasks as CSV: a row a task, in the order in which they were sent."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from core.files.archive import write_lines
from core.files.disk import cannot_write, replacing
from core.files.names import csv_cell
from core.stretch.tasks.outcome import TaskOutcome

TASK_COLUMNS: Final = (
    *("bag", "machine_type", "machine", "sent (s)", "arrived (s)", "start (s)", "end (s)"),
)
_SUFFIX: Final = ".csv"


def refuse_task_path(path: Path) -> None:
    """Raise `InvalidInput` if no outcome can have this name, before it is computed."""
    if path.suffix.casefold() != _SUFFIX:
        raise cannot_write(path, f"name a {_SUFFIX} file")
    if not path.absolute().parent.is_dir():
        raise cannot_write(path, "there is no such folder; make it first")


def write_tasks(outcome: TaskOutcome, path: Path) -> None:
    """Write a .csv file, which is replaced only when the new one is complete.

    Machines of a type count from 1. Raises `InvalidInput` if it cannot be written.
    """
    refuse_task_path(path)
    with replacing(path) as stream:
        write_lines(stream, _rows(outcome))


def _rows(outcome: TaskOutcome) -> Iterator[str]:
    yield ",".join(TASK_COLUMNS) + "\n"
    bags = [csv_cell(name) for name in outcome.bags.names]
    machines = [csv_cell(name) for name in outcome.bags.system.machine_names]
    columns = (
        outcome.bag,
        outcome.machine_type,
        outcome.machine + 1,
        *(outcome.sent, outcome.arrived, outcome.start, outcome.end),
    )
    order = np.argsort(outcome.sent, kind="stable")
    for bag, kind, machine, *times in zip(*(each[order].tolist() for each in columns), strict=True):
        yield ",".join([bags[bag], machines[kind], str(machine), *map(repr, times)]) + "\n"
