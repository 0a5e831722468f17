"""Schedules to start with, if none is chosen yet."""

from typing import Final, Literal

import numpy as np

from core import System, solve, study
from core.capabilities.makespan.solve import Solution
from core.engines.front.known import Known
from core.engines.front.study import Study
from core.vocabulary.plane.points import knee, non_dominated
from core.vocabulary.schedule import ImpossibleSchedule, Schedule
from dashboard.workspace.answering import polish_for

FirstChoice = Literal["fastest", "thriftiest", "knee"]
TITLES: Final[dict[FirstChoice, str]] = {
    "fastest": "Fastest",
    "thriftiest": "Thriftiest",
    "knee": "Knee of the front",
}
MEANINGS: Final[dict[FirstChoice, str]] = {
    "fastest": "The shortest makespan, whatever the energy",
    "thriftiest": "The least energy, whatever the makespan",
    "knee": "The schedule beyond which saving time costs much more energy",
}


POLISH_SECONDS: Final = 1.0


def offered(system: System) -> tuple[FirstChoice, ...]:
    """The starts on offer. Without powers there is only the fastest."""
    return ("fastest",) if system.apc is None else ("fastest", "thriftiest", "knee")


def search(system: System, start: FirstChoice) -> Solution | Study:
    """A solution or a study for this start, polished briefly."""
    if start == "fastest":
        return solve(system, effort=polish_for(POLISH_SECONDS))
    if start == "thriftiest":
        return solve(system, minimise="energy", effort=polish_for(POLISH_SECONDS))
    return study(system, effort=polish_for(POLISH_SECONDS))


def begin_with(known: Known, start: FirstChoice) -> Schedule | None:
    """The known schedule to start with; None for the knee of a front that is nearly straight."""
    if start == "fastest":
        return known.fastest
    if start == "thriftiest":
        return known.thriftiest
    front = np.flatnonzero(non_dominated(known.points))
    bend = knee(known.points[front])
    return None if bend is None else known.schedules[front[bend]]


def carried_over(schedule: Schedule, system: System) -> Schedule | None:
    """The same tasks on the same machines, with the times and powers of `system`; None if `system`
    has other tasks or machines.
    """
    before = schedule.system
    if (before.task_names, before.machine_names) != (system.task_names, system.machine_names):
        return None
    try:
        return Schedule(system, schedule.machine_type, schedule.machines, schedule.tasks)
    except ImpossibleSchedule:
        return None
