"""What is left of bags at a moment: the least worst stretch that is still possible, and a plan.

All bags that are left have been released, and later ones are not known. So the dates are the
deadlines alone, and each bag may be sent and computed until its own. Tasks that were sent stay
where they are. Memory is not looked at.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from core.lp.program import Entries, Program, ProgramSolution, SolverFailed
from core.model.arrays import BoolArray, FloatArray, IntArray
from core.model.tolerances import (
    LARGEST_COEFFICIENT,
    LEAST_COEFFICIENT,
    METHODS_AGREE,
    SAME,
    SOLVED_ZERO,
    SOLVER,
)
from core.stretch.bags import BagWork
from core.stretch.epochs import LEAST_STRETCH
from core.stretch.routes import Routes
from core.stretch.tasks.machine_work import MachineWork
from core.stretch.tasks.running import OpenTasks

_PRIMAL_SIMPLEX: Final = 4
_MOST_PROGRAMS: Final = 100


@dataclass(frozen=True, eq=False)
class Remaining:
    """The bags at `now` (s after the first release): `unsent` tasks of each bag, and `present`
    tasks of each on each worker, parts of running ones among them. `left` are the bags with any.
    """

    work: BagWork
    ideal: FloatArray
    now: float
    unsent: IntArray
    present: FloatArray

    @property
    def left(self) -> IntArray:
        released = self.work.release <= self.now
        return np.flatnonzero(released & ((self.unsent > 0) | (self.present > 0).any(axis=1)))


class RemainingPlan(NamedTuple):
    """A plan with the worst stretch `stretch`: `sent[k, u, j]` tasks of bag k are sent to worker u
    in interval j, which ends at `dates[j]` (s after the first release).
    """

    stretch: float
    dates: FloatArray
    sent: FloatArray


def what_remains(work: MachineWork, run: OpenTasks) -> Remaining:
    """What is left of the bags of a replay."""
    present = np.zeros(work.fitting.work.seconds.shape)
    np.add.at(present.T, work.worker, run.present.T)
    return Remaining(work.fitting.work, work.ideal, run.now, run.unsent, present)


def least_remaining(remaining: Remaining, guess: float) -> float:
    """The least worst stretch of the bags that are left, but for a millionth; the search begins
    near the `guess`. Raises `SolverFailed`.
    """
    return _RemainingProgram(remaining).least(guess)


def plan_remaining(remaining: Remaining, guess: float) -> RemainingPlan:
    """A plan of the bags that are left with their least worst stretch, but for some millionths, in
    which tasks end early. The search begins near the `guess`. Raises `SolverFailed`.
    """
    program = _RemainingProgram(remaining)
    stretch = program.least(guess) * (1 + METHODS_AGREE)
    program.aim_early(stretch)
    return program.plan(stretch)


class _RemainingProgram:
    """Columns are routes of unsent tasks, and intervals in which present ones are computed."""

    def __init__(self, remaining: Remaining) -> None:
        self._given = remaining
        self._bags = bags = remaining.left
        work = remaining.work
        self._release, self._ideal = work.release[bags], remaining.ideal[bags]
        self._second = second = float(self._ideal.max())
        unsent = remaining.unsent[bags].astype(float)
        self._tasks = work.counts[bags]
        self._unsent = unsent
        count, workers = len(bags), work.seconds.shape[1]
        seconds = np.where(unsent[:, None] > 0, work.seconds[bags], 0.0)
        self._cpu_use = unsent[:, None] * seconds / second
        self._link_use = unsent[:, None] * work.link_seconds[bags] / second
        self._master_use = unsent * work.master_seconds[bags] / second
        self._can_run = np.maximum(self._cpu_use, self._link_use) < LARGEST_COEFFICIENT
        self._can_run &= (unsent > 0)[:, None]
        self._program = program = Program(
            primal_feasibility_tolerance=SOLVER,
            dual_feasibility_tolerance=SOLVER,
            small_matrix_value=LEAST_COEFFICIENT,
            solver="simplex",
            simplex_strategy=_PRIMAL_SIMPLEX,
        )
        some = (unsent > 0).astype(float)
        self._done = program.add_rows(some, some)
        block = np.zeros(workers * count)
        self._links = program.add_rows(-np.inf, block).reshape(workers, count)
        self._cpus = program.add_rows(-np.inf, block).reshape(workers, count)
        self._master = program.add_rows(-np.inf, np.zeros(count))
        self._length = program.add_rows(np.zeros(count), 0.0)
        time_rows = np.vstack([self._links, self._cpus, self._master, self._length]).T
        signs = np.append(-np.ones(2 * workers + 1), 1.0)
        program.add_columns([(time_rows, np.tile(signs, (count, 1)))])
        self._size = program.add_columns(
            [(self._length[None], np.full((1, count), -1.0))], costs=1.0
        )
        none = np.empty(0, np.int64)
        self._routes, self._columns = Routes(none, none, none, none), none
        self._ends: FloatArray | None = None
        self._add_present(remaining)

    def _add_present(self, remaining: Remaining) -> None:
        """A row for the tasks of a bag on a worker, and a column for each interval."""
        bag, worker = np.nonzero(remaining.present[self._bags] > 0)
        self._here = Routes(bag, worker, bag, bag)
        self._here_columns = np.empty(0, np.int64)
        if not len(bag):
            return
        rows = self._program.add_rows(np.ones(len(bag)), 1.0)
        count = len(self._bags)
        bag, worker, rows = (np.repeat(part, count) for part in (bag, worker, rows))
        interval = np.tile(np.arange(count), len(self._here.bag))
        amount = remaining.present[self._bags[bag], worker]
        use = amount * remaining.work.seconds[self._bags[bag], worker] / self._second
        self._here = Routes(bag, worker, interval, interval)
        self._here_columns = self._program.add_columns(
            [(rows, 1.0), (self._cpus[worker, interval], use)]
        )
        self._here_weights = amount / self._tasks[bag]

    def least(self, guess: float) -> float:
        """The least worst stretch that is still possible."""
        low, high = max(self._alone(), LEAST_STRETCH) * (1 - SAME), np.inf
        stretch = max(guess, low) * (1 + SAME)
        for _ in range(_MOST_PROGRAMS):
            size, balanced = self._at(stretch)
            if size <= 1 + SAME:
                high = stretch
            else:
                low = stretch
            if high <= low * (1 + METHODS_AGREE):
                self._at(high)
                return high
            balanced *= 1 + SAME
            if not low < balanced < high:
                balanced = (low + high) / 2 if np.isfinite(high) else 2 * low
            stretch = balanced
        raise SolverFailed("the search for the least worst stretch came to no end")

    def _alone(self) -> float:
        """The worst stretch if each bag had all machines for itself from now on."""
        given, bags = self._given, self._bags
        here = given.present[bags]
        seconds = np.where(here > 0, here * np.where(here > 0, given.work.seconds[bags], 1.0), 0.0)
        ahead = np.maximum(seconds.max(axis=1), self._unsent / given.work.throughput[bags])
        return float(((given.now + ahead - self._release) / self._ideal).max())

    def _at(self, stretch: float) -> tuple[float, float]:
        """The factor by which intervals would have to be longer at a stretch, and the stretch at
        which it would be 1 if the order of the dates stayed as it is.
        """
        base, slope = self._set(stretch)
        solution = self._solve()
        prices = -solution.duals
        rates = prices[self._links].sum(axis=0) + prices[self._cpus].sum(axis=0)
        rates += prices[self._master]
        size = float(solution.values[self._size][0])
        rising = float(rates @ slope) / self._second
        balanced = (size - float(rates @ base) / self._second) / rising if rising > 0 else np.inf
        return size, balanced

    def _set(self, stretch: float) -> tuple[FloatArray, FloatArray]:
        """Let the deadlines be those of this stretch; returns the lengths of intervals, without
        and with what grows with the stretch.
        """
        order = np.argsort(self._release + stretch * self._ideal, kind="stable")
        self._last = np.empty(len(order), np.int64)
        self._last[order] = np.arange(len(order))
        base = np.diff(self._release[order], prepend=self._given.now)
        slope = np.diff(self._ideal[order], prepend=0.0)
        self._dates = np.maximum.accumulate(
            np.maximum((self._release + stretch * self._ideal)[order], self._given.now)
        )
        lengths = np.diff(self._dates, prepend=self._given.now) / self._second
        program = self._program
        program.set_coefficients(self._length, int(self._size[0]), -lengths)
        for routes, columns in ((self._routes, self._columns), (self._here, self._here_columns)):
            if len(columns):
                open_ = routes.computed <= self._last[routes.bag]
                program.set_column_bounds(columns, 0.0, np.where(open_, np.inf, 0.0))
        bag, interval, worker = np.nonzero(self._windows()[:, :, None] & self._can_run[:, None, :])
        self._add(Routes(bag, worker, interval, interval))
        return base, slope

    def _windows(self) -> BoolArray:
        return np.arange(len(self._last)) <= self._last[:, None]

    def aim_early(self, stretch: float) -> None:
        """Keep to a stretch, and let tasks end early, as shares of the ideal duration."""
        self._set(stretch)
        self._ends = ends = (self._dates - self._given.now) / self._second
        self._program.set_column_bounds(self._size, 1.0, 1.0)
        self._program.set_costs(self._columns, self._costs(self._routes))
        if len(self._here_columns):
            bag, _, _, interval = self._here
            costs = ends[interval] * self._here_weights / (self._ideal[bag] / self._second)
            self._program.set_costs(self._here_columns, costs)
        self._solve()

    def plan(self, stretch: float) -> RemainingPlan:
        """What was found last."""
        sent = np.zeros((*self._given.work.seconds.shape, len(self._bags)))
        bag, worker, interval, _ = self._routes
        amounts = self._found.values[self._columns] * self._unsent[bag]
        np.add.at(sent, (self._bags[bag], worker, interval), np.maximum(amounts, 0.0))
        return RemainingPlan(stretch, self._dates, sent)

    def _solve(self) -> ProgramSolution:
        """The optimum over all routes."""
        while True:
            self._found = self._program.minimise(presolve=("off", "on"))
            if not self._add(self._that_pay(self._found)):
                return self._found

    def _that_pay(self, solution: ProgramSolution) -> Routes:
        """Of each bag and worker, the route of the least reduced cost, if it is below 0."""
        prices, gains = np.maximum(-solution.duals, 0.0), solution.duals[self._done]
        windows = self._windows()[:, None, :]
        sending = self._link_use[:, :, None] * prices[self._links]
        sending += (self._master_use[:, None] * prices[self._master])[:, None]
        sending = np.where(windows, sending, np.inf)
        best = np.minimum.accumulate(sending, axis=2)
        intervals = np.arange(best.shape[2])
        sent = np.maximum.accumulate(np.where(sending <= best, intervals, 0), axis=2)
        cpu_use = np.where(self._can_run, self._cpu_use, 0.0)
        costs = best + cpu_use[:, :, None] * prices[self._cpus]
        if self._ends is not None:
            costs += (self._ends * (self._weights() / self._ideal)[:, None])[:, None, :]
        costs = np.where(self._can_run[:, :, None] & windows, costs, np.inf)
        at = costs.argmin(axis=2)
        least = np.take_along_axis(costs, at[:, :, None], axis=2)[:, :, 0]
        bag, worker = np.nonzero(least < gains[:, None] - SOLVED_ZERO)
        computed = at[bag, worker]
        return Routes(bag, worker, sent[bag, worker, computed], computed)

    def _weights(self) -> FloatArray:
        return self._unsent / self._tasks * self._second

    def _costs(self, routes: Routes) -> FloatArray:
        if self._ends is None:
            return np.zeros(len(routes.bag))
        costs: FloatArray = (
            self._ends[routes.computed] * (self._weights() / self._ideal)[routes.bag]
        )
        return costs

    def _add(self, routes: Routes) -> int:
        """Add those that are not there yet; returns how many."""
        shape = (*self._link_use.shape, len(self._bags), len(self._bags))
        known = np.ravel_multi_index(tuple(self._routes), shape)
        routes = routes.where(~np.isin(np.ravel_multi_index(tuple(routes), shape), known))
        bag, worker, sent, computed = routes
        if not len(bag):
            return 0
        entries: list[Entries] = [
            (self._done[bag], 1.0),
            (self._links[worker, sent], self._link_use[bag, worker]),
            (self._cpus[worker, computed], self._cpu_use[bag, worker]),
            (self._master[sent], self._master_use[bag]),
        ]
        columns = self._program.add_columns(entries, self._costs(routes))
        self._routes = self._routes.and_then(routes)
        self._columns = np.append(self._columns, columns)
        return len(bag)
