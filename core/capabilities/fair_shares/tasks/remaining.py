"""What is left of bags at a moment: the least worst stretch that is still possible, and a plan.

All bags that are left have been released, and later ones are not known. So the dates are the
deadlines alone, and each bag may be sent and computed until its own. Tasks that were sent stay
where they are.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from core.capabilities.fair_shares.bags import BagWork
from core.capabilities.fair_shares.optimum import StretchSearch
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.running import OpenTasks
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import METHODS_AGREE


@dataclass(frozen=True, eq=False)
class Remaining:
    """The bags at `now` (s after the first release): `unsent` tasks of each bag, and `present`
    tasks of each on each worker, parts of running ones among them. `left` are the bags with any.
    """

    work: BagWork
    ideal: FloatArray
    now: float
    unsent: IntArray
    present: FloatArray

    @property
    def left(self) -> IntArray:
        released = self.work.release <= self.now
        return np.flatnonzero(released & ((self.unsent > 0) | (self.present > 0).any(axis=1)))

    def search(self) -> StretchSearch:
        """The search for the least worst stretch of the bags that are left."""
        work, left = self.work, self.left
        rest = replace(
            work,
            counts=self.unsent[left].astype(float),
            release=work.release[left],
            data=work.data[left],
            seconds=work.seconds[left],
            joules=work.joules[left],
            tasks=work.counts[left],
            stock=self.present[left],
            start=self.now,
        )
        return StretchSearch(rest, self.ideal[left])


class LeastRemaining(NamedTuple):
    """The least worst `stretch`. No schedule has one below `proven`: the same but for rounding."""

    stretch: float
    proven: float


class RemainingPlan(NamedTuple):
    """A plan with the worst stretch `stretch`: `sent[k, u, j]` tasks of bag k are sent to worker u
    in interval j, which ends at `dates[j]` (s after the first release).
    """

    stretch: float
    dates: FloatArray
    sent: FloatArray


def what_remains(work: MachineWork, run: OpenTasks) -> Remaining:
    """What is left of the bags of a replay."""
    present = np.zeros(work.fitting.work.seconds.shape)
    np.add.at(present.T, work.worker, run.present.T)
    return Remaining(work.fitting.work, work.ideal, run.now, run.unsent, present)


def least_remaining(remaining: Remaining) -> LeastRemaining:
    """The least worst stretch of the bags that are left. Raises `SolverFailed`."""
    search = remaining.search()
    stretch, _ = search.least()
    return LeastRemaining(stretch, min(search.proven, stretch))


def plan_remaining(remaining: Remaining, *, sent_early: bool = False) -> RemainingPlan:
    """A plan of the bags that are left with a millionth more than their least worst stretch, in
    which tasks end early, and if asked are sent early, too. Raises `SolverFailed`.
    """
    search = remaining.search()
    stretch = search.least()[0] * (1 + METHODS_AGREE)
    shares = search.early(stretch, sent_early=sent_early)
    dates = shares.epochs.dates(stretch)[1:]
    sent = np.zeros((*remaining.work.seconds.shape, len(dates)))
    bag, worker, interval, _ = shares.routes
    bag = remaining.left[bag]
    np.add.at(sent, (bag, worker, interval), shares.shares * remaining.unsent[bag])
    return RemainingPlan(stretch, dates, sent)
