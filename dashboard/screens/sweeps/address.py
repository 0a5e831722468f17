"""The settings of the page Sweeps, and how the address says them.

Types are given by their position, so that an address contains no names from files.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core import System
from core.capabilities.sweep.axes import MACHINES, TASKS
from dashboard.screens.sweeps.choices import MOST_AXES, PlannedAxis, quantities_of
from dashboard.workspace.parameters import Parameters
from dashboard.workspace.parameters import written as parameter

_AXES: Final = "sweep"
PARAMETERS: Final = frozenset({_AXES})
_EXAMPLE: Final = "axes such as idle:0:100:10 machines.1:0:8:1"


@dataclass(frozen=True, slots=True)
class SweepSettings:
    """What is varied; None as long as nobody has said it."""

    axes: tuple[PlannedAxis, ...] | None = None


def written(settings: SweepSettings, system: System) -> dict[str, str]:
    """The parameters of the settings; `read` is the inverse."""
    if settings.axes is None:
        return {}
    said = [
        ":".join([_place(axis.name, system), *map(parameter, (axis.low, axis.high, axis.step))])
        for axis in settings.axes
    ]
    return {_AXES: " ".join(said) or "none"}


def read(given: Mapping[str, str], system: System) -> tuple[SweepSettings, tuple[str, ...]]:
    """The settings, and a sentence if the parameter was ignored."""
    parameters = Parameters(given)
    text = given.get(_AXES)
    if text is None:
        return SweepSettings(), ()
    if text == "none":
        return SweepSettings(()), ()
    try:
        axes = tuple(_read_one(part, system) for part in text.split())
    except (ValueError, IndexError):
        axes = ()
    if not 0 < len(axes) <= MOST_AXES or len({axis.name for axis in axes}) < len(axes):
        parameters.ignore(_AXES, _EXAMPLE)
        return SweepSettings(), tuple(parameters.notes)
    return SweepSettings(axes), ()


def _read_one(text: str, system: System) -> PlannedAxis:
    place, low, high, step = text.split(":")
    name = place
    for prefix, names in ((MACHINES, system.machine_names), (TASKS, system.task_names)):
        if place.startswith(prefix):
            position = int(place.removeprefix(prefix))
            if position < 1:
                raise ValueError(place)
            name = f"{prefix}{names[position - 1]}"
    axis = PlannedAxis(name, float(low), float(high), float(step))
    if name not in quantities_of(system):
        raise ValueError(place)
    if axis.low not in axis.allowed or axis.high not in axis.allowed or not axis.step >= 0:
        raise ValueError(text)
    return axis


def _place(name: str, system: System) -> str:
    """The name with the position of its type, from 1, in place of the type's name."""
    for prefix, names in ((MACHINES, system.machine_names), (TASKS, system.task_names)):
        if name.startswith(prefix):
            return f"{prefix}{names.index(name.removeprefix(prefix)) + 1}"
    return name
