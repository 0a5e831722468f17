"""The same system at other idle powers, as fractions of the mean power."""

from collections.abc import Callable
from typing import Final

from core.engine.task import Task
from core.relaxed import Front
from core.study import sweep_idle_power
from core.system import System
from dashboard.logic.background import Job

FRACTIONS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)

Fronts = tuple[tuple[float, Front], ...]


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
