"""A system at other idle powers, given as fractions of the mean power at work."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core import System
from core.engines.compute.task import Task
from core.engines.front.study import sweep_idle_power
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.units import time_unit
from dashboard.server.background import Job
from dashboard.workspace.axis import Axis

FRACTIONS: Final = tuple(step / 10 for step in range(11))

Fronts = tuple[tuple[float, Front], ...]


@dataclass(frozen=True, eq=False, slots=True)
class IdlePowerCurve:
    """A figure over the idle power: one value for each of the `fractions`."""

    title: str
    unit: str
    fractions: FloatArray
    values: FloatArray


def without_idle(system: System) -> System:
    """The system without idle power: the same for every choice of idle power."""
    return system.with_idle_fraction(0.0)


def fraction_of(system: System) -> float:
    """The idle power of a system, as a fraction of the mean power at work; at most 1."""
    most = system.with_idle_fraction(1.0).total_idle_power
    return min(system.total_idle_power / most, 1.0) if most > 0 else 0.0


def sweeping(system: System) -> Callable[[Job[Fronts]], None]:
    """The work of a job that computes the fronts at all `FRACTIONS`."""

    def work(job: Job[Fronts]) -> None:
        job.begin("Finding the fronts at other idle powers")
        fronts = job.compute(Task(sweep_idle_power, (system, FRACTIONS)))
        job.show(tuple(zip(FRACTIONS, fronts, strict=True)))

    return work


def curves(fronts: Fronts, axis: Axis) -> tuple[IdlePowerCurve, ...]:
    """How the front changes with the idle power: the saving, and the thriftiest end."""
    fractions = np.array([fraction for fraction, _ in fronts])
    least = np.array([front.energy[0] for _, front in fronts])
    fastest = np.array([front.energy[-1] for _, front in fronts])
    slowest = np.array([front.makespan[0] for _, front in fronts])
    time = time_unit(float(slowest.max()))
    saved = 1 - np.divide(least, fastest, out=np.ones(len(least)), where=fastest > 0)
    quantity = axis.title.lower()
    return (
        IdlePowerCurve(f"Largest possible saving of {quantity}", "%", fractions, 100 * saved),
        IdlePowerCurve(f"Least {quantity}", axis.unit, fractions, axis.of(least)),
        IdlePowerCurve(
            f"Makespan at the least {quantity}", time.symbol, fractions, slowest / time.size
        ),
    )
