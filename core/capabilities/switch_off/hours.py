"""How many nodes are busy in each hour of the week."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.calendar import HOURS_OF_WEEK
from core.vocabulary.node_use import BusyChanges, NodeUse
from core.vocabulary.say.words import DAY, HOUR

_MONDAY: Final = 72
"""Hours from the Monday before the year 1970, which began on a Thursday, to its begin."""
_DATES: Final = 365 * DAY
"""Earlier moments are no dates: such logs count their seconds from their own beginning."""


@dataclass(frozen=True, eq=False)
class HoursOfWeek:
    """Busy nodes in each hour of the week, from Monday 0:00: the `most` at once in any week, and
    their `mean`; -1 and NaN in hours that the log does not have.
    """

    most: IntArray
    mean: FloatArray


def has_dates(use: NodeUse) -> bool:
    """Whether the log says on which day of the week it was."""
    return use.begin > _DATES


def hours_of_week(changes: BusyChanges, begin: float, end: float) -> HoursOfWeek:
    """The busy nodes of one machine type."""
    edges = HOUR * np.arange(np.floor(begin / HOUR) + 1, np.ceil(end / HOUR))
    times = np.unique(np.concatenate([[begin], changes.times, edges]))
    times = times[(times >= begin) & (times < end)]
    busy = np.append(changes.running, changes.busy)
    busy = busy[np.searchsorted(changes.times, times, side="right")]
    hour = (np.floor(times / HOUR).astype(np.int64) + _MONDAY) % HOURS_OF_WEEK
    most = np.full(HOURS_OF_WEEK, -1)
    np.maximum.at(most, hour, busy)
    length = np.diff(times, append=end)
    known = np.bincount(hour, length, HOURS_OF_WEEK)
    total = np.bincount(hour, length * busy, HOURS_OF_WEEK)
    mean = np.divide(total, known, out=np.full(HOURS_OF_WEEK, np.nan), where=known > 0)
    return HoursOfWeek(most, mean)
