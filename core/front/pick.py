"""The schedule of a study that answers a wish, what it gives up, and how good it provably is."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from core.front.study import Study
from core.front.wish import Wish
from core.model.schedule import Schedule


class Possible(Enum):
    """Whether a wish can be met."""

    YES = "met"
    UNKNOWN = "not met by any schedule found, nor proven impossible"
    NO = "proven impossible"


@dataclass(frozen=True, eq=False)
class Pick:
    """The best schedule that meets the wish, or the one nearest to meeting it.

    `value` is what the wish wants small, `bound` the least that any schedule meeting it can have
    (infinity where none can). `slower_than_fastest` (seconds) and `dearer_than_thriftiest` (joules)
    are what it gives up against the two ends of what was achieved.
    """

    wish: Wish
    schedule: Schedule
    index: int
    possible: Possible
    value: float
    bound: float
    slower_than_fastest: float
    dearer_than_thriftiest: float

    @property
    def gap(self) -> float:
        """At most this share of the bound could be saved by another schedule; infinity where the
        wish is not met.
        """
        if self.possible is not Possible.YES:
            return np.inf
        return self.value / self.bound - 1 if self.bound > 0 else 0.0


def pick(study: Study, wish: Wish) -> Pick:
    """The answer of a study to a wish; of equally good schedules the one that is better otherwise.

    Raises `ValueError` for a study without schedules.

    >>> answer: Pick = pick(study(load_sample("two-by-two")), Deadline(seconds=12))
    >>> answer.schedule.energy, answer.bound
    (1360.0, 1360.0)
    """
    points = study.points
    if not len(points):
        raise ValueError(f"the method '{study.method}' makes no schedules to pick from")
    excess = wish.excess(points)
    value = wish.value(points)
    index = int(np.lexsort((points.sum(axis=1), value, excess))[0])
    bound = wish.bound(study.proven)
    met = bool(excess[index] <= 0)
    possible = Possible.YES if met else Possible.UNKNOWN if np.isfinite(bound) else Possible.NO
    energy, makespan = points[index]
    return Pick(
        wish,
        study.schedules[index],
        index,
        possible,
        float(value[index]),
        bound,
        float(makespan - points[:, 1].min()),
        float(energy - points[:, 0].min()),
    )
