"""Reading and writing systems and schedules, in every format Wattfront knows."""

from core.files.raw_table import RawTable, RawTables
from core.files.reading import Reading
from core.files.schedule_reader import (
    ScheduleReading,
    read_schedule,
    read_schedule_bytes,
)
from core.files.schedule_writer import SCHEDULE_SUFFIXES, write_schedule
from core.files.system_file import read_system, read_system_bytes, read_tables, write_system

__all__ = [
    "SCHEDULE_SUFFIXES",
    "RawTable",
    "RawTables",
    "Reading",
    "ScheduleReading",
    "read_schedule",
    "read_schedule_bytes",
    "read_system",
    "read_system_bytes",
    "read_tables",
    "write_schedule",
    "write_system",
]
