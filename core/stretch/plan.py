"""What links and machines do at each time, if tasks can be split."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from core.model.arrays import FloatArray
from core.stretch.bags import ArrivingBags
from core.stretch.routes import RouteShares


@dataclass(frozen=True, eq=False)
class FluidPlan:
    """Tasks of each bag that are sent to each worker, and computed there, in each interval.

    `dates` are the ends of the intervals in seconds; within one, all rates are constant. `sent` and
    `computed` have a line a bag, with a line a worker of `bags.work`, and a column an interval.
    """

    bags: ArrivingBags
    dates: FloatArray
    sent: FloatArray
    computed: FloatArray

    @classmethod
    def of(cls, bags: ArrivingBags, shares: RouteShares, stretch: float) -> Self:
        """The plan of these shares of bags, at a stretch at which they are possible."""
        work, routes = bags.work, shares.routes
        whole = np.bincount(routes.bag, shares.shares, len(work.counts))
        tasks = shares.shares * (work.counts / whole)[routes.bag]
        dates = shares.epochs.dates(stretch) + bags.release[bags.present].min()
        sent = np.zeros((*work.seconds.shape, len(dates) - 1))
        computed = np.zeros_like(sent)
        np.add.at(sent, (routes.bag, routes.worker, routes.sent), tasks)
        np.add.at(computed, (routes.bag, routes.worker, routes.computed), tasks)
        return cls(bags, dates, sent, computed)

    @property
    def waiting(self) -> FloatArray:
        """Tasks of each bag that wait on each worker at the end of each interval."""
        waiting: FloatArray = np.cumsum(self.sent - self.computed, axis=2)
        return waiting

    @property
    def ends(self) -> FloatArray:
        """When each bag ends, in seconds."""
        busy = np.asarray(self.computed.any(axis=1))
        last = busy.shape[1] - 1 - busy[:, ::-1].argmax(axis=1)
        ends: FloatArray = self.dates[1:][last]
        return ends
