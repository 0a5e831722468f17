"""Schedules and systems as the content of files to take away."""

import re
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from core.files import write_schedule, write_system
from core.files.limits import BLOCKS, WORKBOOK_COLUMNS, WORKBOOK_ROWS
from core.schedule import Schedule
from core.system import System


@dataclass(frozen=True, slots=True)
class Format:
    """A format of schedule files, and the most blocks that fit in one."""

    label: str
    suffix: str
    mime: str
    most_blocks: int


_EXCEL: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FORMATS: Final = (
    Format("CSV", ".csv", "text/csv", BLOCKS),
    Format("JSON", ".json", "application/json", BLOCKS),
    Format("Excel", ".xlsx", _EXCEL, WORKBOOK_ROWS - 1),
)


@dataclass(frozen=True, slots=True)
class SystemFormat:
    """A format of system files."""

    label: str
    suffix: str
    mime: str


SYSTEM_FORMATS: Final = (
    SystemFormat("Excel", ".xlsx", _EXCEL),
    SystemFormat("CSV tables", ".zip", "application/zip"),
    SystemFormat("JSON", ".json", "application/json"),
)


def file_blocks(schedule: Schedule) -> int:
    """Rows of a schedule file: a block of equal tasks on one machine each."""
    return int(schedule.machines @ (schedule.tasks > 0).sum(axis=1))


def schedule_bytes(schedule: Schedule, suffix: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"schedule{suffix}"
        write_schedule(schedule, path)
        return path.read_bytes()


def system_fits(system: System, suffix: str) -> bool:
    """Whether a format can hold the system at all."""
    return suffix != ".xlsx" or (
        len(system.task_types) < WORKBOOK_ROWS and len(system.machine_types) < WORKBOOK_COLUMNS
    )


def system_bytes(system: System, suffix: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"system{suffix}"
        write_system(system, path)
        return path.read_bytes()


def file_name(system_name: str, suffix: str, what: str = "schedule") -> str:
    """A name any disk takes: "wattfront-nine-schedule.csv"."""
    safe = re.sub(r"[^A-Za-z0-9]+", "-", system_name).strip("-")[:60] or "system"
    return f"wattfront-{safe}-{what}{suffix}"
