"""Whether a schedule is fit to be run again and again, by the figures of the independent judge."""

from core.model.schedule import Schedule
from core.model.tolerances import SAME
from core.profit.terms import Terms
from core.verify.judge import verify


def holds(schedule: Schedule, terms: Terms, period: float) -> bool:
    """Whether it is a schedule, done within a period of so many seconds, in which all machines draw
    no more on average than the cap.
    """
    verdict = verify(schedule, schedule.system)
    waiting = period - verdict.makespan
    if not verdict.ok or verdict.energy is None or waiting < -SAME * period:
        return False
    idle = schedule.system.total_idle_power
    joules = verdict.energy + (idle * waiting if idle else 0.0)
    return terms.keeps_cap(joules, period)
