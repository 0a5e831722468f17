"""A schedule as the content of a file to take away."""

import re
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from core.files import write_schedule
from core.files.limits import BLOCKS, WORKBOOK_ROWS
from core.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Format:
    """A format of schedule files, and the most blocks that fit in one."""

    label: str
    suffix: str
    mime: str
    most_blocks: int


FORMATS: Final = (
    Format("CSV", ".csv", "text/csv", BLOCKS),
    Format("JSON", ".json", "application/json", BLOCKS),
    Format(
        "Excel",
        ".xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        WORKBOOK_ROWS - 1,
    ),
)


def file_blocks(schedule: Schedule) -> int:
    """Rows of a schedule file: a block of equal tasks on one machine each."""
    return int(schedule.machines @ (schedule.tasks > 0).sum(axis=1))


def schedule_bytes(schedule: Schedule, suffix: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"schedule{suffix}"
        write_schedule(schedule, path)
        return path.read_bytes()


def file_name(system_name: str, suffix: str) -> str:
    """A name any disk takes: "wattfront-nine-schedule.csv"."""
    safe = re.sub(r"[^A-Za-z0-9]+", "-", system_name).strip("-")[:60] or "system"
    return f"wattfront-{safe}-schedule{suffix}"
