"""Schedules to begin with, where none was chosen yet."""

from typing import Final, Literal

import numpy as np

from core import Effort, System, solve, study
from core.front.known import Known
from core.front.study import Study
from core.makespan.solve import Solution
from core.model.schedule import ImpossibleSchedule, Schedule
from core.plane.measures import knee
from core.plane.points import non_dominated

Start = Literal["fastest", "thriftiest", "knee"]
TITLES: Final[dict[Start, str]] = {
    "fastest": "Fastest",
    "thriftiest": "Thriftiest",
    "knee": "Knee of the front",
}
MEANINGS: Final[dict[Start, str]] = {
    "fastest": "Everything done as soon as possible, whatever it costs",
    "thriftiest": "The least energy, however long it takes",
    "knee": "Where ending still sooner begins to cost much more energy",
}


POLISH_SECONDS: Final = 1.0


def offered(system: System) -> tuple[Start, ...]:
    """Without powers only the fastest means anything."""
    return ("fastest",) if system.apc is None else ("fastest", "thriftiest", "knee")


def search(system: System, start: Start) -> Solution | Study:
    """What there is to begin with, polished for a moment only."""
    if start == "fastest":
        return solve(system, effort=Effort(POLISH_SECONDS))
    if start == "thriftiest":
        return solve(system, minimise="energy", effort=Effort(POLISH_SECONDS))
    return study(system, effort=Effort(POLISH_SECONDS))


def begin_with(known: Known, start: Start) -> Schedule | None:
    """Of what is known the one to begin with; None where the front is nearly straight: it has no
    knee.
    """
    if start == "fastest":
        return known.fastest
    if start == "thriftiest":
        return known.thriftiest
    front = np.flatnonzero(non_dominated(known.points))
    bend = knee(known.points[front])
    return None if bend is None else known.schedules[front[bend]]


def carried_over(schedule: Schedule, system: System) -> Schedule | None:
    """The same tasks on the same machines, with the times and powers that a system has now; None
    where it is not of the same tasks and machines.
    """
    before = schedule.system
    if (before.task_names, before.machine_names) != (system.task_names, system.machine_names):
        return None
    try:
        return Schedule(system, schedule.machine_type, schedule.machines, schedule.tasks)
    except ImpossibleSchedule:
        return None
