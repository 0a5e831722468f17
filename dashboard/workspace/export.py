"""Exports of schedules and systems, and the template: the content of their files."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from core import System, write_schedule, write_system
from core.files.limits import JOB_ROWS, WORKBOOK_COLUMNS, WORKBOOK_ROWS
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its name and suffix."""

    label: str
    suffix: str


_EXCEL: Final = Format("Excel", ".xlsx")
_JSON: Final = Format("JSON", ".json")
FORMATS: Final = (Format("CSV", ".csv"), _JSON, _EXCEL)
"""The formats of schedules."""
SYSTEM_FORMATS: Final = (_EXCEL, Format("CSV tables", ".zip"), _JSON)


def file_blocks(schedule: Schedule) -> int:
    """The number of rows in a schedule file: one for each block of equal tasks on a machine."""
    return int(schedule.machines @ (schedule.tasks > 0).sum(axis=1))


def blocks_fit(blocks: int, suffix: str) -> bool:
    """Whether a format can hold so many blocks."""
    return blocks <= (WORKBOOK_ROWS - 1 if suffix == ".xlsx" else JOB_ROWS)


def schedule_bytes(schedule: Schedule, suffix: str) -> bytes:
    return written_bytes(partial(write_schedule, schedule), suffix)


def system_fits(system: System, suffix: str) -> bool:
    """Whether a format can hold the system."""
    return suffix != ".xlsx" or (
        len(system.task_types) < WORKBOOK_ROWS and len(system.machine_types) < WORKBOOK_COLUMNS
    )


def system_bytes(system: System, suffix: str) -> bytes:
    return written_bytes(partial(write_system, system), suffix)


def written_bytes(write: Callable[[Path], None], suffix: str) -> bytes:
    """The bytes that `write` writes to a file with this suffix."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        write(path)
        return path.read_bytes()


def file_name(system_name: str, suffix: str, what: str = "schedule") -> str:
    """A file name that is valid on any disk: "wattfront-nine-schedule.csv"."""
    safe = re.sub(r"[^A-Za-z0-9]+", "-", system_name).strip("-")[:60] or "system"
    return f"wattfront-{safe}-{what}{suffix}"


def template() -> System:
    """A system to fill in, with every kind of cell: three task types on three machine types; one
    pair cannot run, so its cells are blank.
    """
    never, blank = np.inf, np.nan
    return System(
        (TaskType("render", 5000), TaskType("train", 300), TaskType("index", 1200)),
        (
            MachineType("old server", 20, 45),
            MachineType("new server", 16, 60),
            MachineType("GPU", 4, 110),
        ),
        np.array([[120.0, 60.0, never], [900.0, 450.0, 40.0], [75.0, 31.5, 28.0]]),
        np.array([[180.0, 210.0, blank], [190.0, 230.0, 410.0], [150.0, 170.0, 320.0]]),
    )
