"""Slots of time in which units of pools have a price, and windows of energy in which joules do."""

import numpy as np

from core.engines.replay.energy import EnergyWindows
from core.engines.replay.starts import Demand
from core.engines.replay.workload import Truth, Workload, beside_each_other
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import Budget


class PricedSlots:
    """What prices are of, for one workload, and what is demanded as it really is.

    Variables are worths: of all that a pool has of a resource (units first) during a slot, and of
    the energy of a window. So they are of one order of magnitude, and divided by amounts they are
    prices.
    """

    def __init__(
        self,
        workload: Workload,
        truth: Truth,
        windows: EnergyWindows,
        slots: int,
        budget: Budget,
    ) -> None:
        self.budget = budget
        self.windows = windows
        self.edges = _edges_of(workload, windows, slots)
        self.demand = _demand_of(workload, truth, self.edges)
        budget.check("bounding the worth")
        self.priced = _priced_slots(workload, self.edges)
        self.window = _windows_of(windows, self.edges)
        there = beside_each_other(workload.pools.units, workload.pools.further)
        # What a pool has nothing of, nobody takes: its price is never above 0.
        there = np.where(there > 0.0, there, 1.0)
        self.amounts = there[:, :, None] * np.diff(self.edges)[self.priced]
        self.limited = np.isfinite(windows.joules)
        self.joules = windows.joules[self.limited]
        job = float((self.demand.seconds * self.demand.watts).mean()) if len(workload.jobs) else 0.0
        self.scale = np.maximum(self.joules, job or 1.0)
        # What a variable of 1 adds to the sum by itself.
        self.held = np.concatenate([np.ones(self.amounts.size), self.joules / self.scale])

    def prices(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """What a second of a unit, and of each further resource, costs by pool in each slot of the
        horizon, and a joule in each window.
        """
        pools = x[: self.amounts.size].reshape(self.amounts.shape) / self.amounts
        joule = np.zeros(len(self.windows.joules))
        joule[self.limited] = x[self.amounts.size :] / self.scale
        return pools, joule

    def variables(self, prices: tuple[FloatArray, FloatArray], edges: FloatArray) -> FloatArray:
        """The variables that have these prices, which are of slots between other edges."""
        pools, joule = prices
        slot = np.searchsorted(edges, self.priced_edges[:-1], side="right") - 1
        held = pools[:, :, slot] * self.amounts
        return np.concatenate([held.ravel(), joule[self.limited] * self.scale])

    @property
    def priced_edges(self) -> FloatArray:
        """Where the slots of the horizon begin, and its end."""
        return self.edges[np.append(self.priced, False) | np.insert(self.priced, 0, False)]


def _edges_of(workload: Workload, windows: EnergyWindows, slots: int) -> FloatArray:
    """When slots begin: equal ones within the horizon, cut where windows begin or end. If the
    horizon has no end, until the last job has arrived and could have run twice.
    """
    begin, end = workload.horizon
    if not np.isfinite(end):
        last = float(workload.jobs.arrival.max(initial=0.0))
        end = max(last, begin) + 2.0 * float(workload.options.seconds.max(initial=0.5))
    edges = np.concatenate([[0.0], np.linspace(begin, end, slots + 1), windows.edges])
    return np.unique(edges[np.isfinite(edges)])


def _priced_slots(workload: Workload, edges: FloatArray) -> BoolArray:
    """Which slots lie within the horizon, of all but the last. Before and after it, pools need no
    price: whatever runs there and counts runs at its begin or at its end, too.
    """
    begin, end = workload.horizon
    return np.asarray((edges[:-1] >= begin) & (edges[:-1] < end))


def _windows_of(windows: EnergyWindows, edges: FloatArray) -> IntArray:
    """The window of each slot, or -1."""
    window = np.searchsorted(windows.edges, edges, side="right") - 1
    return np.where(window < len(windows.joules), window, -1)


def _demand_of(workload: Workload, truth: Truth, edges: FloatArray) -> Demand:
    """The jobs as they really are."""
    jobs, options = workload.jobs, workload.options
    return Demand(
        arrival=jobs.arrival,
        priority=jobs.priority,
        urgency=jobs.urgency,
        curve=np.asarray(jobs.curve, np.int64),
        curves=workload.curves.table,
        first=options.first,
        pool=options.pool,
        needs=beside_each_other(options.units, options.further, workload.pools.resources),
        extra=options.added,
        seconds=options.seconds * truth.time[options.job],
        watts=options.watts * np.minimum(truth.power[options.job], 1.0),
        begin=float(workload.horizon.begin),
        end=float(workload.horizon.end),
        edges=edges,
    )
