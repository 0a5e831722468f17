"""Whole tasks on single machines: a bound above the lines of the divisible front.

The divisible front takes a machine type for one pool of time. In truth every single machine runs
whole tasks within the makespan, a *pattern*. Give a task of type i a price of `pi_i` joules. In a
schedule of makespan T or less no machine of type j earns more, in prices less energy, than the best
pattern that fits into T, `K_j(pi, T)`; so, as all tasks are run,

    energy above idle power >= pi.N - sum_j M_j K_j(pi, T).

Any prices will do. One filling of the knapsacks holds the right side for every T at once.
"""

import bisect
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.front.proven import Proven
from core.front.wish import Wish
from core.model.arrays import FloatArray, IntArray
from core.model.budget import Budget
from core.model.schedule import Schedule
from core.model.system import System
from core.patterns.knapsack import Knapsacks
from core.patterns.prices import PriceSearch
from core.plane.points import sorted_front
from core.plane.steps import Steps
from core.recover.along import points_of

# The makespans are divided into cells. The shortest makespan has at least SEEK_CELLS of them while
# prices are sought, and PROVE_CELLS when they prove. Makespans up to LONGEST times the shortest
# count.
SEEK_CELLS: Final = 2000
PROVE_CELLS: Final = 20_000
LONGEST: Final = 5.0
# Larger knapsacks take too long. With more tasks a machine, patterns prove too little.
MOST_NUMBERS: Final = 30_000_000
MOST_TASKS_A_MACHINE: Final = 300
# The search tries a makespan only where at least this share of the area is left. Prices count as a
# success if they remove at least this share of it; PATIENCE failures in a row end the search.
NARROW: Final = 1e-3
PATIENCE: Final = 10
# A proof has at most this many rows of prices: checking it again fills a knapsack for each.
MOST_PRICES: Final = 60
# Steps of the bound are merged as long as this costs at most this share of the area that is left.
LOST: Final = 1e-5


def worthwhile(proven: Proven, schedules: Sequence[Schedule]) -> bool:
    """Whether patterns might prove more than is proven already, in reasonable time."""
    system, longest = proven.front.system, _longest(proven, schedules)
    if longest <= proven.soonest or system.tasks > MOST_TASKS_A_MACHINE * system.machines:
        return False
    return _small_enough(system, proven.soonest, longest)


class PatternSearch:
    """Prices that leave little area between what they prove and the schedules at hand; for a wish,
    prices that prove much about the schedules that meet it.

    What it found and proved counts when it is aimed at better schedules and runs again, too. For
    systems where that is `worthwhile`.
    """

    def __init__(
        self, proven: Proven, schedules: Sequence[Schedule], wish: Wish | None = None
    ) -> None:
        self.known, self.wish = proven, wish
        shortest, longest = proven.soonest, _longest(proven, schedules)
        system = proven.front.system
        self.idle = system.total_idle_power
        self.prices = PriceSearch(proven.front, schedules, longest, _step(shortest, SEEK_CELLS))
        self.cellwise = _MakespanCells(system, shortest, longest)
        self.begins = self.cellwise.begins
        self.base = proven.above_idle(self.begins[1:])
        # What the threads share: the joules above idle power that each cell of makespans is proven
        # to need, how many prices raised them, and how many in a row did not.
        self.joules = self.base.copy()
        self.found: list[tuple[FloatArray, int]] = []
        self.gains = self.failures = 0
        self.lock = threading.Lock()
        self.aim_at(schedules)

    def aim_at(self, schedules: Sequence[Schedule]) -> None:
        """From now on the area below these schedules counts."""
        self.prices.aim_at(schedules)
        self.achieved = self.prices.achieved(self.begins[:-1])
        # Prices that are good enough for a neighbour may not be good enough for these makespans:
        # the two ends, and those where prices were sought.
        self.cells = [0, len(self.joules)]

    def run(
        self,
        budget: Budget,
        *,
        enough: float = np.inf,
        report: Callable[[float], None] | None = None,
    ) -> None:
        """Seek prices until little more can be gained, or they have gained `enough` times in all;
        the longer it may take, the more is proven. `report` is told, from time to time, the seconds
        spent.
        """
        self.failures = 0

        def over() -> bool:
            stopped = not budget.left or budget.should_stop()
            full = len(self.found) >= MOST_PRICES
            return stopped or full or self.failures >= PATIENCE or self.gains >= enough

        def seek_on(_: int) -> None:
            while not over() and self.seek(budget, over):
                if report is not None:
                    report(min(budget.used, budget.seconds))

        with ThreadPoolExecutor(budget.threads) as pool:
            list(pool.map(seek_on, range(budget.threads)))

    def seek(self, budget: Budget, over: Callable[[], bool]) -> bool:
        """Seek prices where most area is left; False if there is no such place."""
        with self.lock:
            cell = self.next_cell() if self.wish is None else self.wished_cell(self.wish)
            if cell is None:
                return False
            bisect.insort(self.cells, cell)
            enough = float(self.joules[cell])
        ends = float(self.begins[cell + 1])
        goal = float(self.achieved[cell]) - self.idle * ends
        prices = self.prices.seek(ends, enough, goal, budget, over)
        self.prove(cell, prices, budget)
        return True

    def prove(self, cell: int, prices: FloatArray | None, budget: Budget) -> None:
        """Raise the bound up to the next cell that is taken care of, if there are such prices."""
        if prices is None:
            with self.lock:
                self.failures += 1
            return
        with self.lock:
            following = len(self.cells) - 1 if self.wish else bisect.bisect(self.cells, cell)
            beyond = self.cells[following]
        joules = self.cellwise.bound(prices, beyond)
        budget.spend(self.cellwise.work(beyond))
        with self.lock:
            if len(self.found) < MOST_PRICES and (joules > self.joules[:beyond]).any():
                self.found.append((prices, beyond))
                self.cellwise.raise_to(joules)
            before, here = self.left().sum(), self.joules[cell]
            np.maximum(self.joules[:beyond], joules, out=self.joules[:beyond])
            gained = (
                self.joules[cell] > here if self.wish else self.left().sum() < (1 - NARROW) * before
            )
            self.gains += gained
            self.failures = 0 if gained else self.failures + 1

    def left(self) -> FloatArray:
        """Joule-seconds between what is proven and what is achieved, cell by cell."""
        energy = self.joules + self.idle * self.begins[:-1]
        left: FloatArray = np.maximum(self.achieved - energy, 0.0) * np.diff(self.begins)
        return left

    def next_cell(self) -> int | None:
        """Amid the gap between cells where most area is left."""
        passed = np.append(0.0, np.cumsum(self.left()))
        edges = np.array(self.cells)
        gaps = np.diff(passed[edges])
        widest = int(gaps.argmax())
        if not gaps[widest] > NARROW * passed[-1]:
            return None
        middle = (passed[edges[widest]] + passed[edges[widest + 1]]) / 2
        cell = int(np.searchsorted(passed, middle)) - 1
        return None if cell in self.cells else cell

    def wished_cell(self, wish: Wish) -> int | None:
        """Of makespans at which the wish may be met, as far as is proven, the one at which it would
        be met best; None if there is none, or if prices were sought there.
        """
        points = np.column_stack([self.joules + self.idle * self.begins[:-1], self.begins[:-1]])
        excess = wish.excess(points)
        cell = int(np.lexsort((wish.value(points), excess))[0])
        return None if excess[cell] > 0 or cell in self.cells[1:-1] else cell

    def proven(self) -> "Patterns | None":
        """What the prices found so far prove; None if no more than was known."""
        if not self.found:
            return None
        prices, until = zip(*self.found, strict=True)
        worth_a_step = LOST * float(self.left().sum())
        cells = self.cellwise
        proof = PatternProof(
            cells.shortest, cells.longest, worth_a_step, np.array(prices), np.array(until)
        )
        return Patterns(cells.steps(worth_a_step), proof)


class _MakespanCells:
    """Makespans from the shortest to the longest, cell by cell, and the joules above idle power
    that prices prove of each.
    """

    def __init__(self, system: System, shortest: float, longest: float) -> None:
        self.shortest, self.longest = shortest, longest
        self.sacks = Knapsacks.within(system, longest, _step(shortest, PROVE_CELLS))
        self.first = self.sacks.cell(shortest)
        cells = np.arange(self.first, self.sacks.cell(longest) + 2)
        self.begins = np.maximum(self.sacks.begins(cells), shortest)
        self.joules = np.full(len(cells) - 1, -np.inf)

    def bound(self, prices: FloatArray, beyond: int) -> FloatArray:
        """What prices prove of so many cells."""
        return self.sacks.bound(prices, self.first + beyond - 1)[self.first :]

    def work(self, beyond: int) -> float:
        """About how much work it is to bound so many cells, in units."""
        return self.sacks.work(self.first + beyond - 1)

    def raise_to(self, joules: FloatArray) -> None:
        """Take in what is proven of the first cells."""
        first = self.joules[: len(joules)]
        np.maximum(first, joules, out=first)

    def steps(self, worth_a_step: float) -> Steps:
        """Faster schedules need as much; what is the shortest makespan is not for prices to say."""
        begins = np.append(0.0, self.begins[1:])
        return Steps.of_cells(begins, self.joules, worth_a_step)


@dataclass(frozen=True, eq=False)
class PatternProof:
    """Prices that prove steps, kept so that the proof can be checked again: row k of `prices`,
    joules for a task of each type, counts for the first `until[k]` cells of makespans from the
    `shortest` to the `longest`, in seconds. Steps worth fewer than so many joule-seconds are left
    out.

    Any prices prove something true, so that no proof need be trusted.
    """

    shortest: float
    longest: float
    worth_a_step: float
    prices: FloatArray
    until: IntArray

    def fault(self, system: System) -> str | None:
        """Why it cannot be evaluated for a system in reasonable time; None if it can."""
        if not 0 < self.shortest <= self.longest <= 2 * LONGEST * self.shortest:
            return f"goes from {self.shortest} s to {self.longest} s, which no proof does"
        if len(self.prices) > MOST_PRICES or not _small_enough(system, self.shortest, self.longest):
            return "is too large to be proven anew"
        return None

    def evaluated(self, system: System) -> "Patterns":
        """What it proves of a system."""
        cells = _MakespanCells(system, self.shortest, self.longest)
        for prices, until in zip(self.prices, self.until.tolist(), strict=True):
            cells.raise_to(cells.bound(prices, int(np.clip(until, 1, len(cells.joules)))))
        return Patterns(cells.steps(self.worth_a_step), self)


@dataclass(frozen=True, eq=False)
class Patterns:
    """Steps that patterns prove, and the proof."""

    steps: Steps
    proof: PatternProof

    def beyond(self, other: "Patterns") -> bool:
        """Whether it proves more than another one of the same system, by joule-seconds."""
        begins = np.union1d(self.steps.begins, other.steps.begins)
        shortest = max(self.proof.shortest, other.proof.shortest)
        begins = np.append(shortest, begins[begins > shortest])
        mine, its = self.steps.needed(begins[:-1]), other.steps.needed(begins[:-1])
        both = np.concatenate([mine, its])
        least = float(both[np.isfinite(both)].min(initial=np.inf))
        more = np.maximum(mine, least) - np.maximum(its, least)
        return bool(np.isfinite(least) and more @ np.diff(begins) > 0)


def _small_enough(system: System, shortest: float, longest: float) -> bool:
    """Whether knapsacks up to such a makespan are filled in reasonable time."""
    fitting = np.minimum(longest / system.etc, system.task_counts[:, None])[system.can_run]
    lots = np.ceil(np.log2(fitting + 2)).sum()
    return bool(lots * longest / _step(shortest, SEEK_CELLS) <= MOST_NUMBERS)


def _longest(proven: Proven, schedules: Sequence[Schedule]) -> float:
    """Seconds up to which something is to be gained."""
    slowest = sorted_front(points_of(list(schedules)))[:1, 1].max(initial=0.0)
    return float(min(max(proven.front.makespan[0], slowest), LONGEST * proven.soonest))


def _step(shortest: float, cells: int) -> float:
    """Seconds: the largest of 1, 2, 2.5 and 5 times a power of ten that cuts the shortest makespan
    into so many cells, or more. Durations are often whole multiples of it.
    """
    most = shortest / cells
    power = 10.0 ** np.floor(np.log10(most))
    return float(max(step * power for step in (1.0, 2.0, 2.5, 5.0) if step * power <= most))
