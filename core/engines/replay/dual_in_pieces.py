"""The best prices where jobs may be stopped and go on later, all progress kept: a linear program.

What jobs buy at some prices (`core.engines.replay.buying`) is a way to run them, if only in part
and all at once. The program mixes the ways that were found so far, within pools and windows, to
earn the most. Its duals are the next prices, at which jobs buy other ways, until mixtures earn what
prices prove. An interior point method finds prices in the middle of those that tie, where few
rounds are needed; no vertex is as good. What is proven is computed from prices alone.
"""

import math
from collections.abc import Callable
from itertools import chain
from operator import itemgetter
from typing import Final

import numpy as np

from core.engines.lp.program import Program
from core.engines.replay.buying import Bought, Lots, Rates, buy_best
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.priced import PricedSlots
from core.engines.replay.workload import Truth, Workload, repeated
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget
from core.vocabulary.tolerances import SUM_ROUNDING

_MOST_LOTS: Final = 2048
"""Prices are looked for with at most so many lots of equal jobs, which then count for all; what is
proven counts all jobs. On a published day of 60,000 lots, it is within 0.5 % of the least."""
_LADDER: Final = (0.0, *(2.0**power for power in range(-4, 4)))
"""The first prices are the same in all pools and slots: these multiples of the median of what
options earn a second of a unit."""
_ROUNDS: Final = 60
_NEAR: Final = 0.0001
"""The search ends when the mixture earns all but this share of what is proven."""


class PiecesDual(PricedSlots):
    """The sum that prices minimise where a job buys the cheapest seconds until its end."""

    def __init__(
        self,
        workload: Workload,
        truth: Truth,
        windows: EnergyWindows,
        slots: int,
        budget: Budget,
    ) -> None:
        super().__init__(workload, truth, windows, slots, budget)
        self.lots = lots_of(workload, truth)
        self.within = np.searchsorted(self.edges, workload.horizon)
        window = np.flatnonzero(self.limited)
        self.spans = (self.window[:, None] == window).astype(float)

    def solve(self, report: Callable[[float], None]) -> tuple[float, FloatArray]:
        """The least bound that is found, and the variables that prove it. `report` is told which
        share of the rounds is done at most, after each.
        """
        sample, ladder = self._sample(), self._ladder()
        worth, x = min(((self.exact(x, sample), x) for x in ladder), key=itemgetter(0))
        best = worth, x
        program = Program(solver="ipm", run_crossover="off", ipm_optimality_tolerance=0.1 * _NEAR)
        held = program.add_rows(-np.inf, self.held)
        once = program.add_rows(-np.inf, np.ones(max(len(sample.job), 1)))
        for number in range(_ROUNDS if worth else 0):
            if number < len(ladder):
                x = ladder[number]
            else:
                found = program.approach()
                if best[0] + worth * found.objective <= _NEAR * best[0]:
                    break
                x = worth * np.maximum(-found.duals[held], 0.0)
            bought = self._bought(x, sample)
            best = min(best, (self._sum(x, bought.surplus), x), key=itemgetter(0))
            rows, uses = self._uses(sample, bought)
            earned = bought.surplus + (x[rows] * uses).sum(axis=1)
            new = np.flatnonzero(earned)
            if len(new):
                ways = held[rows[new]], uses[new]
                program.add_columns([(once[new], 1.0), ways], -earned[new] / worth)
            report((number + 1) / _ROUNDS)
        return self.exact(best[1], self.lots), best[1]

    def exact(self, x: FloatArray, lots: Lots) -> float:
        """The sum at some variables, rounded up."""
        parts = range(0, len(lots.job), _MOST_LOTS)
        each = [
            Lots(lots.job[part:][:_MOST_LOTS], lots.number[part:][:_MOST_LOTS]) for part in parts
        ]
        return self._sum(x, *(self._bought(x, part).surplus for part in each))

    def _sum(self, x: FloatArray, *surplus: FloatArray) -> float:
        total = float(self.held @ x) + math.fsum(chain(*surplus))
        return total * (1.0 + SUM_ROUNDING * (len(self.demand.arrival) + len(x)))

    def _bought(self, x: FloatArray, lots: Lots) -> Bought:
        self.budget.check("bounding the worth")
        pools, joule = self.prices(x)
        rates = np.zeros((*pools.shape[:2], len(self.edges)))
        rates[:, :, :-1][:, :, self.priced] = pools
        given = Rates(rates, self.spans @ joule[self.limited], *self.within.tolist())
        many = len(lots.job)
        bought = Bought(np.zeros(many), np.zeros(many, np.int64), np.zeros((many, len(self.edges))))
        buy_best(self.demand, lots, given, bought)
        return bought

    def _uses(self, lots: Lots, bought: Bought) -> tuple[IntArray, FloatArray]:
        """Which variables each lot has a use for, and how much, as a share of what they are of."""
        pool, many = self.demand.pool[bought.option], len(bought.option)
        seconds = bought.seconds * lots.number[:, None]
        needs = self.demand.needs[bought.option]
        taken = needs[:, :, None] * seconds[:, None, :-1][:, :, self.priced] / self.amounts[pool]
        joules = seconds @ self.spans * self.demand.watts[bought.option, None]
        windows = np.broadcast_to(self.amounts.size + np.arange(len(self.joules)), joules.shape)
        of_pool = self.amounts[0].size
        rows = np.hstack([pool[:, None] * of_pool + np.arange(of_pool), windows])
        return rows, np.hstack([taken.reshape(many, of_pool), joules / self.scale])

    def _ladder(self) -> list[FloatArray]:
        """Prices to begin with."""
        demand = self.demand
        worth = np.repeat(demand.priority, np.diff(demand.first)) + demand.extra
        units = demand.needs[:, 0]
        usual = float(np.median(worth / (demand.seconds * units))) if len(worth) else 0.0
        free = np.zeros(len(self.joules))
        first = self.amounts * (np.arange(self.amounts.shape[1]) == 0)[:, None]
        return [np.append(step * usual * first, free) for step in _LADDER]

    def _sample(self) -> Lots:
        """All lots, or as many as are taken, of all kinds and times."""
        job, number = self.lots
        every = -(-len(job) // _MOST_LOTS)
        demand = self.demand
        seconds = demand.seconds[demand.first[job]]
        by = (demand.arrival[job], seconds, demand.priority[job], demand.curve[job])
        kept = np.sort(np.lexsort(by)[every // 2 :: every]) if every > 1 else np.arange(len(job))
        return Lots(job[kept], number[kept] * (number.sum() / max(number[kept].sum(), 1.0)))


def lots_of(workload: Workload, truth: Truth) -> Lots:
    """Jobs that follow each other and are equal in all."""
    same = repeated(workload, truth.time, truth.power)
    first = np.flatnonzero(~same)
    return Lots(first, np.diff(np.append(first, len(same))).astype(float))
