"""The purchase of whole machines after which the longest queue of a week is the shortest."""

from collections.abc import Callable
from dataclasses import dataclass

from core.capabilities.provision.first_stage import Purchase, nothing_bought
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.queue import WeekQueue
from core.capabilities.provision.week_search import (
    GAP,
    NEAR,
    Tangents,
    WeekProgram,
    WeekSearch,
)
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import never
from core.vocabulary.say.words import HOUR


@dataclass(frozen=True, slots=True, eq=False)
class LeastWait:
    """The cheapest purchase found of those after which the longest queue of a week is the shortest,
    with that `queue`. No purchase that keeps all limits has a longest queue below `bound` seconds.
    """

    purchase: Purchase
    queue: WeekQueue
    bound: float
    tries: int

    @property
    def longest(self) -> float:
        """The longest queue of the week with the purchase, in seconds."""
        return float(self.queue.after.max())

    @property
    def is_proven(self) -> bool:
        """Whether no purchase has a queue that is shorter by more than `NEAR`, or a thousandth."""
        return self.longest - self.bound <= max(NEAR, GAP * self.longest)


def least_wait(
    plan: Plan, profile: FloatArray, should_stop: Callable[[], bool] = never
) -> LeastWait:
    """The purchase with the least wait, if tasks arrive at the rates of a plan times the shares of
    `profile` (hours x task types).

    Raises `Infeasible` if whatever is bought, more work arrives than the machines can ever do;
    `InvalidInput` for limits that depend on what machines do; and `Cancelled`.
    """
    search = _WaitSearch(plan, profile, should_stop)
    purchase, bound = search.found()
    queues = (search.queue(one.counts)[0] for one in (nothing_bought(plan), purchase))
    return LeastWait(purchase, WeekQueue(*queues), bound * HOUR, search.tries)


class _WaitSearch(WeekSearch):
    """The value is the longest queue (hours)."""

    title, step, share = "least wait", NEAR / HOUR, 0.0

    def program(self, *, whole: bool) -> WeekProgram:
        return WeekProgram(self.plan, self.arrivals, whole=whole)

    def value(self, counts: FloatArray) -> tuple[float, Tangents]:
        queue, tangents = self.queue(counts)
        return float(queue.max()) / HOUR, tangents
