"""Earliest due date first, at once: what must end first starts first, and as early as possible."""

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.placing import JobStarts, as_early_as_possible
from core.capabilities.centre.plan import DayPlan, executing, server_powers
from core.capabilities.centre.rivals.sleeping import awake_for
from core.capabilities.centre.rivals.thermostat import cheapest_safe


def due_first(day: CentreDay) -> DayPlan:
    """By their due dates (EDD), jobs start as early as possible; servers with nothing to do sleep,
    where their start leaves time for it; each step is cooled by what then draws the least.

    Raises `NoScheduleFound` if jobs do not end within the day, or if it gets too warm.
    """
    return thrifty(day, as_early_as_possible(day, np.lexsort((day.jobs.release, day.jobs.due))))


def thrifty(day: CentreDay, starts: JobStarts) -> DayPlan:
    """A plan of given starts: servers with nothing to do sleep, where their start leaves time for
    it, and each step is cooled by what then draws the least.

    Raises `NoScheduleFound` if it gets too warm.
    """
    busy = executing(day, *starts)
    awake = awake_for(day, busy)
    watts = server_powers(day, busy, awake).sum(axis=0)
    return DayPlan(*starts, awake, *cheapest_safe(day, watts))
