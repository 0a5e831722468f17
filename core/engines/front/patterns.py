"""A bound from patterns of whole tasks on single machines, which is above the divisible front.

The divisible front treats the machines of a type as one pool of time. In fact each machine runs
whole tasks within the makespan: a *pattern*. Give a task of type i a price of `pi_i` joules. In a
schedule of makespan T or less, no machine of type j earns more, in prices less energy, than the
best pattern that fits into T, `K_j(pi, T)`. All tasks are run, so

    energy above idle power >= pi.N - sum_j M_j K_j(pi, T).

Any prices prove a bound. Filling the knapsacks once gives the right side for every T.
"""

import bisect
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.front.proven import Proven
from core.engines.front.wish import Wish
from core.engines.patterns.knapsack import Knapsacks
from core.engines.patterns.prices import PriceSearch
from core.engines.recover.along import points_of
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget
from core.vocabulary.plane.points import Steps, sorted_front
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

# Makespans are divided into cells. The shortest makespan has at least SEEK_CELLS of them in the
# search for prices, and PROVE_CELLS in the proof. Makespans up to LONGEST times the shortest are
# included. All constants here are set by judgement; `python -m benchmarks along` measures the gaps
# that result.
SEEK_CELLS: Final = 2000
PROVE_CELLS: Final = 20_000
LONGEST: Final = 5.0
# Larger knapsacks take too long, and with more tasks for each machine patterns prove too little.
MOST_NUMBERS: Final = 30_000_000
MOST_TASKS_A_MACHINE: Final = 300
# The search tries only makespans where at least this share of the area is left. Prices are a
# success if they remove at least this share of it; PATIENCE failures in a row end the search.
NARROW: Final = 1e-3
PATIENCE: Final = 10
# A proof has at most this many rows of prices, because checking it fills a knapsack for each.
MOST_PRICES: Final = 60
# Steps of the bound are merged if that loses at most this share of the area that is left.
LOST: Final = 1e-5


def worthwhile(proven: Proven, schedules: Sequence[Schedule]) -> bool:
    """Whether patterns may prove more than is proven already, in reasonable time."""
    system, longest = proven.front.system, _longest(proven, schedules)
    if longest <= proven.soonest or system.tasks > MOST_TASKS_A_MACHINE * system.machines:
        return False
    return _small_enough(system, proven.soonest, longest)


class PatternSearch:
    """A search for prices that leave little area between their bound and the given schedules; with
    a wish, for prices that prove much about schedules that meet it.

    When it gets better schedules and runs again, it continues from what it found. Use it only for
    systems where patterns are `worthwhile`.
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
        # What the threads share: the joules above idle power proven for each cell of makespans, how
        # many prices raised them, and how many in a row did not.
        self.joules = self.base.copy()
        self.found: list[tuple[FloatArray, int]] = []
        self.gains = self.failures = 0
        self.lock = threading.Lock()
        self.aim_at(schedules)

    def aim_at(self, schedules: Sequence[Schedule]) -> None:
        """Measure the area below these schedules from now on."""
        self.prices.aim_at(schedules)
        self.achieved = self.prices.achieved(self.begins[:-1])
        # Makespans at which prices were sought, and the two ends: elsewhere the bound comes from
        # the prices of a neighbour.
        self.cells = [0, len(self.joules)]

    def run(
        self,
        budget: Budget,
        *,
        enough: float = np.inf,
        report: Callable[[float], None] | None = None,
    ) -> None:
        """Seek prices until little more can be gained, they have succeeded `enough` times in all,
        or the budget is spent. `report` gets, from time to time, the seconds spent.
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
        """Seek prices where most area is left; False if no makespan is worth it."""
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
        """Raise the bound with these prices, up to the next cell where prices were sought; nothing
        if they are None.
        """
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
        """Joule-seconds between the proven and the achieved energy, for each cell."""
        energy = self.joules + self.idle * self.begins[:-1]
        return np.maximum(self.achieved - energy, 0.0) * np.diff(self.begins)

    def next_cell(self) -> int | None:
        """The middle of the interval between tried cells with most area left; None if that is
        little.
        """
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
        """The cell at which the wish may be met best, as far as is proven; None if it cannot be
        met, or if prices were sought there.
        """
        points = np.column_stack([self.joules + self.idle * self.begins[:-1], self.begins[:-1]])
        excess = wish.excess(points)
        cell = int(np.lexsort((wish.value(points), excess))[0])
        return None if excess[cell] > 0 or cell in self.cells[1:-1] else cell

    def proven(self) -> "Patterns | None":
        """The bound of the prices found so far; None if it is no better than the one before."""
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
    """Makespans from the shortest to the longest in cells, and the joules above idle power that
    prices prove for each.
    """

    def __init__(self, system: System, shortest: float, longest: float) -> None:
        self.shortest, self.longest = shortest, longest
        self.sacks = Knapsacks.within(system, longest, _step(shortest, PROVE_CELLS))
        self.first = self.sacks.cell(shortest)
        cells = np.arange(self.first, self.sacks.cell(longest) + 2)
        self.begins = np.maximum(self.sacks.begins(cells), shortest)
        self.joules = np.full(len(cells) - 1, -np.inf)

    def bound(self, prices: FloatArray, beyond: int) -> FloatArray:
        """The joules that prices prove for the first `beyond` cells."""
        return self.sacks.bound(prices, self.first + beyond - 1)[self.first :]

    def work(self, beyond: int) -> float:
        """The units of work to bound so many cells, roughly."""
        return self.sacks.work(self.first + beyond - 1)

    def raise_to(self, joules: FloatArray) -> None:
        """Raise the joules of the first cells to these, where they are more."""
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

    Any prices prove a true bound, so a proof from a file need not be trusted.
    """

    shortest: float
    longest: float
    worth_a_step: float
    prices: FloatArray
    until: IntArray

    def fault(self, system: System) -> str | None:
        """Why the proof cannot be evaluated for a system in reasonable time; None if it can."""
        if not 0 < self.shortest <= self.longest <= 2 * LONGEST * self.shortest:
            return f"goes from {self.shortest} s to {self.longest} s, which is not a valid range"
        if len(self.prices) > MOST_PRICES or not _small_enough(system, self.shortest, self.longest):
            return "is too large to be checked"
        return None

    def evaluated(self, system: System) -> "Patterns":
        """The bound that the proof gives for a system."""
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
        """Whether it proves more than another one of the same system, in joule-seconds."""
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
    """The longest makespan, in seconds, at which a better bound matters."""
    slowest = sorted_front(points_of(list(schedules)))[:1, 1].max(initial=0.0)
    return float(min(max(proven.front.makespan[0], slowest), LONGEST * proven.soonest))


def _step(shortest: float, cells: int) -> float:
    """The length of a cell in seconds: the largest of 1, 2, 2.5 and 5 times a power of ten that
    divides the shortest makespan into at least so many cells. Durations are often multiples of it.
    """
    most = shortest / cells
    power = 10.0 ** np.floor(np.log10(most))
    return float(max(step * power for step in (1.0, 2.0, 2.5, 5.0) if step * power <= most))
