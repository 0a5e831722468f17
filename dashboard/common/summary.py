"""A system in a few facts."""

import numpy as np

from core import System
from core.say.words import Sense, counted, power


def facts(system: System) -> tuple[str, ...]:
    """Its size, and what is special about it."""
    impossible = int(system.etc.size - np.isfinite(system.etc).sum())
    return (
        f"{counted(system.tasks, 'task')} of {counted(len(system.task_types), 'type')}",
        f"{counted(system.machines, 'machine')} of {counted(len(system.machine_types), 'type')}",
        f"{counted(impossible, 'pair')} cannot run" if impossible else "every pair can run",
        "power unknown"
        if system.apc is None
        else f"idle {power(system.total_idle_power, Sense.PLAIN)}",
    )
