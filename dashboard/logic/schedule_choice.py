"""Schedules to begin with, where none was chosen yet."""

from typing import Final, Literal

import numpy as np

from core.front.measures import knee
from core.schedule import ImpossibleSchedule, Schedule
from core.solve import solve
from core.study import study
from core.system import System

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


def begin_with(system: System, start: Start) -> Schedule | None:
    """Polished for a moment only; None where the front is nearly straight: it has no knee."""
    if start == "fastest":
        return solve(system, seconds=POLISH_SECONDS).schedule
    if start == "thriftiest":
        return solve(system, minimise="energy", seconds=POLISH_SECONDS).schedule
    found = study(system, seconds=POLISH_SECONDS)
    bend = knee(found.achieved)
    return None if bend is None else found.schedules[np.flatnonzero(found.on_front)[bend]]


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
