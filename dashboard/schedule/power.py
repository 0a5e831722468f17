"""What a schedule draws over time, by machine type or task type, as it is told and drawn."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import numpy as np

from core.model import power
from core.model.arrays import FloatArray, IntArray
from core.model.schedule import Schedule
from core.say.leaders import MOST_MACHINE_TYPES, Leaders, leaders, leading_task_types

By = Literal["machine type", "task type"]

MOST_STEPS: Final = 600


@dataclass(frozen=True, eq=False)
class PowerCurve:
    """`watts[b, s]` is what the types of rank b in `bands` draw, together, from `times[s]` to
    `times[s + 1]` seconds: machine types with what they draw idle, or task types at work alone, the
    last band then being what machines draw idle.
    """

    by: By
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
        return PowerCurve(self.by, self.bands, times, np.diff(until, axis=1) / np.diff(times))


def power_curve(schedule: Schedule) -> PowerCurve:
    """By machine type, those of most energy first; raises `NoPowerData` without APC."""
    bands = leaders(schedule.busy_energy + schedule.idle_energy, MOST_MACHINE_TYPES)
    return PowerCurve("machine type", bands, *power.power_curve(schedule, bands.rank))


def power_of_tasks(schedule: Schedule, machines: IntArray) -> PowerCurve:
    """By task type, of so many machines of each group; raises `NoPowerData` without APC."""
    bands = leading_task_types(schedule.system)
    times, watts = power.power_by_task_type(schedule, bands.rank, machines)
    return PowerCurve("task type", bands, times, watts)
