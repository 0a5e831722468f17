"""Single machines as the rivals number them: in the order of the machine types."""

import numpy as np

from core.model.arrays import IntArray
from core.model.schedule import Schedule
from core.model.system import System


def kinds(system: System) -> IntArray:
    """The machine type of every single machine. Rivals number machines in this order; ties go to
    the first.
    """
    return np.repeat(np.arange(len(system.machine_types)), system.machine_counts)


def schedule(system: System, tasks: IntArray) -> Schedule:
    """The schedule in which machine k of `kinds` runs `tasks[k, i]` tasks of type i."""
    return Schedule.from_groups(system, kinds(system), np.ones(len(tasks), np.int64), tasks)
