"""The power of a schedule over time, by machine type or by task type."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from core.vocabulary import power
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.kinds import TypeKind
from core.vocabulary.say.colours import MOST_MACHINE_TYPES, Leaders, leaders, leading_task_types
from core.vocabulary.schedule import Schedule

MOST_STEPS: Final = 600


@dataclass(frozen=True, eq=False)
class PowerCurve:
    """`watts[b, s]` is the power of all types of rank b in `bands` from `times[s]` to `times[s +
    1]` seconds. By machine type, idle power is included. By task type, it is the last band.
    """

    by: TypeKind
    bands: Leaders
    times: FloatArray
    watts: FloatArray

    @cached_property
    def total(self) -> FloatArray:
        """The power of the whole system in each step (W)."""
        total: FloatArray = self.watts.sum(axis=0)
        return total

    @property
    def energy(self) -> float:
        """The energy (J): the area under the curve."""
        return float(self.total @ np.diff(self.times))

    @property
    def average(self) -> float:
        """The average power (W); 0 if the curve has no length."""
        length = float(self.times[-1] - self.times[0])
        return self.energy / length if length > 0 else 0.0

    @property
    def peak(self) -> float:
        """The largest power at any moment (W)."""
        return float(self.total.max(initial=0.0))

    def thinned(self, most: int = MOST_STEPS) -> "PowerCurve":
        """The curve itself if it has at most `most` steps, else its means over `most` equal spans.

        The energy stays the same. Peaks within a span are not visible.
        """
        if len(self.total) <= most:
            return self
        spent = np.cumsum(self.watts * np.diff(self.times), axis=1)
        spent = np.concatenate([np.zeros((len(spent), 1)), spent], axis=1)
        times = np.linspace(self.times[0], self.times[-1], most + 1)
        until = np.array([np.interp(times, self.times, band) for band in spent])
        return PowerCurve(self.by, self.bands, times, np.diff(until, axis=1) / np.diff(times))


def power_curve(schedule: Schedule) -> PowerCurve:
    """The power by machine type, the largest energy first. Raises `NoPowerData` without APC."""
    bands = leaders(schedule.busy_energy + schedule.idle_energy, MOST_MACHINE_TYPES)
    return PowerCurve("machine type", bands, *power.power_curve(schedule, bands.rank))


def power_of_tasks(schedule: Schedule, machines: IntArray) -> PowerCurve:
    """The power of so many machines of each group by task type. Raises `NoPowerData`."""
    bands = leading_task_types(schedule.system)
    times, watts = power.power_by_task_type(schedule, bands.rank, machines)
    return PowerCurve("task type", bands, times, watts)
