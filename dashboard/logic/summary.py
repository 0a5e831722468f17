"""A system in one line."""

import numpy as np

from core.system import System
from core.words import counted


def summary(system: System) -> str:
    """Its size, and what is special about it."""
    impossible = int((~np.isfinite(system.etc)).sum())
    parts = [
        f"{counted(system.tasks, 'task')} of {counted(len(system.task_types), 'type')}",
        f"{counted(system.machines, 'machine')} of {counted(len(system.machine_types), 'type')}",
        f"{counted(impossible, 'pair')} cannot run" if impossible else "every pair can run",
        "power known" if system.apc is not None else "power unknown",
    ]
    return " · ".join(parts)
