"""Prices of links, machines, the master and memory over time, and what they prove.

In an interval, a second of each link, of each worker's machines and of the master has a price, and
at each date a byte that waits on a worker. A task pays for what it uses on its route. All tasks
together cannot pay more than what all time and memory costs that there is. So if at the deadlines
of a stretch the tasks would have to pay more, even on their cheapest routes, then no schedule has
this stretch, and none has a smaller one.
"""

import math
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.fair_shares.bags import BagWork
from core.capabilities.fair_shares.epochs import LEAST_STRETCH, Epochs
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.tolerances import SUM_ROUNDING

_SHARES_LESS: Final = tuple(SUM_ROUNDING * 10.0**k for k in range(1, 10))
"""Shares to try; the first that is proven is taken."""


class CheapestRoutes(NamedTuple):
    """For each bag, worker and interval of computing: the interval in which the bag is best sent,
    and what the route costs; infinite where there is none.
    """

    sent: IntArray
    costs: FloatArray


class PricesOverTime(NamedTuple):
    """At least 0; a column an interval. `memory` is that of the date that begins the interval, and
    infinite for workers without memory.
    """

    links: FloatArray
    cpus: FloatArray
    master: FloatArray
    memory: FloatArray

    def in_units(self, second: float, byte: float) -> "PricesOverTime":
        """The prices of a second and a byte, where these are of so many seconds and bytes."""
        links, cpus, master, memory = self
        return PricesOverTime(links / second, cpus / second, master / second, memory / byte)

    @property
    def rates(self) -> FloatArray:
        """What a second of everything costs, by interval."""
        rates: FloatArray = self.links.sum(axis=0) + self.cpus.sum(axis=0) + self.master
        return rates

    @property
    def _finite_memory(self) -> FloatArray:
        return np.where(np.isfinite(self.memory), self.memory, 0.0)

    def cheapest_routes(
        self,
        link_use: FloatArray,
        cpu_use: FloatArray,
        master_use: FloatArray,
        bytes_use: FloatArray,
        windows: BoolArray,
        sends: FloatArray | float = 0.0,
    ) -> CheapestRoutes:
        """For bags of which one task (or share) uses so much, within their windows (bags x
        intervals). Sending in an interval also costs what `sends` says (bags x 1 x intervals).
        """
        holds = ~np.asarray(np.isinf(self.memory).any(axis=1))
        held = np.cumsum(self._finite_memory, axis=1) * bytes_use[:, None, None]
        sending = link_use[:, :, None] * self.links + (master_use[:, None] * self.master)[:, None]
        sending = np.where(windows[:, None, :], sending - held + sends, np.inf)
        best = np.where(holds[:, None], np.minimum.accumulate(sending, axis=2), sending)
        intervals = np.arange(best.shape[2])
        sent = np.maximum.accumulate(np.where(sending <= best, intervals, 0), axis=2)
        costs = np.where(windows[:, None, :], best + held + self._computing(cpu_use), np.inf)
        return CheapestRoutes(sent, costs)

    def _computing(self, cpu_use: FloatArray) -> FloatArray:
        """What tasks pay for machines (bags x workers x intervals); infinite where none can run."""
        costs: FloatArray = np.full((*cpu_use.shape, self.cpus.shape[1]), np.inf)
        can_run = np.isfinite(cpu_use)[:, :, None]
        np.multiply(cpu_use[:, :, None], self.cpus, out=costs, where=can_run)
        return costs

    def proves(self, work: BagWork, ideal: FloatArray, epochs: Epochs, stretch: float) -> bool:
        """Whether no schedule has this stretch, nor a smaller one, as these prices say.

        The prices are those of the epochs in their order; at any dates, any prices may say so.
        All rounding errors count against it.
        """
        if not self._fit(work):
            return False
        dates, windows = self._at(work, ideal, epochs, stretch)
        some = work.counts > 0
        least = self._routes(work, windows).min(axis=(1, 2))[some] * (1 - SUM_ROUNDING)
        least -= 2 * SUM_ROUNDING * self._waiting(work)[some]
        paid = math.fsum(work.counts[some] * least) + self._paid_by_stock(work, windows)
        worth = math.fsum(self.rates * np.diff(dates)) + self._memory_worth(work)
        return paid * (1 - SUM_ROUNDING) > worth * (1 + SUM_ROUNDING)

    def _paid_by_stock(self, work: BagWork, windows: BoolArray) -> float:
        """What tasks pay at least that are on their workers from the start; a lower bound."""
        bag, worker = np.nonzero(work.stock > 0)
        held = np.cumsum(self._finite_memory, axis=1)
        held = (held - held[:, :1])[worker] * work.data[bag, None]
        costs = held + work.seconds[bag, worker, None] * self.cpus[worker]
        least = np.where(windows[bag], costs, np.inf).min(axis=1)
        waiting = 2 * SUM_ROUNDING * self._waiting(work)[bag]
        return math.fsum(work.stock[bag, worker] * (least * (1 - SUM_ROUNDING) - waiting))

    def least_energy(
        self, work: BagWork, ideal: FloatArray, epochs: Epochs, stretch: float
    ) -> float:
        """Joules that every schedule of at most this stretch uses, as these prices say; between two
        stretches at which the order of these epochs holds, at least the line between theirs. It is
        for work from its beginning.

        A task costs its energy and pays for its time; time is worth what it costs beyond the idle
        power of the machines, which are on until the last task ends. All rounding errors count
        against it.
        """
        if not self._fit(work):
            return -math.inf
        # The routes of this order of dates are there also where dates meet, so that all is linear.
        dates, windows = self._at(work, ideal, epochs, stretch)
        costs = self._routes(work, windows | epochs.windows) + work.joules[:, :, None]
        least = costs.min(axis=(1, 2))
        sizes = np.abs(work.joules).min(axis=1) + np.abs(least) + 2 * self._waiting(work)
        paid = math.fsum(work.counts * (least - SUM_ROUNDING * sizes))
        last = float(work.release.max())
        idle = np.where(dates[:-1] >= last, epochs.idle_rates(work.idle_power), 0.0)
        worth = math.fsum(np.maximum(self.rates - idle, 0.0) * np.diff(dates))
        worth += self._memory_worth(work)
        energy = paid - worth + work.idle_power * last
        return energy - SUM_ROUNDING * (abs(paid) + worth + work.idle_power * last)

    def _fit(self, work: BagWork) -> bool:
        """Whether memory has a price wherever there is memory."""
        return not (np.isinf(self.memory) & (work.memory > 0)[:, None]).any()

    def _at(
        self, work: BagWork, ideal: FloatArray, epochs: Epochs, stretch: float
    ) -> tuple[FloatArray, BoolArray]:
        """The dates at a stretch, and the intervals in which each bag is open there."""
        # Later deadlines let a schedule do more, so they are rounded up.
        dates = np.maximum.accumulate(_rounded_up(epochs.base, epochs.slope, stretch))
        due = _rounded_up(work.release, ideal, stretch)
        windows = (dates[1:] > work.opens[:, None]) & (dates[:-1] < due[:, None])
        return dates, windows

    def _routes(self, work: BagWork, windows: BoolArray) -> FloatArray:
        """What a task of each bag pays at least on each worker, by the interval of computing."""
        return self.cheapest_routes(
            work.link_seconds, work.seconds, work.master_seconds, work.data, windows
        ).costs

    def _waiting(self, work: BagWork) -> FloatArray:
        """What a task of each bag would pay at most for memory."""
        return float(self._finite_memory.sum()) * work.data

    def _memory_worth(self, work: BagWork) -> float:
        bounded = np.isfinite(work.memory)
        held = work.memory[bounded, None] * self._finite_memory[bounded]
        return math.fsum(held.ravel())


def proven_stretch(
    prices: PricesOverTime, work: BagWork, ideal: FloatArray, epochs: Epochs, guess: float
) -> float:
    """The largest stretch near the guess, or near the next one in the order of these epochs, of
    which the prices prove that no schedule has a smaller one; at least 1.
    """
    nearest = min(max(guess, epochs.low), epochs.high)
    if math.isinf(nearest):
        return LEAST_STRETCH
    for share in _SHARES_LESS:
        stretch = nearest * (1 - share)
        if stretch > LEAST_STRETCH and prices.proves(work, ideal, epochs, stretch):
            return stretch
    return LEAST_STRETCH


def _rounded_up(release: FloatArray, ideal: FloatArray, stretch: float) -> FloatArray:
    """Deadlines that are later than they are, but releases (of ideal duration 0) as they are."""
    due = release + ideal * stretch * (1 + 2 * SUM_ROUNDING)
    return np.where(ideal > 0, due + 4 * np.spacing(due), release)
