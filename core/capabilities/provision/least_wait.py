"""The purchase of whole machines after which the longest queue of a week is the shortest.

The time that the work of an hour takes all machines is W / (u c) at least, for any prices u of an
hour of each machine type and counts c, where W is what the work costs at these prices at least; at
the prices of the program of the shortest makespan, it is that. This is convex in the counts. So its
tangents bound the queue from below, in a program of whole machines, and each purchase that this
program finds adds the tangents at its own counts (Kelley 1960, Duran and Grossmann 1986).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.provision.first_stage import FirstStage, Purchase, nothing_bought
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.queue import WeekQueue, queue_after, shortest_makespans
from core.engines.lp.program import Infeasible
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Cancelled, never
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import HOUR

NEAR: Final = 1.0
"""Queues that differ by less than so many seconds are alike."""
_GAP: Final = 1e-3
_ROUNDS: Final = 200
"""So many purchases are tried, then the gap that there is counts. A dozen suffice as a rule."""


class Tangents(NamedTuple):
    """Lower bounds on the hours that the work of each hour of a week takes: hour `hour[k]` takes at
    least `at[k]` less `slope[k]` times the counts.
    """

    hour: IntArray
    slope: FloatArray
    at: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class LeastWait:
    """The cheapest purchase found of those after which the longest queue of a week is the shortest,
    with that `queue`. No purchase that keeps all limits has a longest queue below `bound` seconds.
    """

    purchase: Purchase
    queue: WeekQueue
    bound: float
    tries: int

    @property
    def longest(self) -> float:
        """The longest queue of the week with the purchase, in seconds."""
        return float(self.queue.after.max())

    @property
    def is_proven(self) -> bool:
        """Whether no purchase has a queue that is shorter by more than `NEAR`, or a thousandth."""
        return self.longest - self.bound <= _near(self.longest)


def _near(longest: float) -> float:
    """Up to how far above what is proven a queue counts as the shortest, in seconds."""
    return max(NEAR, _GAP * longest)


def least_wait(
    plan: Plan, profile: FloatArray, should_stop: Callable[[], bool] = never
) -> LeastWait:
    """The purchase with the least wait, if tasks arrive at the rates of a plan times the shares of
    `profile` (hours x task types).

    Raises `Infeasible` if whatever is bought, more work arrives than the machines can ever do;
    `InvalidInput` for limits that depend on what machines do; and `Cancelled`.
    """
    for name in ("power", "failure_rate"):
        if np.isfinite(getattr(plan.limits, name)):
            said = "does not go with the least wait; leave the limit out"
            raise InvalidInput([Problem("plan", "", name, said)])
    search = _WaitSearch(plan, plan.arrival_rates * HOUR * profile, should_stop)
    search.shorten(_WaitProgram(plan, search.arrivals, whole=False))
    whole = _WaitProgram(plan, search.arrivals, whole=True)
    for tangents in search.tangents:
        whole.add(tangents)
    bound = search.shorten(whole)
    purchase = search.best and search.cheapest(whole)
    if purchase is None:
        raise Infeasible
    queues = (search.queue(one.counts)[0] for one in (nothing_bought(plan), purchase))
    return LeastWait(purchase, WeekQueue(*queues), bound * HOUR, search.tries)


class _WaitSearch:
    """What was found so far: the best purchase, with its longest queue (hours), and tangents."""

    def __init__(self, plan: Plan, arrivals: FloatArray, should_stop: Callable[[], bool]) -> None:
        self.plan, self.arrivals, self.should_stop = plan, arrivals, should_stop
        self.best: Purchase | None = None
        self.longest = np.inf
        self.tangents: list[Tangents] = []
        self.tries = 0

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

    def shorten(self, program: "_WaitProgram") -> float:
        """Tries purchases until none can have a shorter queue; returns what is proven (hours)."""
        bound, lowest = 0.0, np.inf
        for _ in range(_ROUNDS):
            found = program.stage.minimum()
            bound = max(bound, found.bound)
            longest = self._try(program, program.stage.purchase(found.values))
            lowest = min(lowest, longest)
            if lowest < np.inf and lowest - bound <= _near(lowest * HOUR) / HOUR / 2:
                break
        return bound

    def cheapest(self, program: "_WaitProgram") -> Purchase | None:
        """The cheapest purchase whose longest queue is no longer than the best one found."""
        best, longest = self.best, self.longest
        program.seek_cheap(longest + NEAR / HOUR / 2)
        for _ in range(_ROUNDS):
            best = program.stage.purchase(program.stage.minimum().values)
            if self._try(program, best) <= longest + NEAR / HOUR:
                break
        else:
            best = self.best
        return best

    def _try(self, program: "_WaitProgram", purchase: Purchase) -> float:
        """The longest queue of a purchase (hours); its tangents are added."""
        if self.should_stop():
            raise Cancelled
        self.tries += 1
        queue, tangents = self.queue(purchase.counts)
        self.tangents.append(tangents)
        program.add(tangents)
        longest = float(queue.max()) / HOUR
        if program.stage.whole and longest < self.longest:
            self.best, self.longest = purchase, longest
        return longest


class _WaitProgram:
    """The first stage of a plan with the queue of each hour, which tangents bound from below; what
    is minimised is the longest queue (hours).
    """

    def __init__(self, plan: Plan, arrivals: FloatArray, *, whole: bool) -> None:
        self.plan, self.stage = plan, FirstStage(plan, whole=whole)
        program, hours = self.stage.program, len(arrivals)
        none = [(np.empty((hours, 0), np.int64), np.empty((hours, 0)))]
        self.needed, queue = program.add_columns(none), program.add_columns(none)
        self.longest = program.add_columns(
            [(np.empty((1, 0), np.int64), np.empty((1, 0)))], costs=1.0
        )
        ones = np.ones(hours)
        follows = np.column_stack([self.needed, np.roll(queue, 1), queue])
        program.add_cuts(follows, np.column_stack([ones, ones, -ones]), ones)
        most = np.column_stack([queue, np.repeat(self.longest, hours)])
        program.add_cuts(most, np.column_stack([ones, -ones]), 0 * ones)
        for task in np.flatnonzero(arrivals.sum(axis=0) > 0).tolist():
            runs = self.stage.counts[np.isfinite(plan.times[task])][None]
            least = 1.0 if whole else _LEAST
            program.add_cuts(runs, -np.ones(runs.shape), np.array([-least]))

    def add(self, tangents: Tangents) -> None:
        """Adds tangents."""
        hour, slope, at = tangents
        counts = np.broadcast_to(self.stage.counts, slope.shape)
        columns = np.column_stack([self.needed[hour], counts])
        self.stage.program.add_cuts(columns, np.column_stack([-np.ones(len(hour)), -slope]), -at)

    def seek_cheap(self, longest: float) -> None:
        """Minimises the cost from now on, with at most this queue (hours)."""
        stage, plan = self.stage, self.plan
        unit = float(np.abs(plan.prices).max()) or 1.0
        stage.program.set_costs(self.longest, np.zeros(1))
        own = np.hstack([stage.buy, stage.sell])
        stage.program.set_costs(own, np.hstack([plan.prices, -plan.resales]) / unit)
        stage.program.set_column_bounds(self.longest, 0.0, longest)


_LEAST: Final = 1e-3
"""So many machines, in parts, run each task type while the search is for machines in parts."""
