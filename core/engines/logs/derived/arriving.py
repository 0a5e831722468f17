"""How often tasks of each type arrived, as a log shows it."""

import math
from typing import Final

import numpy as np

from core.engines.logs.derived.derivation import Derivation
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import USED
from core.vocabulary.arrays import FloatArray
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.say.words import DAY, HOUR

_HOURS: Final = 24
_WEEK: Final = 7
_MONDAY: Final = 4 * DAY
"""The first midnight of the clock that begins a Monday: day 0 was a Thursday."""
_PERIODS: Final = ((_HOURS, 0.0), (_WEEK * _HOURS, _MONDAY))
"""Hours of a period, and when one begins (s)."""


def arrivals_in(derivation: Derivation, store: RunStore) -> HourlyArrivals | None:
    """The runs that are used, by the hour of the cluster's clock in which they were submitted, or
    began where the log says no more; also by the hour of the week, if it is long enough. None if it
    does not say when.

    An hour that the log has less than once, at its ends, counts as once.
    """
    found = derivation.classified
    runs = {period: np.zeros((period[0], len(found.task_names))) for period in _PERIODS}
    first, last = math.inf, -math.inf
    for rows, block in store.parts(["submit", "start"]):  # all at once would take much memory
        submit, start = block["submit"], block["start"]
        moment = np.where(np.isfinite(submit), submit, start)
        known = (found.reasons.of_run[rows] == USED) & np.isfinite(moment)
        moment, task = moment[known], found.task[rows][known]
        first = min(first, float(moment.min(initial=math.inf)))
        last = max(last, float(moment.max(initial=-math.inf)))
        for (hours, begins), counts in runs.items():
            hour = ((moment - begins) % (hours * HOUR) // HOUR).astype(np.int64)
            np.add.at(counts, (hour, task), 1)
    if first > last:
        return None
    days = (last - first) / DAY
    of_day, of_week = (
        counts / np.maximum(hours_between(first - begins, last - begins, hours), 1.0)[:, None]
        for (hours, begins), counts in runs.items()
    )
    return HourlyArrivals(found.task_names, of_day, days, of_week if days >= _WEEK else None)


def hours_between(first: float, last: float, hours: int = _HOURS) -> FloatArray:
    """How often each hour of the day, or of another period of so many hours, is between two moments
    (s); parts of an hour count as such.
    """
    periods, rest = divmod(last - first, hours * HOUR)
    begins = HOUR * np.arange(2 * hours)
    begin = first % (hours * HOUR)
    parts = np.clip(begin + rest - begins, 0.0, HOUR) - np.clip(begin - begins, 0.0, HOUR)
    shares: FloatArray = periods + parts.reshape(2, hours).sum(axis=0) / HOUR
    return shares
