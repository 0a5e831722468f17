"""What a schedule draws over time: an exact step function, of which the integral is its energy."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from core.schedule import Schedule
from core.system import FloatArray, NoPowerData
from dashboard.logic.schedule_leaders import MOST_MACHINE_TYPES, Leaders, leaders

MOST_STEPS: Final = 600
# Ends of machines that differ by less, as a share of the makespan, are the same moment.
_SAME: Final = 1e-12


@dataclass(frozen=True, eq=False)
class PowerCurve:
    """`watts[b, s]` is what the machine types of rank b in `bands` draw, together, from `times[s]`
    to `times[s + 1]` seconds, idle machines included.
    """

    bands: Leaders
    times: FloatArray
    watts: FloatArray

    @cached_property
    def total(self) -> FloatArray:
        """Watts of the whole system in each step."""
        total: FloatArray = self.watts.sum(axis=0)
        return total

    @property
    def energy(self) -> float:
        """Joules: the integral."""
        return float(self.total @ np.diff(self.times))

    @property
    def average(self) -> float:
        """Watts over the whole time; 0 where there is no time."""
        length = float(self.times[-1] - self.times[0])
        return self.energy / length if length > 0 else 0.0

    @property
    def peak(self) -> float:
        """The most watts at any moment."""
        return float(self.total.max(initial=0.0))

    def thinned(self, most: int = MOST_STEPS) -> "PowerCurve":
        """The curve itself if it has at most so many steps, else its means over so many spans.

        The energy stays the same; peaks within a span do not show.
        """
        if len(self.total) <= most:
            return self
        spent = np.cumsum(self.watts * np.diff(self.times), axis=1)
        spent = np.concatenate([np.zeros((len(spent), 1)), spent], axis=1)
        times = np.linspace(self.times[0], self.times[-1], most + 1)
        until = np.array([np.interp(times, self.times, band) for band in spent])
        return PowerCurve(self.bands, times, np.diff(until, axis=1) / np.diff(times))


def power_curve(schedule: Schedule) -> PowerCurve:
    """By machine type, those of most energy first; raises `NoPowerData` without APC."""
    system, blocks, makespan = schedule.system, schedule.blocks(), schedule.makespan
    if system.apc is None:
        raise NoPowerData
    bands = leaders(schedule.busy_energy + schedule.idle_energy, MOST_MACHINE_TYPES)
    end = np.where(blocks.end >= makespan * (1 - _SAME), makespan, blocks.end)
    times, moment = np.unique(
        np.concatenate([[0.0, makespan], blocks.start, end]), return_inverse=True
    )
    begins, ends = moment[2 : 2 + len(blocks)], moment[2 + len(blocks) :]
    apc = system.apc[blocks.task_type, blocks.machine_type]
    more = blocks.machines * (apc - system.idle_power[blocks.machine_type])
    band = bands.rank[blocks.machine_type]
    change = np.zeros((bands.tail + (bands.others > 0), len(times)))
    np.add.at(change, (band, begins), more)
    np.subtract.at(change, (band, ends), more)
    np.add.at(change[:, 0], bands.rank, system.machine_counts * system.idle_power)
    # Nothing draws less than nothing, whatever rounding says.
    watts = np.maximum(np.cumsum(change, axis=1)[:, :-1], 0.0)
    return PowerCurve(bands, times, watts)
