"""What links and machines do at each time, if tasks can be split."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.routes import RouteShares
from core.vocabulary.arrays import FloatArray
from core.vocabulary.prices.day import by_hour_of_day


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
        return cls._on(bags, shares, shares.epochs.dates(stretch))

    @classmethod
    def thrifty(cls, bags: ArrivingBags, shares: RouteShares) -> Self:
        """The plan without time that is left over after the last release: what follows is earlier.

        So its dates are not those at which bags are due, but never later.
        """
        dates, last = shares.epochs.dates(shares.size), int(shares.epochs.first.max())
        lengths = np.minimum(np.maximum(shares.used, 0.0), np.diff(dates))[last:]
        dates[last + 1 :] = dates[last] + np.cumsum(lengths)
        return cls._on(bags, shares, dates)

    @classmethod
    def _on(cls, bags: ArrivingBags, shares: RouteShares, dates: FloatArray) -> Self:
        """The plan on these dates, which count from the first release."""
        work, routes = bags.work, shares.routes
        whole = np.bincount(routes.bag, shares.shares, len(work.counts))
        tasks = shares.shares * (work.counts / whole)[routes.bag]
        dates = dates + bags.release[bags.present].min()
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
    def energy(self) -> float:
        """Joules of all machines, from the first release until the last bag ends."""
        idle = self.bags.work.idle_power * float(self.ends.max() - self.dates[0])
        return math.fsum((self.computed.sum(axis=2) * self._joules).ravel()) + idle

    @property
    def _joules(self) -> FloatArray:
        """What a task of each bag adds on each worker (J); 0 where it does not run."""
        joules = self.bags.work.joules
        return np.where(np.isfinite(joules), joules, 0.0)

    def joules_by_hour(self, begins: float) -> FloatArray:
        """The joules of each hour of the day, if time 0 is so many seconds after midnight."""
        of_tasks = np.einsum("bwk,bw->k", self.computed, self._joules)
        idle = self.bags.work.idle_power * np.diff(np.minimum(self.dates, self.ends.max()))
        return by_hour_of_day(self.dates + begins, np.append(0.0, np.cumsum(of_tasks + idle)))

    @property
    def ends(self) -> FloatArray:
        """When each bag ends, in seconds."""
        busy = np.asarray(self.computed.any(axis=1))
        last = busy.shape[1] - 1 - busy[:, ::-1].argmax(axis=1)
        ends: FloatArray = self.dates[1:][last]
        return ends
