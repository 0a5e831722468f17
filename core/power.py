"""What a schedule draws over time: an exact step function, of which the integral is its energy."""

import numpy as np

from core.arrays import FloatArray, IntArray
from core.schedule import Schedule
from core.system import NoPowerData

# Ends of machines that differ by less, as a share of the makespan, are the same moment.
_SAME = 1e-12


def power_curve(schedule: Schedule, band: IntArray | None = None) -> tuple[FloatArray, FloatArray]:
    """Seconds at which the power changes, from 0 to the makespan, and `watts[b, s]` that band b
    draws in step s between them, idle machines included.

    Machine type j is of band `band[j]`; all are of one, if nothing else is said. Raises
    `NoPowerData` without APC.
    """
    system, blocks, makespan = schedule.system, schedule.blocks(), schedule.makespan
    if system.apc is None:
        raise NoPowerData
    if band is None:
        band = np.zeros(len(system.machine_types), np.int64)
    end = np.where(blocks.end >= makespan * (1 - _SAME), makespan, blocks.end)
    times, moment = np.unique(
        np.concatenate([[0.0, makespan], blocks.start, end]), return_inverse=True
    )
    begins, ends = moment[2 : 2 + len(blocks)], moment[2 + len(blocks) :]
    apc = system.apc[blocks.task_type, blocks.machine_type]
    more = blocks.machines * (apc - system.idle_power[blocks.machine_type])
    change = np.zeros((int(band.max()) + 1, len(times)))
    np.add.at(change, (band[blocks.machine_type], begins), more)
    np.subtract.at(change, (band[blocks.machine_type], ends), more)
    np.add.at(change[:, 0], band, system.machine_counts * system.idle_power)
    # Nothing draws less than nothing, whatever rounding says.
    return times, np.maximum(np.cumsum(change, axis=1)[:, :-1], 0.0)
