"""The linear program of bags that are shared out over time, by the routes of tasks.

A route is a worker, the interval in which a task is sent to it, and the same or a later interval in
which it is computed there. A column is the share of a bag that takes a route:

    each bag                    shares of its routes = 1
    each worker and interval    seconds of its link, and of its machines   <= length of the interval
    each interval               seconds of the master                      <= its length
    each worker and date        bytes that wait there                      <= its memory
    each interval               length = rate x size + constant

The `size` is minimised: either the stretch itself, between two milestones; or, at one stretch, the
factor by which all intervals would have to be longer (or could be shorter), which exists for every
stretch. Or the energy is minimised, at a stretch or with a weight for it; then the length of an
interval may be less than it could be. Tasks that are on workers from the start have columns of
their own: the share of them that is computed in an interval; until then it fills the memory. All
programs of some bags have these rows. Only routes within an interval are there from the beginning;
others are added where prices say that they pay (column generation).
"""

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.fair_shares.bags import BagWork
from core.capabilities.fair_shares.epochs import Epochs, count_intervals
from core.capabilities.fair_shares.prices import PricesOverTime
from core.engines.lp.program import (
    PRIMAL,
    Entries,
    Interrupted,
    Program,
    ProgramSolution,
    SolverFailed,
)
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import Budget, Cancelled
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import counted
from core.vocabulary.tolerances import (
    LARGEST_COEFFICIENT,
    LEAST_COEFFICIENT,
    SAME_OPTIMUM,
    SOLVED_ZERO,
    SOLVER,
)

_NOTHING: Final = np.zeros(1)
_DOING: Final = "sharing out bags"
_TOLERANCES: Final = (SOLVER, SOLVED_ZERO, SAME_OPTIMUM)
"""Where the solver fails with one, the next is tried. Plans and bounds are checked without it."""
_MOST_ROUTES: Final = 5_000_000
"""They take 3 GB: 0.6 kB each, by 256 bags on 16 workers and by 512."""
_WARM_THEN_COLD: Final = ("off", "on")


class Routes(NamedTuple):
    """Bag, worker, interval of sending and interval of computing of each route."""

    bag: IntArray
    worker: IntArray
    sent: IntArray
    computed: IntArray

    def where(self, chosen: BoolArray | IntArray) -> "Routes":
        return Routes(*(part[chosen] for part in self))

    def and_then(self, others: "Routes") -> "Routes":
        return Routes(*(np.concatenate(parts) for parts in zip(self, others, strict=True)))


@dataclass(frozen=True, eq=False)
class RouteShares:
    """An optimum: its size, the share of its bag that takes each route, the prices of time, and the
    seconds that are used of each interval.
    """

    epochs: Epochs
    size: float
    routes: Routes
    shares: FloatArray
    prices: PricesOverTime
    used: FloatArray

    @property
    def balanced(self) -> float:
        """Where the size is a factor: the stretch at which it would be 1 at the same prices, if the
        dates stayed in their order. Infinite where longer intervals cost too much for any.
        """
        rates = self.prices.rates
        rising = float(rates @ self.epochs.length_slope)
        at_once = float(rates @ self.epochs.length_base)
        return (self.size - at_once) / rising if rising > 0 else math.inf


class RouteRows:
    """The rows of the program, and what a whole bag uses of them on its routes. Times are in so
    many seconds (`second`) and data in so many bytes (`byte`), so that coefficients are near 1.
    """

    def __init__(self, program: Program, work: BagWork, ideal: FloatArray, intervals: int) -> None:
        self.second = float(ideal.max())
        counts, some = work.counts[:, None] / self.second, work.counts > 0
        self.cpu_use = counts * np.where(some[:, None], work.seconds, 0.0)
        self.link_use = counts * work.link_seconds
        self.master_use = work.counts * work.master_seconds / self.second
        most = np.maximum(self.cpu_use, self.link_use)
        # A bag has hardly a share where it takes so long; the proof knows of these, too.
        self.can_run: BoolArray = (most < LARGEST_COEFFICIENT) & some[:, None]
        bytes_of_bags = (work.counts + work.stock.sum(axis=1)) * work.data
        self.byte = float(bytes_of_bags.max()) or 1.0
        self.bytes_use = work.counts * work.data / self.byte
        workers = work.seconds.shape[1]
        self.done = program.add_rows(some.astype(float), some.astype(float))
        block = np.zeros(workers * intervals)
        self.links = program.add_rows(-np.inf, block).reshape(workers, intervals)
        self.cpus = program.add_rows(-np.inf, block).reshape(workers, intervals)
        self.master = program.add_rows(-np.inf, np.zeros(intervals))
        self.length = program.add_rows(np.zeros(intervals), 0.0)
        room = work.memory / self.byte
        self.holds = room > 0
        self.memory = np.full((workers, intervals), -1)
        bounded = np.flatnonzero(np.isfinite(room) & self.holds)
        if len(bounded) and intervals > 1:
            rows = program.add_rows(-np.inf, np.repeat(room[bounded], intervals - 1))
            self.memory[bounded, 1:] = rows.reshape(len(bounded), -1)

    def entries_of_lengths(self) -> list[Entries]:
        """What a column for the length of each interval has: it is time for all in it."""
        rows = np.vstack([self.links, self.cpus, self.master, self.length]).T
        signs = np.append(-np.ones(rows.shape[1] - 1), 1.0)
        return [(rows, np.tile(signs, (len(rows), 1)))]

    def entries_of(self, routes: Routes, dates: int) -> list[Entries]:
        """What columns have for routes on which tasks fill memory at so many dates."""
        bag, worker, sent, computed = routes
        return [
            (self.done[bag], 1.0),
            (self.links[worker, sent], self.link_use[bag, worker]),
            (self.cpus[worker, computed], self.cpu_use[bag, worker]),
            (self.master[sent], self.master_use[bag]),
            *(
                (self.memory[worker, sent + date], self.bytes_use[bag])
                for date in range(1, dates + 1)
            ),
        ]

    def prices(self, solution: ProgramSolution) -> PricesOverTime:
        """The duals of the rows; memory that is nowhere has an infinite price."""

        def of(rows: IntArray) -> FloatArray:
            return np.where(rows >= 0, np.maximum(-solution.duals[rows], 0.0), 0.0)

        memory = np.where(self.holds[:, None], of(self.memory), np.inf)
        return PricesOverTime(of(self.links), of(self.cpus), of(self.master), memory)


class RouteProgram:
    """The program of some bags; what changes keeps the basis of the last optimum."""

    def __init__(self, work: BagWork, ideal: FloatArray, budget: Budget | None = None) -> None:
        self.work, self.ideal, self.budget = work, ideal, budget or Budget()
        self.solves = 0
        bags, workers = work.seconds.shape
        self._intervals = count_intervals(work.release, ideal, work.start)
        _refuse_too_many(np.isfinite(work.seconds).sum(axis=1), workers, self._intervals)
        self._program = program = Program(
            small_matrix_value=LEAST_COEFFICIENT,
            solver="simplex",
            # Routes that are added, and dates that move, leave a basis that is nearly feasible.
            simplex_strategy=PRIMAL,
        )
        if budget is not None:  # else nothing depends on how long a solve takes
            # Without this object: in a cycle, memory would stay for longer.
            program.stop_when(lambda: budget.should_stop() or not budget.left)
        self._rows = rows = RouteRows(program, work, ideal, self._intervals)
        self._lengths = program.add_columns(rows.entries_of_lengths())
        entries = (rows.length[None], np.full((1, self._intervals), -1.0))
        self._size = program.add_columns([entries])
        none = np.empty(0, np.int64)
        self._routes, self._columns = Routes(none, none, none, none), none
        self._costs = self._sends = np.zeros((bags, workers, self._intervals))
        units = rows.second, rows.byte
        self._stock = StockColumns(program, work, rows.cpus, rows.memory, units)
        self._joule = self._largest_energy()
        self._price = 1.0

    def between(self, epochs: Epochs) -> None:
        """Let the size be the stretch, in this order of dates; it must be possible there."""
        self._set(epochs, epochs.length_slope, epochs.length_base)
        self._program.set_column_bounds(self._size, epochs.low, epochs.high)
        self._aim(_NOTHING, _NOTHING, 1.0)

    def at(self, epochs: Epochs, stretch: float) -> None:
        """Let the size be the factor of all intervals at this stretch."""
        lengths = np.diff(epochs.dates(stretch))
        self._set(epochs, lengths, np.zeros(self._intervals))
        self._program.set_column_bounds(self._size, 0.0, np.inf)
        self._aim(_NOTHING, _NOTHING, 1.0)

    def early(self, epochs: Epochs, stretch: float, *, sent_early: bool = False) -> None:
        """Keep to this stretch, and let tasks be computed early: minimise the mean over all bags of
        when their tasks end, from the release on, as a share of the ideal duration. If
        `sent_early`, of the sum of when they end and when they have been sent.
        """
        self.at(epochs, stretch)
        self._program.set_column_bounds(self._size, 1.0, 1.0)
        ends = epochs.dates(stretch)[1:] - self.work.release[:, None]
        ends = ends / self.ideal[:, None] / len(self.ideal)
        parts = self.work.counts / self.work.tasks
        of_unsent = (ends * parts[:, None])[:, None, :]
        self._aim(of_unsent, _NOTHING, 0.0, of_unsent if sent_early else _NOTHING)
        self._stock.aim(ends)

    def thrifty(self, epochs: Epochs, least: float, most: float, weight: float = 0.0) -> None:
        """Minimise joules + weight x stretch, for a stretch from `least` to `most` in this order of
        dates, of work from its beginning. After the last release, time that is left over does not
        count: the machines may be off for the rest.
        """
        self._set(epochs, epochs.length_slope, epochs.length_base)
        self._program.set_row_bounds(
            self._rows.length, -np.inf, epochs.length_base / self._rows.second
        )
        self._program.set_column_bounds(self._size, least, most)
        joules = self.work.counts[:, None] * self.work.joules / self._joule
        joules = np.where(self._rows.can_run, joules, 0.0)
        idle = epochs.idle_rates(self.work.idle_power) * self._rows.second / self._joule
        self._aim(joules[:, :, None], idle, weight / self._joule)
        self._price = self._joule

    def solve(self, *, feasible: bool = True) -> RouteShares:
        """The optimum over all routes. Unless it is known that the routes that are there suffice
        for one, raises `Infeasible` or `SolverFailed` if they do not. Raises `NoScheduleFound` if
        the budget ends before.
        """
        while True:
            self.budget.check(_DOING)
            try:
                solution = _minimised(self._program, feasible)
            except Interrupted:
                self.budget.check(_DOING)
                raise Cancelled(f"stopped while {_DOING}") from None
            self.solves += 1
            more = self._routes_that_pay(solution)
            if not self._add(more):
                return self._result(solution)

    def _aim(
        self,
        computing: FloatArray,
        lengths: FloatArray,
        size: float,
        sending: FloatArray = _NOTHING,
    ) -> None:
        """Set the costs of all shares, by the interval of computing and by that of sending (bags x
        workers x intervals), of lengths and of the size.
        """
        self._price = 1.0
        self._costs = np.broadcast_to(computing, self._costs.shape)
        self._sends = np.broadcast_to(sending, self._costs.shape)
        self._program.set_costs(self._columns, self._route_costs(self._routes))
        self._stock.aim(np.zeros((len(self.ideal), self._intervals)))
        self._program.set_costs(self._lengths, np.broadcast_to(lengths, self._intervals))
        self._program.set_costs(self._size, np.array([size]))

    def _largest_energy(self) -> float:
        """The scale of energies in the program."""
        bag, worker = np.nonzero(self._rows.can_run)
        of_bags = np.abs(self.work.counts[bag] * self.work.joules[bag, worker])
        return max(float(of_bags.max(initial=0.0)), self.work.idle_power * self._rows.second) or 1.0

    def _set(self, epochs: Epochs, rates: FloatArray, constants: FloatArray) -> None:
        program, routes = self._program, self._routes
        self._epochs = epochs
        program.set_coefficients(self._rows.length, int(self._size[0]), -rates / self._rows.second)
        constants = constants / self._rows.second
        program.set_row_bounds(self._rows.length, constants, constants)
        open_ = (routes.sent >= epochs.first[routes.bag]) & (
            routes.computed <= epochs.last[routes.bag]
        )
        if len(self._columns):
            program.set_column_bounds(self._columns, 0.0, np.where(open_, np.inf, 0.0))
        self._stock.keep_to(epochs)
        bag, interval, worker = np.nonzero(
            self._epochs.windows[:, :, None] & self._rows.can_run[:, None, :]
        )
        self._add(Routes(bag, worker, interval, interval))

    def _add(self, routes: Routes) -> int:
        """Add those that are not there yet; returns how many."""
        routes = routes.where(~np.isin(self._numbers(routes), self._numbers(self._routes)))
        bounded = self._rows.memory[routes.worker, -1] >= 0
        waits = routes.computed - routes.sent
        for wait in np.unique(waits).tolist():
            self._add_alike(routes.where((waits == wait) & ~bounded), 0)
            self._add_alike(routes.where((waits == wait) & bounded), wait)
        return len(routes.bag)

    def _numbers(self, routes: Routes) -> IntArray:
        shape = (*self.work.seconds.shape, self._intervals, self._intervals)
        return np.ravel_multi_index(tuple(routes), shape)

    def _add_alike(self, routes: Routes, dates: int) -> None:
        """Add routes on which tasks fill memory at so many dates."""
        if not len(routes.bag):
            return
        entries = self._rows.entries_of(routes, dates)
        columns = self._program.add_columns(entries, self._route_costs(routes))
        self._routes = self._routes.and_then(routes)
        self._columns = np.append(self._columns, columns)

    def _route_costs(self, routes: Routes) -> FloatArray:
        computing = self._costs[routes.bag, routes.worker, routes.computed]
        costs: FloatArray = computing + self._sends[routes.bag, routes.worker, routes.sent]
        return costs

    def _routes_that_pay(self, solution: ProgramSolution) -> Routes:
        """For each bag and worker, the route of the least reduced cost, if it is below 0."""
        rows, windows = self._rows, self._epochs.windows
        uses = rows.link_use, rows.cpu_use, rows.master_use, rows.bytes_use
        cheapest = rows.prices(solution).cheapest_routes(*uses, windows, self._sends)
        costs = np.where(rows.can_run[:, :, None], cheapest.costs + self._costs, np.inf)
        best = costs.argmin(axis=2)
        least = np.take_along_axis(costs, best[:, :, None], axis=2)[:, :, 0]
        gains = solution.duals[rows.done]
        bag, worker = np.nonzero(least < gains[:, None] - SOLVED_ZERO)
        computed = best[bag, worker]
        return Routes(bag, worker, cheapest.sent[bag, worker, computed], computed)

    def _result(self, solution: ProgramSolution) -> RouteShares:
        used = solution.values[self._columns] > 0
        second, byte = self._rows.second / self._price, self._rows.byte / self._price
        return RouteShares(
            self._epochs,
            float(solution.values[self._size][0]),
            self._routes.where(used),
            solution.values[self._columns][used],
            self._rows.prices(solution).in_units(second, byte),
            solution.values[self._lengths] * self._rows.second,
        )


def _minimised(program: Program, feasible: bool) -> ProgramSolution:
    """The optimum, within the first tolerance with which the solver does not fail; with one try if
    it is not sure that there is one. Raises `Infeasible` and `SolverFailed`.
    """
    if not feasible:
        return _within(program, SOLVER, ("off",), feasible=False)
    for tolerance in _TOLERANCES[:-1]:
        with suppress(SolverFailed):
            return _within(program, tolerance, _WARM_THEN_COLD)
    return _within(program, _TOLERANCES[-1], _WARM_THEN_COLD)


def _within(
    program: Program, tolerance: float, presolve: tuple[str, ...], *, feasible: bool = True
) -> ProgramSolution:
    program.set_options(
        primal_feasibility_tolerance=tolerance, dual_feasibility_tolerance=tolerance
    )
    return program.minimise(presolve, feasible=feasible)


def _refuse_too_many(runnable: IntArray, workers: int, intervals: int) -> None:
    """Raise `InvalidInput` if there are more routes within intervals than memory is for; a bag is
    open in about half of all intervals.
    """
    routes = int(runnable.sum()) * intervals // 2
    if routes > _MOST_ROUTES:
        message = (
            f"{counted(len(runnable), 'bag')} on {counted(workers, 'unlike machine type')} make "
            f"about {routes:,} shares to be computed at once, and {_MOST_ROUTES:,} are allowed; "
            "release together what is released nearly together, or give machine types that are "
            "nearly alike the same times, powers, links and memory"
        )
        raise InvalidInput([Problem("", "", "", message)])


class StockColumns:
    """The columns of the stock of some work, in a program of which `cpus` are the rows of machines
    and `memory` those of what waits (workers x intervals; -1: no limit), in so many seconds and
    bytes.
    """

    def __init__(
        self,
        program: Program,
        work: BagWork,
        cpus: IntArray,
        memory: IntArray,
        units: tuple[float, float],
    ) -> None:
        self._program, self._work = program, work
        self._bag, self._worker = bag, worker = np.nonzero(work.stock > 0)
        intervals = cpus.shape[1]
        self._columns = np.empty((len(bag), intervals), np.int64)
        if not len(bag):
            return
        second, byte = units
        done = program.add_rows(np.ones(len(bag)), 1.0)
        cpu_use = work.stock_seconds[bag, worker] / second
        bytes_use = (work.stock * work.data[:, None])[bag, worker] / byte
        bounded = memory[worker, -1] >= 0
        for interval in range(intervals):
            for held in (False, True):
                pairs = np.flatnonzero(bounded == held)
                if not len(pairs):
                    continue
                at = worker[pairs]
                entries: list[Entries] = [(done[pairs], 1.0), (cpus[at, interval], cpu_use[pairs])]
                if held:
                    dates = range(1, interval + 1)
                    entries += [(memory[at, date], bytes_use[pairs]) for date in dates]
                self._columns[pairs, interval] = program.add_columns(entries)

    def keep_to(self, epochs: Epochs) -> None:
        """Compute nothing after the deadline of its bag."""
        if self._columns.size:
            open_ = epochs.windows[self._bag]
            most = np.where(open_, np.inf, 0.0).ravel()
            self._program.set_column_bounds(self._columns.ravel(), 0.0, most)

    def aim(self, costs: FloatArray) -> None:
        """Let the tasks of a bag cost so much together, by the interval in which they are computed
        (bags x intervals).
        """
        if self._columns.size:
            parts = (self._work.stock / self._work.tasks[:, None])[self._bag, self._worker]
            costs = costs[self._bag] * parts[:, None]
            self._program.set_costs(self._columns.ravel(), costs.ravel())
