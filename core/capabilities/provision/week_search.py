"""The purchase of whole machines that is best for a week whose work is known hour by hour.

What an hour of work takes all machines is W / (u c) at least, for any prices u of an hour of each
machine type and counts c, where W is what the work costs at these prices at least; at the prices of
the program of the shortest makespan, it is that. This is convex in the counts. So its tangents
bound the queue from below, in a program of whole machines, and each purchase that this program
finds adds the tangents at its own counts (Kelley 1960, Duran and Grossmann 1986). Other quantities
that are convex in the counts are bounded alike.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.provision.first_stage import FirstStage, Purchase
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.queue import queue_after, shortest_makespans
from core.engines.lp.program import Infeasible, ProgramSolution
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Cancelled
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import HOUR
from core.vocabulary.tolerances import METHODS_AGREE, SAME_OPTIMUM

NEAR: Final = 1.0
"""Queues that differ by less than so many seconds are alike."""
GAP: Final = 1e-3
"""A purchase is the best if none is better by more than this share."""
MOST_SECONDS: Final = 30.0
"""A search that has found a purchase ends after so many seconds; then the gap that there is counts.
"""
_ROUNDS: Final = 200
"""So many purchases are tried, then the gap that there is counts. A dozen suffice as a rule."""
_CHEAP_STEPS: Final = 20_000
"""So many steps of the simplex method at most look for a purchase that is as good and cheaper."""
_NEARLY: Final = 0.01
"""So near to the best one, as a share of it, a tangent of the search in parts is kept: with all of
them, programs of whole machines take ten times as long."""
_LEAST: Final = 1e-3
"""So many machines, in parts, run each task type while the search is for machines in parts."""


class Tangents(NamedTuple):
    """Lower bounds: the quantity `of[k]` is at least `at[k]` less `slope[k]` times the counts. The
    quantities are the hours that the work of each hour takes, and those of a search after them.
    """

    of: IntArray
    slope: FloatArray
    at: FloatArray

    def joined(self, other: "Tangents") -> "Tangents":
        """Both."""
        return Tangents(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))

    def near(self, counts: FloatArray) -> "Tangents":
        """The tangents that bound their quantity nearly best at these counts."""
        bounds = self.at - self.slope @ counts
        best = np.full(int(self.of.max(initial=0)) + 1, -np.inf)
        np.maximum.at(best, self.of, bounds)
        kept = bounds >= best[self.of] - _NEARLY * np.abs(best[self.of])
        return Tangents(self.of[kept], self.slope[kept], self.at[kept])


class WeekSearch(ABC):
    """What was found so far: the best purchase, with its `least` value, and tangents. Tasks arrive
    at the rates of a plan times the shares of `profile` (hours x task types).
    """

    title: str
    """What is sought, in messages."""
    step: float
    share: float
    """Values that differ by less than a step, or such a share of them, are alike."""

    def __init__(self, plan: Plan, profile: FloatArray, should_stop: Callable[[], bool]) -> None:
        for name in ("power", "failure_rate"):
            if np.isfinite(getattr(plan.limits, name)):
                said = f"does not go with the {self.title}; leave the limit out"
                raise InvalidInput([Problem("plan", "", name, said)])
        self.plan, self.should_stop = plan, should_stop
        self.arrivals = plan.arrival_rates * HOUR * profile
        self.best: Purchase | None = None
        self.least = np.inf
        self.tries = 0

    @abstractmethod
    def program(self, *, whole: bool) -> "WeekProgram":
        """The program of purchases, without tangents."""

    @abstractmethod
    def value(self, counts: FloatArray) -> tuple[float, Tangents]:
        """What is to be least with these counts, infinite if they do not keep what they must; and
        the tangents there.
        """

    def alike(self, value: float) -> float:
        """Values that are less above this one are like it."""
        return max(self.step, self.share * value)

    def near(self, value: float) -> float:
        """Up to how far above what is proven a value counts as the least."""
        return max(self.step, GAP * value)

    def found(self) -> tuple[Purchase, float]:
        """The cheapest purchase found of those with the least value, and what is proven: no value
        is below it. Raises `Infeasible` and `Cancelled`.
        """
        self._until = time.monotonic() + MOST_SECONDS
        self.tangents = self.value(self.plan.counts)[1]
        last = self._descend(self._begun(self.tangents, whole=False))[0]
        near = self.tangents.near(last)
        bound = self._descend(program := self._begun(near, whole=True))[1]
        if self.best is None:
            raise Infeasible
        return self._cheapest(program, self.best), bound

    def _begun(self, tangents: Tangents, *, whole: bool) -> "WeekProgram":
        program = self.program(whole=whole)
        program.add(tangents)
        return program

    def queue(self, counts: FloatArray) -> tuple[FloatArray, Tangents]:
        """The queue at the end of each hour (s) with these counts, and the tangents there."""
        needed, prices = shortest_makespans(self.plan, self.arrivals, counts)
        times = np.where(np.isfinite(self.plan.times), self.plan.times, np.inf)
        known = np.flatnonzero((self.arrivals.sum(axis=1) > 0) & np.isfinite(needed))
        # What a task costs at least, and the least prices of machines at which it costs that.
        with np.errstate(invalid="ignore"):
            costs = np.nan_to_num(times * prices[known, None, :], nan=np.inf).min(axis=2)
        prices = (costs[:, :, None] / times).max(axis=1)
        spent = prices @ counts
        hours = (costs * self.arrivals[known]).sum(axis=1) / spent / HOUR
        slope = hours[:, None] / spent[:, None] * prices
        return queue_after(needed), Tangents(known, slope, 2 * hours)

    def _descend(self, program: "WeekProgram") -> tuple[FloatArray, float]:
        """Tries purchases until none can be better; returns the counts of the last, and what is
        proven.
        """
        bound, lowest, counts = -np.inf, np.inf, np.full(len(self.plan.offers), -1.0)
        program.stage.program.set_options(mip_rel_gap=GAP / 4)
        for _ in range(_ROUNDS):
            if (found := self._minimum(program)) is None:
                break
            bound = max(bound, found.bound)
            purchase, last = program.stage.purchase(found.values), counts
            lowest, counts = min(lowest, self._try(program, purchase)), purchase.counts
            if lowest < np.inf and lowest - bound <= self.near(lowest) / 2:
                break
            if np.allclose(counts, last, METHODS_AGREE, 0.0):  # it taught nothing
                break
        return counts, bound

    def _minimum(self, program: "WeekProgram") -> ProgramSolution | None:
        """The best purchase of a program. Once there is one, the best that is found as long as the
        search may take; None if none is. Raises `Infeasible`.
        """
        if self.best is None:
            return program.stage.minimum()
        left = self._until - time.monotonic()
        if left <= 0.0:
            return None
        own = program.stage.program
        own.set_options(time_limit=own.seconds + left)
        return own.search()

    def _cheapest(self, program: "WeekProgram", best: Purchase) -> Purchase:
        """The cheapest purchase whose value is like that of the best one found."""
        least, alike = self.least, self.alike(self.least)
        program.stage.program.set_options(mip_rel_gap=SAME_OPTIMUM)
        program.seek_cheap(least + alike / 2)
        steps = 0
        while steps < _CHEAP_STEPS and (found := self._minimum(program)) is not None:
            purchase, steps = program.stage.purchase(found.values), steps + 1 + found.iterations
            if (value := self._try(program, purchase)) <= least + alike:
                better = value < least - alike or purchase.cost < best.cost
                return purchase if better else best
        return best

    def _try(self, program: "WeekProgram", purchase: Purchase) -> float:
        """The value of a purchase; its tangents are added."""
        if self.should_stop():
            raise Cancelled
        self.tries += 1
        value, tangents = self.value(purchase.counts)
        self.tangents = self.tangents.joined(tangents)
        program.add(tangents)
        if program.stage.whole and value < self.least:
            self.best, self.least = purchase, value
        return value


class WeekProgram:
    """The first stage of a plan with the queue of each hour, which tangents bound from below, and
    the longest of them (hours), which is minimised; or else a `further` quantity, which they bound,
    too.
    """

    def __init__(
        self, plan: Plan, arrivals: FloatArray, *, whole: bool, further: bool = False
    ) -> None:
        self.plan, self.stage = plan, FirstStage(plan, whole=whole)
        program, hours = self.stage.program, len(arrivals)

        def columns(count: int, costs: float = 0.0, lower: float = 0.0) -> IntArray:
            none = np.empty((count, 0))
            return program.add_columns([(none.astype(np.int64), none)], costs, lower)

        needed, queue = columns(hours), columns(hours)
        self.longest = columns(1, costs=0.0 if further else 1.0)
        self.aim = columns(1, costs=1.0, lower=-np.inf) if further else self.longest
        self.quantities = np.concatenate([needed, self.aim])
        ones = np.ones(hours)
        follows = np.column_stack([needed, np.roll(queue, 1), queue])
        program.add_cuts(follows, np.column_stack([ones, ones, -ones]), ones)
        most = np.column_stack([queue, np.repeat(self.longest, hours)])
        program.add_cuts(most, np.column_stack([ones, -ones]), 0 * ones)
        for task in np.flatnonzero(arrivals.sum(axis=0) > 0).tolist():
            runs = self.stage.counts[np.isfinite(plan.times[task])][None]
            least = 1.0 if whole else _LEAST
            program.add_cuts(runs, -np.ones(runs.shape), np.array([-least]))

    def add(self, tangents: Tangents) -> None:
        """Adds tangents."""
        of, slope, at = tangents
        counts = np.broadcast_to(self.stage.counts, slope.shape)
        columns = np.column_stack([self.quantities[of], counts])
        self.stage.program.add_cuts(columns, np.column_stack([-np.ones(len(of)), -slope]), -at)

    def seek_cheap(self, most: float) -> None:
        """Minimises the cost from now on, with at most this value of what was sought."""
        stage, plan = self.stage, self.plan
        unit = float(np.abs(plan.prices).max()) or 1.0
        stage.program.set_costs(self.aim, np.zeros(1))
        own = np.hstack([stage.buy, stage.sell])
        stage.program.set_costs(own, np.hstack([plan.prices, -plan.resales]) / unit)
        stage.program.set_column_bounds(self.aim, -np.inf, most)
