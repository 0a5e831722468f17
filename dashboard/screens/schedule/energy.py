"""The energy of some machines of a schedule: at work on each task type, and idle."""

from dataclasses import dataclass

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import NoPowerData


@dataclass(frozen=True, eq=False, slots=True)
class TaskEnergy:
    """Energy (J) of some machines: at work on each task type, and idle."""

    at_work: FloatArray
    idle: float


def task_energy(schedule: Schedule, machines: IntArray) -> TaskEnergy:
    """The energy of so many machines of each group, from the start to the makespan. Raises
    `NoPowerData` without APC.
    """
    system, kinds = schedule.system, schedule.machine_type
    if system.apc is None:
        raise NoPowerData
    per_task = np.zeros(system.etc.shape)
    np.multiply(system.etc, system.apc, out=per_task, where=np.isfinite(system.etc))
    at_work = np.einsum("g,gi,gi->i", machines.astype(float), schedule.tasks, per_task.T[kinds])
    waits = np.maximum(schedule.makespan - schedule.load, 0.0)
    return TaskEnergy(at_work, float(machines @ (waits * system.idle_power[kinds])))
