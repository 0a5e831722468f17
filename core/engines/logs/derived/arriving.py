"""How often tasks of each type arrived, as a log shows it."""

from typing import Final

import numpy as np

from core.engines.logs.derived.derivation import Derivation
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import USED
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.say.words import DAY, HOUR

_HOURS: Final = 24
_WEEK: Final = 7
_MONDAY: Final = 4 * DAY
"""The first midnight of the clock that begins a Monday: day 0 was a Thursday."""


def arrivals_in(derivation: Derivation, store: RunStore) -> HourlyArrivals | None:
    """The runs that are used, by the hour of the cluster's clock in which they were submitted, or
    began where the log says no more; also by the hour of the week, if it is long enough. None if it
    does not say when.

    An hour that the log has less than once, at its ends, counts as once.
    """
    found = derivation.classified
    used = found.reasons.of_run == USED
    submit, start = store.column("submit")[used], store.column("start")[used]
    moment = np.where(np.isfinite(submit), submit, start)
    known = np.isfinite(moment)
    if not known.any():
        return None
    moment, task, types = moment[known], found.task[used][known], len(found.task_names)
    days = float(moment.max() - moment.min()) / DAY
    return HourlyArrivals(
        found.task_names,
        _by_hour(moment, task, types, _HOURS),
        days,
        _by_hour(moment - _MONDAY, task, types, _WEEK * _HOURS) if days >= _WEEK else None,
    )


def _by_hour(moment: FloatArray, task: IntArray, types: int, hours: int) -> FloatArray:
    """Tasks of each type that came at these moments (s) in each hour of a period of so many, on
    average.
    """
    hour = (moment % (hours * HOUR) // HOUR).astype(np.int64)
    runs = np.bincount(hour * types + task, minlength=hours * types).reshape(hours, types)
    times = np.maximum(hours_between(float(moment.min()), float(moment.max()), hours), 1.0)
    return runs / times[:, None]


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
