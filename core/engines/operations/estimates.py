"""Estimates of pairs never measured, from those that were, and how wrong they are: known pairs are
held out, and estimated from the others.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.operations.factors import (
    MANY_PAIRS,
    SHRINKAGES,
    along,
    best_known,
    factor,
    most_kinds_of,
    one_kind,
    starts,
)
from core.engines.operations.least_squares import Precision
from core.engines.operations.pairs import Pairs, connected, dispensable
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.budget import never
from core.vocabulary.ranges import ETC, POWER
from core.vocabulary.tolerances import METHODS_AGREE

_FOLDS: Final = 5
_FOLDS_OF_FEW: Final = 10
_FEW_PAIRS: Final = 100
_TRIED_OF_MANY: Final = 2
_QUICK: Final = Precision(1e-2, 8)
"""Held-out errors do not change in their second digit if fits are finer than this."""
_WORTHWHILE: Final = 0.01
"""One more kind is not worth having if it makes errors smaller by less than this share."""
_LARGEST: Final = math.log(ETC.high / ETC.low)
"""No two times that are allowed have a larger ratio; it keeps errors finite."""


@dataclass(frozen=True, slots=True)
class RelativeError:
    """The median and the mean of |estimate / time - 1| over held-out pairs."""

    median: float
    mean: float

    @classmethod
    def of(cls, errors: FloatArray) -> "RelativeError":
        """From logarithms of estimate / time."""
        shares = np.abs(np.expm1(np.minimum(errors, _LARGEST)))
        return cls(float(np.median(shares)), float(np.mean(shares)))


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Errors on the same held-out pairs, of which there are `pairs`.

    `kinds[k - 1]` is the error with k kinds of operations. For comparison, two guesses: the mean of
    the task type's times on other machine types, and the mean of the machine type's other times.
    """

    pairs: int
    kinds: tuple[RelativeError, ...]
    means_of_task_types: RelativeError
    means_of_machine_types: RelativeError


@dataclass(frozen=True, slots=True)
class ChosenKinds:
    """The number of kinds and the shrinkage with the least error, if pairs could be held out."""

    kinds: int = 1
    shrinkage: float = SHRINKAGES[-1]
    held_out: HeldOut | None = None


def choose(
    pairs: Pairs, most_kinds: int, *, seed: int = 0, should_stop: Callable[[], bool] = never
) -> ChosenKinds:
    """The choice for the first set, from 1 to `most_kinds` kinds.

    A shrinkage is judged by the mean of |log(estimate / time)|. One more kind is taken only if it
    makes this smaller by more than the standard error of the difference. Of more than `MANY_PAIRS`
    pairs, two fifths are held out instead of all.
    """
    one = one_kind(pairs, should_stop).times()
    held_out = _folds(pairs.relative_to(one), seed)
    if not held_out.any():
        return ChosenKinds()
    left = pairs.without(held_out)
    one = one_kind(left, should_stop).times()
    relative = left.relative_to(one)
    wrong = [(one - left.logs)[held_out]]
    best, kinds, shrinkage = wrong[0], 1, SHRINKAGES[-1]
    for more in range(2, most_kinds + 1):
        begun = starts(relative, more)
        tried = [
            (np.where(left.lonely, one, one + found.times()) - left.logs)[held_out]
            for found, _ in along(relative, begun, SHRINKAGES, _QUICK, should_stop)
        ]
        least = int(np.argmin([np.abs(errors).mean() for errors in tried]))
        wrong.append(tried[least])
        if _clearly_less(wrong[-1], best):
            best, kinds, shrinkage = wrong[-1], more, SHRINKAGES[least]
    of_task_types, of_machine_types = (
        RelativeError.of((_mean(left, axis) - left.logs)[held_out]) for axis in (2, 1)
    )
    told = HeldOut(
        int(held_out.sum()), tuple(map(RelativeError.of, wrong)), of_task_types, of_machine_types
    )
    return ChosenKinds(kinds, shrinkage, told)


def _clearly_less(errors: FloatArray, than: FloatArray) -> bool:
    """Whether errors of the same pairs are smaller by more than chance."""
    before = np.abs(than)
    gain = before - np.abs(errors)
    if len(gain) < 2:
        return False
    chance = gain.std(ddof=1) / math.sqrt(len(gain))
    return bool(gain.mean() > max(chance, _WORTHWHILE * before.mean(), METHODS_AGREE))


def _folds(relative: Pairs, seed: int) -> BoolArray:
    """Masks of pairs to hold out. What is left connects the same types as all known pairs.

    Each fold gets pairs of every size relative to one kind, whatever the order of the types.
    """
    known = relative.known[0]
    count = int(known.sum())
    folds = _FOLDS_OF_FEW if count <= _FEW_PAIRS else _FOLDS
    order = np.argsort(relative.logs[0][known], kind="stable")
    dealt = np.random.default_rng(seed).permuted(
        np.tile(np.arange(folds), (-(-count // folds), 1)), axis=1
    )
    fold, place = np.full(known.shape, -1), np.zeros(known.shape)
    in_order = np.empty(count, int)
    in_order[order] = np.arange(count)
    fold[known], place[known] = dealt.ravel()[in_order], in_order / max(count, 1)
    tried = _TRIED_OF_MANY if known.size > MANY_PAIRS else folds
    return np.stack([dispensable(known, fold == each, place) for each in range(tried)])


def _mean(pairs: Pairs, axis: int) -> FloatArray:
    """The logarithms of the means of known times along an axis, in the shape of the pairs."""
    times = np.where(pairs.known, np.exp(pairs.logs), 0.0).sum(axis=axis, keepdims=True)
    counts = np.count_nonzero(pairs.known, axis=axis, keepdims=True)
    means = np.log(times, where=counts > 0, out=np.zeros(times.shape)) - np.log(
        np.maximum(counts, 1)
    )
    return np.broadcast_to(means, pairs.logs.shape)


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
