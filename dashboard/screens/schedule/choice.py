"""Schedules that a page can show before a person has picked one."""

from typing import Final, Literal

from core import System, solve, study
from core.capabilities.makespan.solve import Solution
from core.capabilities.trade_offs.told import BALANCED
from core.engines.front.known import Known
from core.engines.front.methods import Lp
from core.engines.front.study import Study
from core.engines.relaxed import Front
from core.vocabulary.budget import Effort
from core.vocabulary.plane.points import nearest_to_knee
from core.vocabulary.schedule import ImpossibleSchedule, Schedule
from core.vocabulary.timed import TimedSchedule
from dashboard.workspace.answering import QUICK_SPACING, polish_for
from dashboard.workspace.chosen import Chosen

FirstChoice = Literal["fastest", "balanced", "thriftiest"]
TITLES: Final[dict[FirstChoice, str]] = {
    "fastest": "Fastest",
    "balanced": BALANCED,
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


def offered(known: Known, front: Front | None) -> tuple[FirstChoice, ...]:
    """What can be chosen. Without powers there is only the fastest, and a front of the bound that
    is nearly straight has no balanced schedule.
    """
    if known.system.apc is None:
        return ("fastest",)
    starts: tuple[FirstChoice, ...] = tuple(TITLES)
    return tuple(one for one in starts if not known.schedules or begin_with(known, one, front))


def begin_with(known: Known, start: FirstChoice, front: Front | None) -> Schedule | None:
    """The known schedule of this kind, if there is one. The balanced one is the nearest to the knee
    of the front of the bound, so it is the same at each visit, whatever else has been found.
    """
    if start == "fastest":
        return known.fastest
    if start == "thriftiest":
        return known.thriftiest
    nearest = None if front is None else nearest_to_knee(known.points, front.points)
    return None if nearest is None else known.schedules[nearest]


def usual(known: Known, front: Front | None, kind: FirstChoice = "balanced") -> Chosen | None:
    """What a page begins with: the schedule of this kind; if there is none, the fastest."""
    starts: tuple[FirstChoice, ...] = (kind, "fastest")
    can = offered(known, front)
    found = ((begin_with(known, one, front), TITLES[one]) for one in starts if one in can)
    return next((Chosen.of(schedule, title) for schedule, title in found if schedule), None)


def bettered(chosen: Chosen, known: Known, front: Front | None) -> Schedule | None:
    """What is known by now to be faster than the fastest, thriftier than the thriftiest, or nearer
    to the knee than the balanced schedule that a person chose.
    """
    start, mine = STARTS.get(chosen.title), chosen.schedule
    best = None if start is None else begin_with(known, start, front)
    if best is None:
        return None
    now, before = ((one.energy_if_known or 0.0, one.makespan) for one in (best, mine))
    if start == "balanced":
        return None if now == before else best
    measure = 1 if start == "fastest" else 0
    return best if now[measure] < before[measure] else None


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
