"""How often tasks of each type arrived, as a log shows it."""

from typing import Final

import numpy as np

from core.engines.logs.derived.derivation import Derivation
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import USED
from core.vocabulary.arrays import FloatArray
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.say.words import DAY, HOUR

_HOURS: Final = 24


def arrivals_in(derivation: Derivation, store: RunStore) -> HourlyArrivals | None:
    """The runs that are used, by the hour of the cluster's clock in which they were submitted, or
    began where the log says no more. None if it does not say when.

    An hour that the log has less than once, at its ends, counts as once.
    """
    found = derivation.classified
    used = found.reasons.of_run == USED
    submit, start = store.column("submit")[used], store.column("start")[used]
    moment = np.where(np.isfinite(submit), submit, start)
    known = np.isfinite(moment)
    if not known.any():
        return None
    hour = (moment[known] % DAY // HOUR).astype(np.int64)
    types = len(found.task_names)
    place = hour * types + found.task[used][known]
    runs = np.bincount(place, minlength=_HOURS * types).reshape(_HOURS, types)
    first, last = float(moment[known].min()), float(moment[known].max())
    times = np.maximum(hours_between(first, last), 1.0)
    return HourlyArrivals(found.task_names, runs / times[:, None], (last - first) / DAY)


def hours_between(first: float, last: float) -> FloatArray:
    """How often each hour of the day is between two moments (s); parts of an hour count as such."""
    days, rest = divmod(last - first, DAY)
    begins = HOUR * np.arange(2 * _HOURS)
    begin = first % DAY
    parts = np.clip(begin + rest - begins, 0.0, HOUR) - np.clip(begin - begins, 0.0, HOUR)
    shares: FloatArray = days + parts.reshape(2, _HOURS).sum(axis=0) / HOUR
    return shares
