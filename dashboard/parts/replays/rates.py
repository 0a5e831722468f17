"""How often the tasks of a system arrive, and why a day of them cannot be replayed."""

from typing import Final

import numpy as np

from core import System
from core.capabilities.arrivals.made.system_work import usual_rates
from core.files.findings import shown_list
from core.vocabulary.arrays import FloatArray
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.say.words import typed
from core.vocabulary.tolerances import SAME

_BUSY: Final = 0.6
_USUAL_JOBS: Final = 1_000.0
"""Jobs a day to begin with, if machines can do more."""


def rates_of(system: System, known: HourlyArrivals | None) -> FloatArray:
    """Tasks an hour by hour of the day and type: those known; without, the mix of the tasks, at all
    hours alike.
    """
    if known is not None:
        return known.of(system)
    return np.tile(usual_rates(system, _BUSY, _USUAL_JOBS / HOURS_OF_DAY), (HOURS_OF_DAY, 1))


def why_none(system: System, a_day: FloatArray, most: int) -> str:
    """Why so many tasks of each type give no day that is replayed, of at most so many, and what to
    change; empty if they may give one.
    """
    stuck = np.flatnonzero((a_day > 0) & ~system.can_run.any(axis=1))
    if len(stuck):
        names = shown_list(system.task_names[k] for k in stuck.tolist())
        return (
            f"No machine that is there runs {names}. Give it a machine on Machines, or type on "
            "Work that none arrives."
        )
    if not a_day.any():
        return "No task arrives. Type on Work how many do."
    if a_day.sum() > most * (1 + SAME):
        return (
            f"More than {typed(most)} tasks arrive a day, the most that are replayed here. Type "
            "fewer on Work."
        )
    return ""
