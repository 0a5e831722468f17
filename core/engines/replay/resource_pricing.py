"""What a second of a core, and of a GB, is worth at the next hour, by the jobs of the last one.

The jobs to come are expected to be as those that came, and those that wait come first. A linear
program packs all of them, in parts, into what is not held by jobs that run; its duals make the
prices. Where these have earned less in the last hours than no prices would have, there are none.
No job is looked at before it arrives.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from core.engines.lp.program import PRIMAL, Program
from core.engines.replay.clock import OpenReplay, ReplaySettings
from core.engines.replay.policy import Measure, Prices
from core.engines.replay.workload import Horizon, Truth, beside_each_other, rows_of
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget

OFTEN: Final = 900.0
"""Prices are set anew after so many seconds."""
_LOOK_BACK: Final = 3600.0
"""The jobs that came within so many seconds are expected to come again."""
PART_OF_DUALS: Final = 0.8
"""Prices are this part of the duals: jobs run as a whole, and leave gaps that their parts fill."""
_COMPARED: Final = 4 * 3600.0
"""Prices, and none, are compared by what they earned within so many seconds, ..."""
_CLEARLY: Final = 0.01
"""... and changed for the other where that earned more by this share. All of these numbers were
chosen on seeds from 100 on, which judge no policy.
"""
_FEW: Final = 5
"""With fewer jobs, nobody knows what is short."""


class PricesOrShares:
    """Prices of resources for one replay; or none, where options are valued by their shares of the
    pool (`Measure.PER_SHARE`). The day so far is replayed under either, times as estimated.
    """

    def __init__(self, run: OpenReplay) -> None:
        self._latest = _Latest()
        self._by_share = False
        truth = Truth.as_estimated(len(run.workload.jobs))
        settings = ReplaySettings(run.windows, run.every, pricing=self._latest)
        shares = replace(run.policy, measure=Measure.PER_SHARE, by_resources=False)
        self._under_prices, self._under_shares = (
            OpenReplay(run.workload, truth, policy, settings) for policy in (run.policy, shares)
        )

    def prices(self, run: OpenReplay, budget: Budget) -> Prices:
        """The prices from the next event on."""
        priced, shared = (
            _earned_lately(day, run.now, budget) for day in (self._under_prices, self._under_shares)
        )
        used, other = (shared, priced) if self._by_share else (priced, shared)
        if other > (1.0 + _CLEARLY) * used:
            self._by_share = not self._by_share
        self._latest.found, self._latest.until = prices_of_resources(run), run.now + OFTEN
        return Prices(by_share=True) if self._by_share else self._latest.found


class _Latest:
    """Sets the prices that were found last, which hold until then."""

    found: Prices | None = None
    until: float = 0.0

    def prices(self, run: OpenReplay, budget: Budget) -> Prices | None:
        del run, budget
        return self.found

    def again(self, run: OpenReplay) -> float:
        """When they are set anew (s)."""
        return max(self.until, run.now + run.every)


def _earned_lately(day: OpenReplay, now: float, budget: Budget) -> float:
    """What a day earned in the last hours, replayed until now; 0 before there were as many."""
    day.run(now, budget)
    if now < _COMPARED:
        return 0.0
    outcome, lately = day.outcome(), Horizon(now - _COMPARED, now)
    return replace(outcome, workload=replace(day.workload, horizon=lately)).worth


def prices_of_resources(run: OpenReplay) -> Prices:
    """The prices of cores and of further resources, the same in all pools."""
    workload, now = run.workload, run.now
    jobs, options = workload.jobs, workload.options
    span = min(_LOOK_BACK, now)
    came = np.arange(np.searchsorted(jobs.arrival, now - span), run.taken_in)
    if len(came) < _FEW:
        return Prices(further=(0.0,) * len(workload.pools.resources))
    waiting = run.waiting
    both = np.concatenate([came, waiting])
    late = np.concatenate([np.zeros(len(came)), now - jobs.arrival[waiting]])
    lot = np.repeat(np.arange(len(both)), np.diff(options.first)[both])
    option = rows_of(options.first, both)
    worth = workload.worth_of(both[lot], option, late[lot] + options.seconds[option])
    # The last of them ends so much later.
    after = float(np.minimum.reduceat(options.seconds, options.first[:-1])[came].mean())
    there, needs = _resources(run)
    free = np.maximum(there * (span + after) - _held(run, needs, span), 0.0)
    taken = needs[option] * options.seconds[option, None]
    once_each = _without_twins(lot, worth, taken)
    lot, worth, taken = lot[once_each], worth[once_each], taken[once_each]
    scarce = np.flatnonzero(free > 0.0)
    program = Program(simplex_strategy=PRIMAL)
    once = program.add_rows(-np.inf, np.ones(len(both)))
    within = program.add_rows(-np.inf, np.ones(len(scarce)))
    rows = np.broadcast_to(within, (len(lot), len(scarce)))
    scale = float(worth.max(initial=0.0)) or 1.0
    program.add_columns([(once[lot], 1.0), (rows, taken[:, scarce] / free[scarce])], -worth / scale)
    duals = PART_OF_DUALS * scale * np.maximum(-program.minimise().duals[within], 0.0)
    found = np.zeros(len(there))
    found[scarce] = duals / free[scarce]
    return Prices(float(found[0]), further=tuple(found[1:].tolist()))


def _without_twins(lot: IntArray, worth: FloatArray, taken: FloatArray) -> IntArray:
    """The places of the options; of those of a job that earn and take the same, as on equal pools,
    only the first.
    """
    order = np.lexsort((worth, *taken.T, lot))
    one = np.column_stack([lot, worth, taken])[order]
    repeats = np.append(False, (one[1:] == one[:-1]).all(axis=1))
    return np.sort(order[~repeats])


def _resources(run: OpenReplay) -> tuple[FloatArray, FloatArray]:
    """What all pools have together of cores and further resources, and what each option takes."""
    workload, pools = run.workload, run.workload.pools
    there = beside_each_other(pools.units * pools.cores, pools.further)
    further = workload.options.further
    return there.sum(axis=0), beside_each_other(workload.option_cores, further, pools.resources)


def _held(run: OpenReplay, needs: FloatArray, span: float) -> FloatArray:
    """What jobs that run, or have a promise, take within the next seconds."""
    outcome, underway = run.outcome(), run.underway
    option: IntArray = outcome.option[underway]
    first = np.maximum(outcome.start[underway], run.now)
    last = np.minimum(outcome.estimated_end[underway], run.now + span)
    return np.asarray(np.maximum(last - first, 0.0) @ needs[option])
