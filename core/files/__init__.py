"""Readers and writers of systems and schedules, a module for each format."""

from core.files.findings import Reading
from core.files.raw_table import RawTable, RawTables
from core.files.schedule_file import (
    SCHEDULE_SUFFIXES,
    inspect_schedule,
    inspect_schedule_bytes,
    write_schedule,
)
from core.files.system_file import (
    SystemReading,
    inspect_system,
    inspect_system_bytes,
    inspect_system_files,
    inspect_tables,
    read_system,
    write_system,
)

__all__ = [
    "SCHEDULE_SUFFIXES",
    "RawTable",
    "RawTables",
    "Reading",
    "SystemReading",
    "inspect_schedule",
    "inspect_schedule_bytes",
    "inspect_system",
    "inspect_system_bytes",
    "inspect_system_files",
    "inspect_tables",
    "read_system",
    "write_schedule",
    "write_system",
]
