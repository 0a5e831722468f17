"""Schedules that a page can show before a person has picked one."""

from typing import Final, Literal

import numpy as np

from core import System, solve, study
from core.capabilities.makespan.solve import Solution
from core.engines.front.known import Known
from core.engines.front.methods import Lp
from core.engines.front.study import Study
from core.vocabulary.budget import Effort
from core.vocabulary.plane.points import knee, non_dominated
from core.vocabulary.schedule import ImpossibleSchedule, Schedule
from core.vocabulary.timed import TimedSchedule
from dashboard.workspace.answering import QUICK_SPACING, polish_for
from dashboard.workspace.chosen import Chosen

FirstChoice = Literal["fastest", "balanced", "thriftiest"]
TITLES: Final[dict[FirstChoice, str]] = {
    "fastest": "Fastest",
    "balanced": "Balanced",
    "thriftiest": "Thriftiest",
}
STARTS: Final = {title: start for start, title in TITLES.items()}
MEANING: Final = (
    "Fastest: the shortest makespan, whatever the energy. Balanced: beyond it, saving time costs "
    "much more energy. Thriftiest: the least energy, whatever the makespan. The page Trade-offs "
    "has all schedules between them."
)
POLISH_SECONDS: Final = 1.0


def search(system: System) -> Solution | Study:
    """First schedules, quickly: along the front, or without powers the fastest one."""
    if system.apc is None:
        return solve(system, effort=polish_for(POLISH_SECONDS))
    return study(system, Lp(QUICK_SPACING), effort=Effort(0))


def offered(known: Known) -> tuple[FirstChoice, ...]:
    """What can be chosen. Without powers there is only the fastest, and a front that is nearly
    straight has no balanced schedule.
    """
    if known.system.apc is None:
        return ("fastest",)
    starts: tuple[FirstChoice, ...] = tuple(TITLES)
    return tuple(one for one in starts if not known.schedules or begin_with(known, one))


def begin_with(known: Known, start: FirstChoice) -> Schedule | None:
    """The known schedule of this kind, if there is one."""
    if start == "fastest":
        return known.fastest
    if start == "thriftiest":
        return known.thriftiest
    front = np.flatnonzero(non_dominated(known.points))
    bend = knee(known.points[front])
    return None if bend is None else known.schedules[front[bend]]


def usual(known: Known, kind: FirstChoice = "balanced") -> Chosen | None:
    """What a page begins with: the schedule of this kind; if there is none, the fastest."""
    starts: tuple[FirstChoice, ...] = (kind, "fastest")
    found = ((begin_with(known, one), TITLES[one]) for one in starts if one in offered(known))
    return next((Chosen.of(schedule, title) for schedule, title in found if schedule), None)


def bettered(chosen: Chosen, known: Known) -> Schedule | None:
    """What is known by now to be faster than the fastest, or thriftier than the thriftiest
    schedule that a person chose.
    """
    start, mine = STARTS.get(chosen.title), chosen.schedule
    if start == "fastest" and (best := known.fastest) is not None:
        return best if best.makespan < mine.makespan else None
    if start == "thriftiest" and (best := known.thriftiest) is not None:
        return best if best.energy < mine.energy else None
    return None


def carried_over(schedule: Schedule, system: System) -> Schedule | None:
    """The same tasks on the same machines, with the times and powers of `system`, after the same
    waits; None if `system` has other tasks or machines.
    """
    before = schedule.system
    if (before.task_names, before.machine_names) != (system.task_names, system.machine_names):
        return None
    try:
        if isinstance(schedule, TimedSchedule):
            return schedule.resumed(system)
        return Schedule(system, schedule.machine_type, schedule.machines, schedule.tasks)
    except ImpossibleSchedule:
        return None
