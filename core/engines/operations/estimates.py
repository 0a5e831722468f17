"""Estimates of pairs never measured, from those that were."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.operations.factors import best_known, factor, most_kinds_of
from core.engines.operations.held_out import ChosenKinds, HeldOut, choose
from core.engines.operations.pairs import Pairs, connected
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.budget import never
from core.vocabulary.ranges import ETC, POWER

MOST_KINDS: Final = 4
_NONE: Final = ChosenKinds(kinds=0)


@dataclass(frozen=True, slots=True, eq=False)
class PairEstimates:
    """Times and powers of pairs. What was measured is as it was.

    `times` (s) are infinite where a pair is impossible or has no estimate. `powers` (W) are NaN
    there, and where no power of the machine type is known. `estimated` and `estimated_powers` mark
    the estimates among them. `unconnected` marks the pairs that have none, since no known pairs
    lead from the task type to the machine type.

    Times were estimated with so many `kinds` of operations. `held_out` says how wrong such
    estimates are; it is None if nothing was estimated, or if too few pairs are known to hold any
    out.
    """

    times: FloatArray
    powers: FloatArray | None
    estimated: BoolArray
    estimated_powers: BoolArray
    unconnected: BoolArray
    kinds: int
    held_out: HeldOut | None


def estimate_pairs(
    times: FloatArray,
    powers: FloatArray | None = None,
    weights: FloatArray | None = None,
    *,
    most_kinds: int = MOST_KINDS,
    seed: int = 0,
    should_stop: Callable[[], bool] = never,
) -> PairEstimates:
    """Estimates of the times (s) and powers (W) that are NaN, from those that are not.

    An infinite time says that a pair is impossible: it gets no estimate, and tells nothing about
    others. `weights` above 0 say how much each known pair counts, such as 1 / variance of the
    logarithm of its time. Kinds are chosen by held-out pairs. Powers are what the task type draws
    times what the machine type draws; where this cannot be told, the mean power of the machine
    type. The same seed gives the same estimates. Raises `Cancelled` if asked to stop.
    """
    reached = connected(np.isfinite(times))
    unknown = np.isnan(times)
    filling = _Filling(weights, seed, should_stop)
    whole, choice = filling.filled(times, unknown & reached, most_kinds)
    whole[unknown & reached] = whole[unknown & reached].clip(ETC.low, ETC.high)
    whole[unknown & ~reached] = np.inf
    drawn, drawn_estimated = None, np.zeros(times.shape, bool)
    if powers is not None:
        drawn = _powers(powers, np.isfinite(whole), filling)
        drawn_estimated = np.isnan(powers) & np.isfinite(drawn)
    return PairEstimates(
        whole,
        drawn,
        unknown & reached,
        drawn_estimated,
        unknown & ~reached,
        choice.kinds,
        choice.held_out,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Filling:
    """What times and powers are filled with alike."""

    weights: FloatArray | None
    seed: int
    should_stop: Callable[[], bool]

    def filled(
        self, values: FloatArray, wanted: BoolArray, most_kinds: int
    ) -> tuple[FloatArray, ChosenKinds]:
        """The values, the wanted ones estimated from those that are finite."""
        whole = values.copy()
        if not wanted.any():
            return whole, _NONE
        pairs = Pairs.of(values, self.weights)
        kinds = most_kinds_of(values.shape[1], most_kinds)
        asked = pairs.of_tasks(best_known(pairs))
        choice = choose(asked, kinds, seed=self.seed, should_stop=self.should_stop)
        found = self._fitted(values, choice.kinds, choice.shrinkage)
        if choice.kinds > 1:
            found = np.where(pairs.lonely[0], self._fitted(values, 1, 0.0), found)
        whole[wanted] = found[wanted]
        return whole, choice

    def _fitted(self, values: FloatArray, kinds: int, shrinkage: float) -> FloatArray:
        return factor(
            values,
            kinds,
            weights=self.weights,
            shrinkage=shrinkage,
            seed=self.seed,
            should_stop=self.should_stop,
        ).times


def _powers(powers: FloatArray, runs: BoolArray, filling: _Filling) -> FloatArray:
    """The powers of pairs that run, with estimates of unknown ones.

    A power of 0 has no logarithm: it counts for the mean of its machine type only.
    """
    above_zero = np.where(runs & (powers > 0), powers, np.nan)
    missing = runs & np.isnan(powers)
    told = missing & connected(np.isfinite(above_zero))
    filled, _ = filling.filled(above_zero, told, 1)
    known = runs & np.isfinite(powers)
    counts = np.count_nonzero(known, axis=0)
    sums = np.where(known, powers, 0.0).sum(axis=0)
    means = np.divide(sums, counts, where=counts > 0, out=np.full(len(counts), np.nan))
    whole = np.where(missing, means, powers)
    whole[told] = filled[told].clip(POWER.low, POWER.high)
    whole[~runs] = np.nan
    return whole
