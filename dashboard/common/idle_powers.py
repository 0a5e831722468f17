"""The same system at other idle powers, as fractions of the mean power."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core import System
from core.engine.task import Task
from core.front.study import sweep_idle_power
from core.model.arrays import FloatArray
from core.relaxed import Front
from core.say.units import time_unit
from dashboard.shell.background import Job
from dashboard.workspace.axis import Axis

FRACTIONS: Final = tuple(step / 10 for step in range(11))

Fronts = tuple[tuple[float, Front], ...]


@dataclass(frozen=True, eq=False, slots=True)
class IdlePowerCurve:
    """What becomes of a figure as idle power grows: a value for each of the `fractions`."""

    title: str
    unit: str
    fractions: FloatArray
    values: FloatArray


def without_idle(system: System) -> System:
    """What all idle powers have in common."""
    return system.with_idle_fraction(0.0)


def fraction_of(system: System) -> float:
    """The idle power that a system has, as a fraction of the mean power of its machines."""
    most = system.with_idle_fraction(1.0).total_idle_power
    return min(system.total_idle_power / most, 1.0) if most > 0 else 0.0


def sweeping(system: System) -> Callable[[Job[Fronts]], None]:
    """The work of a job that shows the fronts at all `FRACTIONS`."""

    def work(job: Job[Fronts]) -> None:
        job.begin("Other idle powers")
        fronts = job.compute(Task(sweep_idle_power, (system, FRACTIONS)))
        job.show(tuple(zip(FRACTIONS, fronts, strict=True)))

    return work


def curves(fronts: Fronts, axis: Axis) -> tuple[IdlePowerCurve, ...]:
    """What idle power does to the proven front: what can be saved, and at both ends."""
    fractions = np.array([fraction for fraction, _ in fronts])
    least = np.array([front.energy[0] for _, front in fronts])
    fastest = np.array([front.energy[-1] for _, front in fronts])
    slowest = np.array([front.makespan[0] for _, front in fronts])
    time = time_unit(float(slowest.max()))
    saved = 1 - np.divide(least, fastest, out=np.ones(len(least)), where=fastest > 0)
    quantity = axis.title.lower()
    return (
        IdlePowerCurve(f"Most {quantity} that can be saved", "%", fractions, 100 * saved),
        IdlePowerCurve(f"Least {quantity}", axis.unit, fractions, axis.of(least)),
        IdlePowerCurve("The thriftiest is done in", time.symbol, fractions, slowest / time.size),
    )
