"""Plans near a bound: whole jobs near where its program has them, moved to where they cost least,
with the cheapest cooling.
"""

import math
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from typing import Final

import numpy as np

from core.capabilities.centre.bound import STOPPED, DayBound
from core.capabilities.centre.cooling import (
    COARSE,
    FINE,
    cheapest_cooling,
    cooling_watts,
)
from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.moves import (
    MovePrices,
    placed,
    staying_awake,
    sweep,
    wanted_starts,
)
from core.capabilities.centre.objectives import AIMS, NO_CAPS, DayAim, DayCaps, DayWeights
from core.capabilities.centre.placing import GroupArrays
from core.capabilities.centre.plan import DayMeasures, DayPlan, executing, measured, server_powers
from core.capabilities.centre.rest import able
from core.capabilities.centre.steps import StepCosts, step_costs
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Cancelled, never
from core.vocabulary.say.words import JOULES_PER_KWH
from core.vocabulary.tolerances import SAME

_SWEEPS: Final = 12
"""So often at most are all jobs moved before the cooling is planned again."""
_ROUNDS: Final = 6
_TOO_LATE: Final = 100.0
_FIRST_PRICE: Final = 0.01
"""What is not kept costs at least this share of all for as much of it as the bound has."""


@dataclass(frozen=True)
class FoundPlan:
    """A plan with what comes of it; `value` is its weighted sum of aims, and `over` what it has of
    each of `CAPPED` above its cap: 0 if it keeps that. `beyond` is the greatest of these, each as a
    share of its cap, or of what the bound has of the same, if that is more.
    """

    plan: DayPlan
    measures: DayMeasures
    value: float
    over: tuple[float, ...]
    beyond: float

    def is_better_than(self, other: "FoundPlan") -> bool:
        """Whether it keeps the caps better, or as well and has a smaller sum."""
        return (self.beyond, self.value) < (other.beyond, other.value)


def counted(day: CentreDay, measures: DayMeasures) -> dict[DayAim, float]:
    """What is counted of each aim, in the units of weights and caps."""
    return {
        "cost": measures.cost,
        "carbon": measures.carbon,
        "energy": measures.energy / JOULES_PER_KWH,
        "excess": measures.excess / JOULES_PER_KWH,
        "lateness": measures.lateness / day.step,
    }


def by_step(day: CentreDay, measures: DayMeasures) -> dict[DayAim, FloatArray]:
    """What is counted of each aim in each step; lateness, and the price of the highest power, are
    counted of whole days only.
    """
    curves, kwh = day.curves, day.step / JOULES_PER_KWH
    left = np.maximum(curves.green - measures.power, 0.0)
    return {
        "cost": kwh * (measures.grid * curves.price - day.feed_in * left),
        "carbon": kwh * measures.grid * curves.carbon,
        "energy": kwh * measures.power,
        "excess": kwh * measures.over,
    }


def judged(
    day: CentreDay, plan: DayPlan, weights: DayWeights, caps: DayCaps, bound: DayBound
) -> FoundPlan:
    """A plan with what comes of it."""
    measures = measured(day, plan)
    aims = np.array(list(counted(day, measures).values()))
    reached = np.append(aims, measures.peak / 1000)
    limits = np.array(astuple(caps))
    over = np.where(np.isfinite(limits), np.maximum(reached - limits, 0.0), 0.0)
    # A cap of 0 has no shares.
    scale = np.maximum(np.nan_to_num(np.abs(limits), posinf=0.0), np.abs([*bound.aims.values()]))
    shares = over / np.maximum(scale, SAME)
    over[shares <= SAME] = 0.0
    value = weights.of(aims)
    beyond = float(shares[over > 0].max(initial=0.0))
    return FoundPlan(plan, measures, value, tuple(over.tolist()), beyond)


class Recovery:
    """Looks for plans of a day for weights and caps, from what a bound on these found, or from a
    start that is `wanted` for each job, in the order of groups.
    """

    def __init__(
        self,
        day: CentreDay,
        bound: DayBound,
        weights: DayWeights,
        caps: DayCaps = NO_CAPS,
        seed: int = 0,
        wanted: IntArray | None = None,
    ) -> None:
        self._day, self._bound, self._weights, self._caps = day, bound, weights, caps
        self._random = np.random.default_rng(seed)
        jobs = day.jobs
        self._each = np.repeat(np.arange(len(jobs)), jobs.count)
        self._jobs, self._watts = GroupArrays.of(jobs), day.centre.busy - day.centre.asleep
        self._cooling_watts = cooling_watts(day)
        # A price that stands for each cap, in units of the sum.
        self._prices = {aim: max(getattr(bound.of_caps, aim), 0.0) for aim in AIMS}
        self._peak = caps.peak
        if weights.cost and day.peak_price:
            self._peak = min(caps.peak, bound.aims["peak"] * 1.001)
        self._cooling = np.full(day.steps, self._cooling_watts[0])
        if wanted is None:
            wanted = wanted_starts(jobs, bound.group, bound.start, bound.amount)
        self._start = placed(jobs, self._each, wanted, day.centre.counts, day.taken)

    def search(
        self,
        seconds: float,
        good_enough: float = 0.0,
        should_stop: Callable[[], bool] = never,
    ) -> FoundPlan:
        """The best plan that is found within so many seconds, or that is above the bound by no
        more than `good_enough`. Raises `Cancelled` if asked to stop, `TooHot` if nothing cools.
        """
        until = time.monotonic() + seconds
        best, kept_start, kept_cooling = self._improved(), self._start, self._cooling
        while time.monotonic() < until and not self._settled(best, good_enough):
            if should_stop():
                raise Cancelled(STOPPED)
            self._start, self._cooling = kept_start.copy(), kept_cooling
            self._adjust(best)
            found = self._improved(is_shaken=True)
            if found.is_better_than(best):
                best, kept_start, kept_cooling = found, self._start, self._cooling
        finer = self._cooled(kept_start, FINE)
        return finer if finer.is_better_than(best) else best

    def costs(self, day: CentreDay) -> StepCosts:
        """What power costs in each step of a day, with what stands for the caps."""
        return step_costs(day, self._priced(), replace(self._caps, peak=self._peak))

    def _settled(self, best: FoundPlan, good_enough: float) -> bool:
        return best.beyond == 0 and best.value <= self._bound.value + good_enough

    def _adjust(self, best: FoundPlan) -> None:
        """Let what is not kept count for more, and what is kept by far for less."""
        dearest = max(abs(self._bound.found), SAME)
        for place, aim in enumerate(AIMS):
            if math.isfinite(getattr(self._caps, aim)):
                if best.over[place]:
                    least = _FIRST_PRICE * dearest / max(abs(self._bound.aims[aim]), SAME)
                    self._prices[aim] = max(self._prices[aim] * 1.5, least)
                else:
                    self._prices[aim] *= 0.97

    def _priced(self) -> DayWeights:
        """The weights with what stands for the caps."""
        return DayWeights(*(getattr(self._weights, aim) + self._prices[aim] for aim in AIMS))

    def _improved(self, *, is_shaken: bool = False) -> FoundPlan:
        """Jobs and cooling in turn, until neither gains; prices of heat may be shaken at first."""
        heat = self._bound.heat
        if is_shaken:
            heat = heat * np.exp(self._random.normal(0, 0.7, len(heat)))
        self._move(heat)
        best = self._cooled(self._start, COARSE)
        for _ in range(_ROUNDS):
            start = self._start.copy()
            self._move(self._bound.heat)
            found = self._cooled(self._start, COARSE)
            if not found.is_better_than(best):
                self._start = start
                break
            best = found
        return best

    def _move(self, heat: FloatArray) -> None:
        day, jobs = self._day, self._day.jobs
        weights = self._priced()
        costs = self.costs(day)
        group, start, count = self._runs(self._start)
        busy = executing(day, group, start, count)
        power = day.base_watts + self._watts @ busy + self._cooling
        taken = busy - (0 if day.begun is None else day.begun.busy) + day.taken
        slack = self._caps.lateness - float(jobs.lateness(self._each, self._start).sum())
        for _ in range(_SWEEPS):
            # As long as jobs are too late, nothing counts as much.
            late = weights.lateness if slack >= 0 else _TOO_LATE * self._dearest(costs)
            order = self._random.permutation(len(self._each))
            prices = MovePrices(late, heat, costs.table, self._watts)
            now = taken, power, slack
            counts = day.centre.counts
            saved, slack = sweep(order, self._each, self._start, self._jobs, counts, now, prices)
            if saved <= 0:
                break

    def _dearest(self, costs: StepCosts) -> float:
        """What the dearest server draws in the dearest step, in units of the sum."""
        return float(np.abs(costs.table[:, :4]).sum(axis=1).max() * self._watts.max())

    def _cooled(self, start: IntArray, apart: float) -> FoundPlan:
        """The plan of these starts with servers awake and cooling that cost least."""
        day = self._day
        group, begin, count = self._runs(start)
        busy = executing(day, group, begin, count)
        costs = self.costs(day)
        awake = self._awake(busy)
        servers = server_powers(day, busy, awake).sum(axis=0)
        ways = costs.of(servers[:, None] + self._cooling_watts)
        speed, compressor = cheapest_cooling(day, servers, ways, apart)
        plan = DayPlan(group, begin, count, awake, speed, compressor)
        found = judged(day, plan, self._weights, self._caps, self._bound)
        self._cooling = found.measures.fans + found.measures.compressor
        return found

    def _awake(self, busy: IntArray) -> IntArray:
        """The servers of each kind that are awake: those at work, and those for which a start would
        cost more.
        """
        day, awake = self._day, busy.copy()
        starts, watts = day.centre.start_steps(day.step), day.centre.start_watts(day.step)
        price = np.maximum(self._bound.power + self._bound.heat, 0.0)
        for kind, steps in enumerate(starts.tolist()):
            if steps:
                centre = day.centre
                idle = float(centre.idle[kind] - centre.asleep[kind])
                again = float(watts[kind] - centre.asleep[kind])
                awake[kind] = staying_awake(busy[kind], steps, idle, again, price)
        return awake if day.begun is None else able(day, busy, awake)

    def _runs(self, start: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Group, start and number of equal jobs that start together."""
        pairs = self._each * self._day.steps + start
        found, count = np.unique(pairs, return_counts=True)
        return found // self._day.steps, found % self._day.steps, count.astype(np.int64)
