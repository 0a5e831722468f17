"""A workload as its files have it."""

import math
from dataclasses import dataclass
from typing import Final

from core.replay.energy import EnergyWindows
from core.replay.workload import Truth, Workload

WORKLOAD_FORMAT: Final = "wattfront-workload"
WORKLOAD_VERSION: Final = 1
SETTINGS: Final = "workload"
"""The name of its settings: `workload.toml`, a sheet, or a key of a document."""

TABLE_COLUMNS: Final = {
    "pools": ("pool", "units", "cores", "idle_watts", "sleep_watts", "one_machine"),
    "jobs": ("job", "job_type", "arrival", "priority", "urgency", "curve"),
    "options": ("job", "pool", "units", "seconds", "watts", "state"),
    "curves": ("curve", "begin", "high", "low", "decay"),
    "truth": ("job", "time", "power"),
    "types": ("job_type", "pool", "units", "seconds", "watts", "state"),
}
"""The tables of a workload with their columns, as they are written. `types` has the times of types
of jobs, for files that have no `options`; it is read only.
"""


@dataclass(frozen=True)
class WorkloadFile:
    """A workload, what really happens (`truth`), and the joules that a day may spend."""

    workload: Workload
    truth: Truth
    day_joules: float = math.inf

    @property
    def windows(self) -> EnergyWindows:
        return EnergyWindows.daily(self.workload.horizon, self.day_joules)
