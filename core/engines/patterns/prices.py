"""Prices of tasks that prove a good bound for a makespan, by column generation (Gilmore and
Gomory).

A pattern is the tasks of each type that one machine runs. The cheapest mixture of known patterns is
a linear program: it uses fractions of patterns, for at most as many machines as there are, and
tasks that no pattern runs have a high cost. Its duals are prices. At these the best pattern of each
machine type is found; if it earns more than its machine costs, it joins the mixture, and so on. The
duals change much at first, so they are mixed with the best prices so far.
"""

import bisect
import threading
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from core.engines.lp.program import PRIMAL, Program
from core.engines.patterns.knapsack import Filled, Knapsacks
from core.engines.recover.along import points_of
from core.engines.relaxed import Front, SolverFailed
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget, never
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import SOLVED_ZERO

# The units of work in a solve, roughly: a fixed part, and one for each row in each iteration.
_SOLVE_WORK: Final = 5e-4
_ROW_WORK: Final = 1.5e-7


class Mixture:
    """Joules are in `unit`; a task that no pattern runs first costs `dearest` units.

    `work` is the units of work of the last solve.
    """

    def __init__(self, system: System, unit: float, dearest: float) -> None:
        self.unit = unit
        self.costs = np.where(system.can_run, system.dynamic_energy, 0.0) / unit
        self.work = 0.0
        self.known: set[tuple[int, bytes]] = set()
        # Only columns are added, so the last optimum stays feasible, and primal simplex starts from
        # it.
        self.program = Program(simplex_strategy=PRIMAL)
        # If a task reduces energy, machines must not run more of them than there are.
        gains = (self.costs < 0).any(axis=1)
        most = np.where(gains, system.task_counts, np.inf)
        self.done = self.program.add_rows(system.task_counts, most)
        self.running = self.program.add_rows(-np.inf, system.machine_counts)
        self.program.add_columns([(self.done, 1.0)], dearest)

    def add(self, machine: int, counts: IntArray) -> bool:
        """Add a pattern; False if the mixture has it already."""
        key = machine, counts.tobytes()
        if key in self.known:
            return False
        self.known.add(key)
        tasks = np.flatnonzero(counts)
        rows = np.append(self.done[tasks], self.running[machine])
        self.program.add_columns(
            [(rows[None, :], np.append(counts[tasks], 1.0))], float(self.costs[:, machine] @ counts)
        )
        return True

    def solve(self) -> tuple[float, FloatArray, FloatArray]:
        """The joules of the cheapest mixture, and the prices, in joules, of a task of each type and
        of a machine of each type.
        """
        solution = self.program.minimise(presolve=("off",))
        self.work = _SOLVE_WORK + _ROW_WORK * solution.iterations * self.program.rows
        duals = solution.duals * self.unit
        return solution.objective * self.unit, duals[self.done], -duals[self.running]


# The constants below are set by judgement; `python -m benchmarks along` measures the gaps that
# result. The next prices are this share of the best ones so far and the rest of the new duals: the
# first with which there is a pattern to add.
MIXED: Final = (0.5, 0.25, 0.0)
# The search ends when at most this share of the gap that it could close is left.
SETTLED: Final = 0.05
# The cost of a task that no pattern runs, in mean joules of a task.
LEFT_OUT: Final = 100.0
# Patterns are taken from this many schedules; patterns found before must fill this share of the
# makespan.
SCHEDULES: Final = 4
FULL: Final = 0.9


class PriceSearch:
    """A search for prices that several threads share; prices and patterns found for one makespan
    are the start at the next.

    Knapsacks are rounded to the nearest cell, because nothing is proven here.
    """

    def __init__(
        self, front: Front, schedules: Sequence[Schedule], longest: float, step: float
    ) -> None:
        self.front, self.system = front, front.system
        self.sacks = Knapsacks.within(self.system, longest, step, nearest=True)
        self.costs = np.where(self.system.can_run, self.system.dynamic_energy, 0.0)
        self.unit = float(np.abs(front.energy).max()) / max(self.system.tasks, 1) or 1.0
        self.known: list[tuple[float, FloatArray]] = []
        self.patterns: list[tuple[int, int, IntArray]] = []
        self.lock = threading.Lock()
        self.aim_at(schedules)

    def aim_at(self, schedules: Sequence[Schedule]) -> None:
        """Use these schedules from now on, for the achieved energy and for patterns."""
        points = points_of(list(schedules))
        best = np.flatnonzero(non_dominated(points))
        best = best[np.argsort(points[best, 1])]
        self.points = points[best]
        self.schedules = [schedules[place] for place in best.tolist()]

    def achieved(self, deadlines: FloatArray) -> FloatArray:
        """The least joules of a schedule that meets each deadline; the most of all if none does."""
        place = np.searchsorted(self.points[:, 1], deadlines, side="right") - 1
        worst = self.points[:, 0].max(initial=self.front.energy[-1])
        reached: FloatArray = np.append(self.points[:, 0], worst)[place]
        return reached

    def seek(
        self,
        makespan: float,
        enough: float,
        goal: float,
        budget: Budget,
        over: Callable[[], bool] = never,
    ) -> FloatArray | None:
        """The best prices for a makespan that are found until it is `over`. In joules above idle
        power, `enough` is proven already and `goal` is achieved; None if no prices can prove more
        than `enough`. The work is spent from the budget.
        """
        cell = self.sacks.cell(makespan)
        room = self.sacks.room(cell)
        mixture = Mixture(self.system, self.unit, LEFT_OUT)
        self.begin(mixture, makespan, cell)
        best, prices = -np.inf, np.zeros(len(self.costs))
        for start in self.starts(makespan):
            filled = self.sacks.filled(start, room)
            budget.spend(self.sacks.work(cell))
            value = self.value(filled, start, cell)
            if value > best:
                best, prices = value, start
            for machine in range(self.costs.shape[1]):
                mixture.add(machine, filled.pattern(machine, cell))
        while not over():
            try:
                most, duals, rents = mixture.solve()
            except SolverFailed:
                break  # The bound of the prices so far remains valid.
            budget.spend(mixture.work)
            if most <= enough:
                return None
            if most - best <= SETTLED * max(goal - best, 0.0):
                break
            for share in MIXED:
                tried = share * prices + (1 - share) * duals
                filled = self.sacks.filled(tried, room)
                budget.spend(self.sacks.work(cell))
                added = self.add(mixture, filled, cell, duals, rents)
                value = self.value(filled, tried, cell)
                if value > best:
                    best, prices = value, tried
                if added:
                    break
            else:
                break  # no pattern earns more
        with self.lock:
            bisect.insort(self.known, (makespan, prices), key=lambda known: known[0])
        return prices

    def value(self, filled: Filled, prices: FloatArray, cell: int) -> float:
        """An estimate of the joules above idle power that prices prove."""
        earned = [filled.earned(machine, cell) for machine in range(self.costs.shape[1])]
        return float(prices @ self.system.task_counts - self.system.machine_counts @ earned)

    def add(
        self, mixture: Mixture, filled: Filled, cell: int, duals: FloatArray, rents: FloatArray
    ) -> bool:
        """Add the best patterns that earn more than their machine costs. Returns whether there were
        any.
        """
        added = False
        for machine, rent in enumerate(rents.tolist()):
            pattern = filled.pattern(machine, cell)
            if pattern @ (duals - self.costs[:, machine]) > rent + SOLVED_ZERO * self.unit:
                added |= mixture.add(machine, pattern)
                self.patterns.append((machine, cell, pattern))
        return added

    def begin(self, mixture: Mixture, makespan: float, cell: int) -> None:
        """Start the mixture with patterns of schedules that are nearly as slow, and with those
        found at other makespans.
        """
        reached = int(np.searchsorted(self.points[:, 1], makespan, side="right"))
        for schedule in self.schedules[max(reached - SCHEDULES, 0) : reached]:
            for machine, tasks in zip(schedule.machine_type.tolist(), schedule.tasks, strict=True):
                mixture.add(machine, tasks)
        for machine, width, tasks in self.patterns[:]:
            if FULL * cell <= width <= cell:
                mixture.add(machine, tasks)

    def starts(self, makespan: float) -> list[FloatArray]:
        """The first prices: those of the front's line, and those found at makespans nearby."""
        lines, system = self.front.lines, self.system
        energy, seconds = lines.weights[:-1].T
        line = int(((lines.value[:-1] - seconds * makespan) / energy).argmax())
        time = np.where(system.can_run, system.etc, 0.0) * lines.machine_prices[line]
        starts = [np.where(system.can_run, self.costs + time, np.inf).min(axis=1)]
        with self.lock:
            after = bisect.bisect(self.known, makespan, key=lambda known: known[0])
            starts += [prices for _, prices in self.known[max(after - 1, 0) : after + 1]]
        return starts
