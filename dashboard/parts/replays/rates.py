"""How often the tasks of a system arrive, if nobody says otherwise."""

from typing import Final

import numpy as np

from core import System
from core.capabilities.arrivals.made.system_work import usual_rates
from core.vocabulary.arrays import FloatArray
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.calendar import HOURS_OF_DAY

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
