"""Writes what came of whole tasks: its rows as CSV, and beside them its scores and its system."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import tomli_w

from core.capabilities.fair_shares.conversion import additions_of
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.outcome_file import (
    TASK_COLUMNS,
    TIME_COLUMNS,
    scores_beside,
    system_beside,
)
from core.files.archive import write_lines
from core.files.disk import cannot_write, replacing
from core.files.sheet import csv_cell
from core.files.system_file import write_beside

_SUFFIX: Final = ".csv"


def refuse_task_path(path: Path) -> None:
    """Raise `InvalidInput` if no outcome can have this name, before it is computed."""
    if path.suffix.casefold() != _SUFFIX:
        raise cannot_write(path, f"name a {_SUFFIX} file")
    if not path.absolute().parent.is_dir():
        raise cannot_write(path, "there is no such folder; make it first")


def write_tasks(outcome: TaskOutcome, path: Path) -> None:
    """Write a .csv file, and beside it `NAME.toml` and `NAME.system.zip`.

    Each file is replaced only when the new one is complete. Raises `InvalidInput` if one cannot be
    written. What is written reads back to tasks that the judge accepts.
    """
    refuse_task_path(path)
    with replacing(path) as stream:
        write_lines(stream, _rows(outcome))
    stated = {"policy": outcome.policy, **outcome.scores.as_dict()}
    with replacing(scores_beside(path)) as stream:
        tomli_w.dump(stated, stream)
    bags = outcome.bags
    write_beside(bags.system, system_beside(path), additions_of(bags))


def _rows(outcome: TaskOutcome) -> Iterator[str]:
    titles = (f"{name} (s)" if name in TIME_COLUMNS else name for name in TASK_COLUMNS)
    yield ",".join(titles) + "\n"
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
