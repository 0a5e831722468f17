"""The power of a schedule over time: an exact step function whose integral is its energy."""

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.schedule import Blocks, Schedule
from core.vocabulary.system import NoPowerData
from core.vocabulary.tolerances import SUM_ROUNDING


def power_curve(schedule: Schedule, band: IntArray | None = None) -> tuple[FloatArray, FloatArray]:
    """Seconds at which the power changes, from 0 to the makespan, and `watts[b, s]` that band b
    draws in step s between them, machines without work included.

    Machine type j belongs to band `band[j]`; without `band`, all belong to one. Raises
    `NoPowerData` without APC.
    """
    system, blocks = schedule.system, schedule.blocks()
    if system.apc is None:
        raise NoPowerData
    if band is None:
        band = np.zeros(len(system.machine_types), np.int64)
    times, begins, ends = _moments(blocks, schedule.makespan)
    apc = system.apc[blocks.task_type, blocks.machine_type]
    more = blocks.machines * (apc - system.idle_power[blocks.machine_type])
    change = np.zeros((int(band.max()) + 1, len(times)))
    np.add.at(change, (band[blocks.machine_type], begins), more)
    np.subtract.at(change, (band[blocks.machine_type], ends), more)
    np.add.at(change[:, 0], band, system.machine_counts * system.idle_power)
    if (waits := schedule.waits) is not None:
        more = waits.machines * system.waiting_power[waits.machine_type]
        at = _places(times, waits)
        np.add.at(change, (band[waits.machine_type], at[0]), more)
        np.subtract.at(change, (band[waits.machine_type], at[1]), more)
    return times, _watts(change)


def peak_power(schedule: Schedule) -> float:
    """The most watts that all machines draw together at any moment. Raises `NoPowerData`."""
    _, watts = power_curve(schedule)
    return float(watts.max(initial=0.0))


def power_by_task_type(
    schedule: Schedule, band: IntArray, machines: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Like `power_curve`, but only of `machines[g]` machines of each group g, and by task type:
    work on task type i belongs to band `band[i]`, and machines without work to one more, the last.
    """
    system, blocks = schedule.system, schedule.blocks()
    if system.apc is None:
        raise NoPowerData
    blocks = blocks.chosen(machines[blocks.group] > 0)
    times, begins, ends = _moments(blocks, schedule.makespan)
    apc = system.apc[blocks.task_type, blocks.machine_type]
    count = machines[blocks.group]
    own, idle = band[blocks.task_type], int(band.max()) + 1
    change = np.zeros((idle + 1, len(times)))
    np.add.at(change, (own, begins), count * apc)
    np.subtract.at(change, (own, ends), count * apc)
    waits = count * system.idle_power[blocks.machine_type]
    np.subtract.at(change[idle], begins, waits)
    np.add.at(change[idle], ends, waits)
    change[idle, 0] += machines @ system.idle_power[schedule.machine_type]
    if (waiting := schedule.waits) is not None:
        more = machines[waiting.group] * system.waiting_power[waiting.machine_type]
        at = _places(times, waiting)
        np.add.at(change[idle], at[0], more)
        np.subtract.at(change[idle], at[1], more)
    return times, _watts(change)


def _moments(blocks: Blocks, makespan: float) -> tuple[FloatArray, IntArray, IntArray]:
    """All times at which blocks begin or end, and the position of each block's times among them."""
    # Rounding may put the begin of a last short block, too, at the makespan or behind it.
    start, end = (
        np.where(moment >= makespan * (1 - SUM_ROUNDING), makespan, moment)
        for moment in (blocks.start, blocks.end)
    )
    times, moment = np.unique(np.concatenate([[0.0, makespan], start, end]), return_inverse=True)
    return times, moment[2 : 2 + len(blocks)], moment[2 + len(blocks) :]


def _places(times: FloatArray, waits: Blocks) -> IntArray:
    """The positions of the begins and ends of waits, which are those of blocks."""
    places: IntArray = np.searchsorted(times, [waits.start, waits.end])
    return np.minimum(places, len(times) - 1)


def _watts(change: FloatArray) -> FloatArray:
    """Watts after each change; 0 where a band draws nothing but for rounding errors."""
    summed: FloatArray = np.cumsum(change, axis=1)[:, :-1]
    least = SUM_ROUNDING * np.abs(summed).max(axis=1, keepdims=True, initial=0.0)
    return np.where(summed > least, summed, 0.0)
