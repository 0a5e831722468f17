"""An outcome as a file: a row for each job, and beside it how it came about.

`NAME.csv` or `NAME.parquet` has the rows. `option` is the number of the option among those of the
job, from 1; `units`, `pool` and times are those of that option. A job that was dropped has only an
`end`, when it was given up; one that never ran has no times at all. `NAME.toml` has the policy, the
energy budget and the sums. `NAME.workload.zip` is the workload.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.engines.replay.energy import EnergyWindows
from core.engines.replay.stated import StatedOutcome
from core.files.archive import ZipArchive, is_archive
from core.files.arrow_columns import is_parquet
from core.files.beside import SETTINGS_SUFFIX
from core.files.delimited import titles_of
from core.files.findings import Unreadable
from core.files.schema import Column, Schema

OUTCOME: Final[Schema] = (
    Column("job", "name"),
    Column("job_type", "name", ""),
    Column("pool", "name", "", always=True),
    Column("option", "whole", 0, always=True),
    Column("units", "whole", 0, always=True),
    Column("start", "number", math.nan, "seconds", always=True),
    Column("end", "number", math.nan, "seconds", always=True),
    Column("worth", "number", 0.0, "worth", always=True),
    Column("energy", "number", 0.0, "joules", always=True),
    Column("estimated_end", "number", math.nan, "seconds", always=True),
)
OUTCOME_COLUMNS: Final = tuple(column.name for column in OUTCOME)
OUTCOME_SUFFIXES: Final = (".csv", ".parquet")
WORKLOAD_SUFFIX: Final = ".workload.zip"


@dataclass(frozen=True)
class OutcomeNotes:
    """How an outcome came about: its policy, the seconds between events, the seed, the windows of
    the energy budget, and the sums that were stated.
    """

    policy: str
    every: float
    seed: int
    windows: EnergyWindows | None = None
    worth: float | None = None
    joules: float | None = None


@dataclass(frozen=True)
class OutcomeFile:
    """The rows of an outcome, and the notes beside them if there are any."""

    stated: StatedOutcome
    notes: OutcomeNotes | None


def is_outcome(data: bytes) -> bool:
    """Whether content says that it is an outcome, with or without faults: a table, or an archive
    with its workload.
    """
    if is_archive(data):
        try:
            names = ZipArchive(data).names
        except Unreadable:
            return False
        return any(name.endswith(WORKLOAD_SUFFIX) for name in names)
    return is_parquet(data) or titles_of(data).issuperset(OUTCOME_COLUMNS)


def notes_beside(path: Path) -> Path:
    """Where the notes on an outcome are."""
    return path.with_suffix(SETTINGS_SUFFIX)


def workload_beside(path: Path) -> Path:
    """Where the workload of an outcome is."""
    return path.with_suffix(WORKLOAD_SUFFIX)
