"""A day as usual: nothing is planned, no server sleeps, and a thermostat cools."""

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.placing import as_early_as_possible
from core.capabilities.centre.plan import DayPlan, executing, server_powers
from core.capabilities.centre.rivals.thermostat import by_thermostat


def as_usual(day: CentreDay) -> DayPlan:
    """Every server is awake all day. By their release, jobs start as early as possible; the
    compressor runs by thermostat.

    The publication accounts this plan without green power: measure it under curves that have none.

    Raises `NoScheduleFound` if jobs do not end within the day, or if it gets too warm.
    """
    starts = as_early_as_possible(day, np.argsort(day.jobs.release, kind="stable"))
    awake = np.repeat(day.centre.counts[:, None], day.steps, axis=1)
    watts = server_powers(day, executing(day, *starts), awake).sum(axis=0)
    return DayPlan(*starts, awake, *by_thermostat(day, watts))
