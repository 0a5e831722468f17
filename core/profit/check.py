"""Whether a schedule is fit to be run again and again, by the figures of the independent judge."""

import numpy as np

from core.profit.terms import Terms
from core.schedule import Schedule
from core.verify import verify

# What rounding may do to sums that are compared, as a share of them.
_ROUNDING = 1e-9


def holds(schedule: Schedule, terms: Terms, period: float) -> bool:
    """Whether it is a schedule, done within a period of so many seconds, in which all machines draw
    no more on average than the cap.
    """
    verdict = verify(schedule, schedule.system)
    waiting = period - verdict.makespan
    if not verdict.ok or verdict.energy is None or waiting < -_ROUNDING * period:
        return False
    idle = schedule.system.total_idle_power
    joules = verdict.energy + (idle * waiting if idle else 0.0)
    return bool(np.isinf(waiting) or joules <= terms.cap * period * (1 + _ROUNDING))
