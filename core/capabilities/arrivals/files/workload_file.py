"""A workload as its files have it."""

import math
from dataclasses import dataclass
from typing import Final

from core.engines.replay.energy import EnergyWindows
from core.engines.replay.workload import Truth, Workload
from core.files.schema import Column, Schema

WORKLOAD_FORMAT: Final = "wattfront-workload"
WORKLOAD_VERSION: Final = 1
SETTINGS: Final = "workload"
"""The name of its settings: `workload.toml`, a sheet, or a key of a document."""

_OF_OPTIONS: Final = (
    Column("pool", "name"),
    Column("units", "whole"),
    Column("seconds", "number", unit="seconds"),
    Column("watts", "number", 0.0, "watts"),
    Column("state", "name", ""),
)
TABLES: Final[dict[str, Schema]] = {
    "pools": (
        Column("pool", "name"),
        Column("units", "whole"),
        Column("cores", "whole", 1),
        Column("idle_watts", "number", 0.0, "watts"),
        Column("sleep_watts", "number", 0.0, "watts"),
        Column("one_machine", "flag", 0.0),
    ),
    "jobs": (
        Column("job", "name", ""),
        Column("job_type", "name", "job"),
        Column("arrival", "number", unit="seconds"),
        Column("priority", "number", 1.0, "worth"),
        Column("urgency", "number", 0.0, "1/s"),
        Column("curve", "name", ""),
        Column("cores", "whole", 0, is_written=False),
    ),
    "options": (Column("job", "name"), *_OF_OPTIONS),
    "curves": (
        Column("curve", "name"),
        Column("begin", "number", unit="seconds"),
        Column("high", "number", unit="shares of the priority"),
        Column("low", "number", math.nan, "shares of the priority"),
        Column("decay", "number", 0.0, "times the urgency"),
    ),
    "truth": (
        Column("job", "name"),
        Column("time", "number", 1.0, "shares of the estimate"),
        Column("power", "number", 1.0, "shares of the estimate"),
    ),
    "types": (Column("job_type", "name"), *_OF_OPTIONS),
}
"""The tables of a workload. `types` has the times of types of jobs, for files that have no
`options`; it is read only, as the `cores` of jobs are, which serve for that.
"""
LONE_JOBS: Final[Schema] = (
    Column("arrival", "number", unit="seconds"),
    Column("seconds", "number", unit="seconds"),
    Column("job", "name", ""),
    Column("type", "name", "job"),
    Column("units", "whole", 1),
    Column("pool", "name", "cluster"),
    Column("watts", "number", 0.0, "watts"),
    Column("worth", "number", 1.0, "worth"),
    Column("requested", "number", math.nan, "seconds"),
)
"""A table of jobs that is a file by itself."""


@dataclass(frozen=True)
class WorkloadFile:
    """A workload, what really happens (`truth`), and the joules that a day may spend."""

    workload: Workload
    truth: Truth
    day_joules: float = math.inf

    @property
    def windows(self) -> EnergyWindows:
        return EnergyWindows.daily(self.workload.horizon, self.day_joules)
