"""The makespans of other methods for the same system."""

from dataclasses import dataclass
from typing import Final

from core import System, verify
from core.capabilities.makespan.solve import Solution
from core.engines.rivals import RIVALS, NoScheduleFound
from core.vocabulary.say.words import Sense, duration

COMPARED: Final = ("min-min", "max-min", "sufferage", "mct", "met", "olb")
SECONDS_EACH: Final = 5.0


_QUICK: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class MethodOutcome:
    """The makespan (s) that a method reached; or None, and a remark why."""

    title: str
    makespan: float | None
    remark: str = ""


def outcome(system: System, rival: str) -> MethodOutcome:
    """The makespan of a rival, if it finds a verified schedule within `SECONDS_EACH`."""
    title = RIVALS[rival].title.partition(":")[0]
    try:
        schedule = RIVALS[rival].solve(system, seconds=SECONDS_EACH)
    except NoScheduleFound:
        return MethodOutcome(
            title, None, f"no schedule within {duration(SECONDS_EACH, Sense.TYPED)}"
        )
    verdict = verify(schedule, system)
    if not verdict.ok:
        return MethodOutcome(title, None, "the judge found faults in its schedule")
    return MethodOutcome(title, verdict.makespan)


def is_quick(system: System) -> bool:
    """Whether all methods in `COMPARED` together take less than two seconds."""
    return system.tasks * len(system.task_types) <= _QUICK and system.machines <= _QUICK // 100


def own_outcome(solution: Solution) -> MethodOutcome:
    return MethodOutcome("Wattfront", solution.schedule.makespan)
