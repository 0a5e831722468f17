"""Reads an outcome of whole tasks. Whether it can have happened is for the judge to say."""

from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.tasks.outcome import SCORE_NAMES, TaskOutcome
from core.capabilities.fair_shares.tasks.outcome_file import (
    TASKS,
    TIME_COLUMNS,
    StatedTasks,
    scores_beside,
)
from core.files.beside import settings_of_toml
from core.files.columns import ReadColumns
from core.files.disk import read_file
from core.files.fields import Fields
from core.files.findings import Findings, Reading, Unreadable
from core.files.schema import columns_called
from core.files.table_file import read_table, sheet_of_table
from core.files.text import decode

_TITLE: Final = "outcome"
_OF_TASKS: Final = ("bag", "sent", "arrived")
"""Columns that no schedule file has."""


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
