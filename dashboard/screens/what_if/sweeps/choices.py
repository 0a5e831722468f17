"""What a person chooses to vary: quantities with their units, and usual values for a system."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from core import System
from core.capabilities.sweep.axes import (
    KINDS,
    MACHINES,
    TASKS,
    AxisFault,
    SweptAxis,
    axis_faults,
    kind_of,
    read_values,
    strange_axes,
)
from core.capabilities.sweep.question import SweepQuestion
from core.vocabulary.ranges import Range
from core.vocabulary.say.units import round_step

MOST_AXES: Final = 5
MOST_VARIED: Final = 3
"""More axes with several values cannot be shown."""
MOST_RUNS_HERE: Final = 20_000
"""The most runs of a sweep on the page; more are for the command line."""
_SHOWN: Final[dict[str, tuple[str, float]]] = {
    "idle": ("%", 0.01),
    "asleep": ("W", 1.0),
    "power_cap": ("kW", 1e3),
    "energy_price": ("a kWh", 1.0),
    "price": ("a batch", 1.0),
    "profit_ratio": ("", 1.0),
}
"""The unit in which a quantity is typed, and its size in the unit of an axis."""


@dataclass(frozen=True, slots=True)
class PlannedAxis:
    """A quantity, and the range in which it is varied, in the unit in which it is typed."""

    name: str
    low: float
    high: float
    step: float

    @property
    def unit(self) -> str:
        return _SHOWN.get(self.name, ("", 1.0))[0]

    @property
    def size(self) -> float:
        return _SHOWN.get(self.name, ("", 1.0))[1]

    @property
    def allowed(self) -> Range:
        """The values that may be typed."""
        allowed = kind_of(self.name).range
        return Range(allowed.low / self.size, allowed.high / self.size, self.unit)

    @property
    def title(self) -> str:
        return title_of(self.name)

    def axis(self) -> SweptAxis:
        """The axis; raises `AxisFault` if these are no range."""
        ends = (self.low, self.high, self.step)
        low, high, step = (repr(round(value * self.size, 12)) for value in ends)
        text = low if self.low == self.high else f"{low}:{high}:{step}"
        return SweptAxis(self.name, read_values(kind_of(self.name), text, self.title))


def title_of(name: str) -> str:
    """`Idle power (%)`, `Machines of type M1`."""
    unit = _SHOWN.get(name, ("", 1.0))[0]
    return f"{short_title_of(name)} ({unit})" if unit else short_title_of(name)


def short_title_of(name: str) -> str:
    """The same without its unit."""
    for prefix, what in ((MACHINES, "Machines"), (TASKS, "Tasks")):
        if name.startswith(prefix):
            return f"{what} of type {name.removeprefix(prefix)}"
    return kind_of(name).title.capitalize()


def quantities_of(system: System) -> tuple[str, ...]:
    """The names of all axes that the system can have."""
    counts = [f"{MACHINES}{name}" for name in system.machine_names]
    counts += [f"{TASKS}{name}" for name in system.task_names]
    if system.apc is None:
        return tuple(counts)
    return ("idle", *counts, *(name for name in KINDS if name != "idle"))


def usual_axes(system: System) -> tuple[PlannedAxis, ...]:
    """What a sweep begins with: idle power if machines stay on, and the most numerous machines."""
    most = system.machine_names[int(system.machine_counts.argmax())]
    stays_on = system.apc is not None and not system.may_sleep
    names = [*(["idle"] if stays_on else []), f"{MACHINES}{most}"]
    return tuple(usual_range(name, system) for name in names)


def usual_range(name: str, system: System) -> PlannedAxis:
    """A range of about ten values that suits the system."""
    if name.startswith((MACHINES, TASKS)):
        machines = name.startswith(MACHINES)
        names = system.machine_names if machines else system.task_names
        counts = system.machine_counts if machines else system.task_counts
        now = int(counts[names.index(name.removeprefix(MACHINES if machines else TASKS))])
        most = min(2 * max(now, 1), int(kind_of(name).range.high))
        return PlannedAxis(name, 0.0, float(most), float(max(math.ceil(most / 10), 1)))
    if name == "power_cap":
        return _usual_cap(system)
    low, high, step = {
        "idle": (0.0, 100.0, 10.0),
        "asleep": (0.0, 100.0, 10.0),
        "energy_price": (0.1, 0.5, 0.1),
        "price": (1.0, 10.0, 1.0),
        "profit_ratio": (0.5, 2.0, 0.25),
    }[name]
    return PlannedAxis(name, low, high, step)


def question_of(planned: tuple[PlannedAxis, ...], system: System) -> SweepQuestion:
    """What these axes ask of a system; raises `AxisFault` with the first fault."""
    if not planned:
        raise AxisFault("Nothing varies yet. Add an axis.")
    axes = tuple(one.axis() for one in planned)
    for fault in (*axis_faults(axes), *strange_axes(axes, system)):
        raise AxisFault(fault)
    question = SweepQuestion(system, axes)
    if len(varied(question)) > MOST_VARIED:
        raise AxisFault(
            f"At most {MOST_VARIED} axes may have several values. Set From and To of another one "
            "to the same value."
        )
    if question.runs > MOST_RUNS_HERE:
        raise AxisFault(
            f"These are {question.runs:,} runs, and a page computes at most {MOST_RUNS_HERE:,}. "
            "Give larger steps, or use the command below."
        )
    return question


def varied(question: SweepQuestion) -> tuple[SweptAxis, ...]:
    """The axes with several values."""
    return tuple(axis for axis in question.axes if len(axis.values) > 1)


def _usual_cap(system: System) -> PlannedAxis:
    """From idle power to that of all machines at their most."""
    apc = system.apc
    highest = np.zeros(len(system.machine_types)) if apc is None else np.nanmax(apc, axis=0)
    most = float(system.machine_counts @ np.nan_to_num(highest)) / 1e3
    step = round_step((most or 1.0) / 10.01)
    return PlannedAxis("power_cap", step, 10 * step, step)
