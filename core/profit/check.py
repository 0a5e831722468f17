"""Checks with the judge's figures whether a schedule can be run batch after batch."""

from core.model.schedule import Schedule
from core.model.tolerances import SAME
from core.profit.terms import Terms
from core.verify.judge import verify


def holds(schedule: Schedule, terms: Terms, period: float) -> bool:
    """Whether the judge accepts the schedule, and it keeps the period (seconds) and, on average
    over the period, the cap.
    """
    verdict = verify(schedule, schedule.system)
    waiting = period - verdict.makespan
    if not verdict.ok or verdict.energy is None or waiting < -SAME * period:
        return False
    idle = schedule.system.total_idle_power
    joules = verdict.energy + (idle * waiting if idle else 0.0)
    return terms.keeps_cap(joules, period)
