"""What came of whole tasks as files: `NAME.csv` has a row a task, in the order of sending.

Machines of a type count from 1; times are in seconds. `NAME.toml` has the policy and the scores,
`NAME.system.zip` is the system with its bags and its network.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.files.beside import SETTINGS_SUFFIX
from core.files.schema import SECONDS, Column, Schema

TIME_COLUMNS: Final = ("sent", "arrived", "start", "end")
TASKS: Final[Schema] = (
    Column("bag", "name"),
    Column("machine_type", "name"),
    Column("machine", "whole"),
    *(Column(name, "number", unit="seconds", symbols=SECONDS) for name in TIME_COLUMNS),
)
TASK_COLUMNS: Final = tuple(column.name for column in TASKS)


@dataclass(frozen=True, eq=False)
class StatedTasks:
    """The tasks of an outcome file, and where each is; the policy and the scores that are stated
    beside it, by their names.
    """

    outcome: TaskOutcome
    places: tuple[str, ...]
    scores: dict[str, float]


def scores_beside(path: Path) -> Path:
    """Where the policy and the scores of an outcome are."""
    return path.with_suffix(SETTINGS_SUFFIX)


def system_beside(path: Path) -> Path:
    """Where the system of an outcome is."""
    return path.with_suffix(".system.zip")
