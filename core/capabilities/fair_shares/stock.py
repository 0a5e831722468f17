"""Tasks that are on workers from the start, as columns of the linear program of bags.

A column is the share of the stock of a bag on a worker that is computed in an interval. Until then
it fills the memory of the worker.
"""

import numpy as np

from core.capabilities.fair_shares.bags import BagWork
from core.capabilities.fair_shares.epochs import Epochs
from core.engines.lp.program import Entries, Program
from core.vocabulary.arrays import FloatArray, IntArray


class StockColumns:
    """The columns of the stock of some work, in a program of which `cpus` are the rows of machines
    and `memory` those of what waits (workers x intervals; -1: no limit), in so many seconds and
    bytes.
    """

    def __init__(
        self,
        program: Program,
        work: BagWork,
        cpus: IntArray,
        memory: IntArray,
        units: tuple[float, float],
    ) -> None:
        self._program, self._work = program, work
        self._bag, self._worker = bag, worker = np.nonzero(work.stock > 0)
        intervals = cpus.shape[1]
        self._columns = np.empty((len(bag), intervals), np.int64)
        if not len(bag):
            return
        second, byte = units
        done = program.add_rows(np.ones(len(bag)), 1.0)
        cpu_use = work.stock_seconds[bag, worker] / second
        bytes_use = (work.stock * work.data[:, None])[bag, worker] / byte
        bounded = memory[worker, -1] >= 0
        for interval in range(intervals):
            for held in (False, True):
                pairs = np.flatnonzero(bounded == held)
                if not len(pairs):
                    continue
                at = worker[pairs]
                entries: list[Entries] = [(done[pairs], 1.0), (cpus[at, interval], cpu_use[pairs])]
                if held:
                    dates = range(1, interval + 1)
                    entries += [(memory[at, date], bytes_use[pairs]) for date in dates]
                self._columns[pairs, interval] = program.add_columns(entries)

    def keep_to(self, epochs: Epochs) -> None:
        """Compute nothing after the deadline of its bag."""
        if self._columns.size:
            open_ = epochs.windows[self._bag]
            most = np.where(open_, np.inf, 0.0).ravel()
            self._program.set_column_bounds(self._columns.ravel(), 0.0, most)

    def aim(self, costs: FloatArray) -> None:
        """Let the tasks of a bag cost so much together, by the interval in which they are computed
        (bags x intervals).
        """
        if self._columns.size:
            parts = (self._work.stock / self._work.tasks[:, None])[self._bag, self._worker]
            costs = costs[self._bag] * parts[:, None]
            self._program.set_costs(self._columns.ravel(), costs.ravel())
