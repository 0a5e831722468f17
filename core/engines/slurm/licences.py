"""Licences by which Slurm itself keeps a cap on the power at every moment.

A licence is a watt above idle power. Slurm has as many as the cap leaves when all machines are
idle, and each task takes as many as its machine draws more at work than idle, rounded up. So tasks
begin only while their watts are free. Nodes are taken to be on.
"""

import math
from typing import Final

from core.vocabulary.ranges import Range
from core.vocabulary.system import NoPowerData, System

WATTS: Final = "watts"
"""The name of the licences."""
PEAK_CAP: Final = Range(0.0, 1e15, "W")


def licences_within(system: System, watts: float) -> int:
    """How many licences Slurm has for a cap of so many watts; 0 if idle machines draw more."""
    if system.apc is None:
        raise NoPowerData
    idle = math.fsum(system.machine_counts * system.always_on.idle_power)
    return max(math.floor(watts - idle), 0)


def licences_of(system: System, task_type: int, machine_type: int) -> int:
    """How many licences a task takes on a machine of a type."""
    if system.apc is None:
        raise NoPowerData
    more = system.apc[task_type, machine_type] - system.always_on.idle_power[machine_type]
    return max(math.ceil(float(more)), 0)


def licence_line(licences: int) -> str:
    """The line of slurm.conf."""
    return f"Licenses={WATTS}:{licences}"
