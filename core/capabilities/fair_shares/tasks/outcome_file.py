"""What came of whole tasks as files: `NAME.csv` has a row a task, in the order of sending.

Machines of a type count from 1; times are in seconds. `NAME.toml` has the policy and the scores,
`NAME.system.zip` is the system with its bags and its network.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import tomli_w

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.beside import additions_of
from core.capabilities.fair_shares.tasks.outcome import SCORE_NAMES, TaskOutcome
from core.files.archive import write_lines
from core.files.beside import SETTINGS_SUFFIX, settings_of_toml
from core.files.columns import ReadColumns
from core.files.disk import read_file, refuse_path, replacing
from core.files.findings import Findings, Reading, Unreadable
from core.files.schema import SECONDS, Column, Schema, columns_called
from core.files.sheet import csv_cell
from core.files.strict_json import Fields
from core.files.system_file import write_beside
from core.files.table_file import read_table, sheet_of_table
from core.files.text import decode

TIME_COLUMNS: Final = ("sent", "arrived", "start", "end")
TASKS: Final[Schema] = (
    Column("bag", "name"),
    Column("machine_type", "name"),
    Column("machine", "whole"),
    *(Column(name, "number", unit="seconds", symbols=SECONDS) for name in TIME_COLUMNS),
)
TASK_COLUMNS: Final = tuple(column.name for column in TASKS)
_TITLE: Final = "outcome"
_OF_TASKS: Final = ("bag", "sent", "arrived")
"""Columns that no schedule file has."""
SUFFIXES: Final = (".csv",)


@dataclass(frozen=True, eq=False)
class StatedTasks:
    """The tasks of an outcome file, where each is, and the scores that are stated beside it."""

    outcome: TaskOutcome
    places: tuple[str, ...]
    scores: dict[str, float]


def scores_beside(path: Path) -> Path:
    """Where the policy and the scores of an outcome are."""
    return path.with_suffix(SETTINGS_SUFFIX)


def system_beside(path: Path) -> Path:
    """Where the system of an outcome is."""
    return path.with_suffix(".system.zip")


def is_task_outcome(path: Path) -> bool:
    """Whether a file says that it is an outcome of whole tasks, with or without faults."""
    try:
        sheet = sheet_of_table(path.name, read_file(path), _TITLE, Findings())
        first = next((row for row in islice(sheet.rows, 1)), None)
    except Unreadable:
        return False
    cells = [] if first is None else [sheet.name(cell) for cell in first.cells]
    return len(columns_called(cells, TASKS).keys() & {*_OF_TASKS}) >= len(_OF_TASKS) - 1


def inspect_task_outcome(path: Path, bags: ArrivingBags) -> Reading[StatedTasks]:
    """The tasks in a file, which are those of these bags."""

    def read(findings: Findings) -> StatedTasks | None:
        policy, scores = _stated_beside(path, findings)
        rows = read_table(path.name, read_file(path), TASKS, findings, _TITLE)
        if rows is None:
            return None
        tasks = _tasks(rows, bags, policy)
        return StatedTasks(tasks, tuple(map(rows.place, range(len(rows)))), scores)

    return Reading.of(path.name, read)


def _tasks(rows: ReadColumns, bags: ArrivingBags, policy: str) -> TaskOutcome:
    system = bags.system
    bag = rows.positions("bag", bags.names, "a bag of the system")
    kind = rows.positions("machine_type", system.machine_names, "a machine type of the system")
    machine = rows.wholes["machine"]
    there = np.array([each.count for each in system.machine_types])[np.maximum(kind, 0)]
    rows.report(
        (kind >= 0) & ((machine < 1) | (machine > there)),
        "machine",
        lambda row: (
            f"there is no machine {machine[row]:,}; the type has machines 1 to {there[row]:,}"
        ),
    )
    times = (rows.numbers[name] for name in TIME_COLUMNS)
    return TaskOutcome(bags, policy, bag, kind, machine - 1, *times)


def _stated_beside(path: Path, findings: Findings) -> tuple[str, dict[str, float]]:
    """The policy and the scores in the file beside an outcome; nothing if there is none."""
    beside = scores_beside(path)
    content: dict[str, object] = {}
    if beside.exists():
        with findings.refusals(beside.name):
            content = settings_of_toml(decode(read_file(beside), beside.name, findings))
    given = Fields(content, beside.name, findings)
    given.warn_of_unused(("policy", *SCORE_NAMES))
    policy = given.text("policy") if given.has("policy") else ""
    return policy, {name: given.number(name) for name in SCORE_NAMES if given.has(name)}


def write_tasks(outcome: TaskOutcome, path: Path) -> None:
    """Write a .csv file, and beside it `NAME.toml` and `NAME.system.zip`.

    Each file is replaced only when the new one is complete. Raises `InvalidInput` if one cannot be
    written. What is written reads back to tasks that the judge accepts.
    """
    refuse_path(path, SUFFIXES)
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
