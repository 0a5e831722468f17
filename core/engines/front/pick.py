"""The schedule of a study that answers a wish, how far it is from both ends, and its gap."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from core.engines.front.study import Study
from core.engines.front.wish import Wish
from core.vocabulary.schedule import Schedule


class Possible(Enum):
    """Whether a wish can be met."""

    YES = "met"
    UNKNOWN = "no schedule found meets it, but it is not proven impossible"
    NO = "proven impossible"


@dataclass(frozen=True, eq=False)
class Pick:
    """The best schedule that meets the wish, or the one nearest to meeting it.

    `value` is what the wish minimises, and `bound` is a lower bound on it for all schedules that
    meet the wish (infinity if none can). `slower_than_fastest` (seconds) and
    `dearer_than_thriftiest` (joules) compare the schedule with the two ends of what was achieved.
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
        """How far `value` is above `bound`, as a share of the bound; infinity where the wish is not
        met.
        """
        if self.possible is not Possible.YES:
            return np.inf
        return self.value / self.bound - 1 if self.bound > 0 else 0.0


def pick(study: Study, wish: Wish) -> Pick:
    """The answer of a study to a wish; of equally good schedules, the better one in energy and
    makespan.

    Parameters
    ----------
    study : Study
        Schedules along the front.
    wish : Wish
        A ``Deadline`` (s), an ``EnergyBudget`` (J) or a ``PowerCap`` (W), among others.

    Returns
    -------
    Pick
        The schedule, a bound that no schedule beats, and whether the wish is possible.

    Raises
    ------
    ValueError
        If the study has no schedules.

    Examples
    --------
    >>> answer: Pick = pick(study(load_sample("two-by-two")), Deadline(seconds=12))
    >>> answer.schedule.energy, answer.bound
    (1360.0, 1360.0)
    """
    points = study.points
    if not len(points):
        raise ValueError(f"the method '{study.method}' gives no schedules; choose another method")
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
