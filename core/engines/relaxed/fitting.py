"""A lower bound on the makespan from whole tasks: hardly any set of tasks exactly fills a machine.

Let task i have the value v_i wherever it runs. Within T seconds machine m then earns at most

    K_m(T), the largest value of any set of tasks that it can run in T seconds,

so T is too short while sum_m K_m(T) < sum_i v_i, and any values prove a bound. At prices p_m of the
machines' time, the values v_i = min_m p_m t_im prove the divisible bound. Higher values for tasks
that hardly fit anywhere prove more: with whole tasks machines cannot earn their price, but must
idle or run tasks that fit others better. The method is subgradient ascent: values rise for tasks
that are in no machine's best set, and fall for those that are in several; the length of each step
is the amount that the bound lacks.

A machine's best set differs by few tasks from the set of all tasks with a gain. A table finds the
tasks that leave or enter at least cost, up to a limit, for all makespans at once. The durations of
these tasks are rounded to a grid in the machine's favour, so the proof holds.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from core.engines.compute.compiled import Kernel
from core.engines.relaxed.certificate import MAKESPAN
from core.engines.relaxed.program import Bound
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget, never
from core.vocabulary.system import System
from core.vocabulary.tolerances import CELL_ROUNDING, FITTING_ROUNDING

MOST_FITTING: Final = 30.0
"""The most units of work that are spent; the last round may take as many again. Opening a study
file takes the same work again.
"""
# The constants below were found by trial; `python -m benchmarks single-tasks` measures their
# results. This is the share of a method's budget that the bound gets.
_SHARE: Final = 0.15
# With more tasks, or more cells of a table, the tables take too long.
_MOST_TASKS: Final = 1_000
_MOST_CELLS: Final = 60_000_000
# The makespan of the divisible bound is _GRID cells long; sets may be _BEYOND cells longer than the
# aim.
_GRID: Final = 20_000
_BEYOND: Final = 40
_ROUNDS: Final = 150
# Sets that cost more than a limit above the cheapest one are left out. The limit is a share of the
# bound: the first one, the least one, and the next one in multiples of the cost of the best set
# found.
_FIRST_LIMIT: Final = 5e-4
_LEAST_LIMIT: Final = 1e-4
_LIMITS: Final = 2.5
# Each step aims at a makespan above the proven one by a share: the first share, the least share,
# and the factor by which it falls after _PATIENCE steps without progress.
_FIRST_AIM: Final = 0.2
_LEAST_AIM: Final = 0.01
_AIM_FALLS: Final = 0.7
_PATIENCE: Final = 5
# A step keeps this share of the last step's direction, and goes this share of a cell further than
# needed.
_MOMENTUM: Final = 0.5
_TOO_FAR: Final = 0.2
# Steps of the kernel in a unit of work, roughly.
_CELLS_A_UNIT: Final = 3.5e8
# A round that may take more units of work than this needs a budget that has as many left.
_LONG_ROUND: Final = 1.0


@dataclass(frozen=True, slots=True)
class Fitted:
    """A proof that no schedule of the system has a makespan below `soonest` seconds. It took
    `units` of work; the same work finds the same again.
    """

    system: System
    soonest: float
    units: float


def fitted(
    bound: Bound, units: float, threads: int = 1, should_stop: Callable[[], bool] = never
) -> Fitted | None:
    """The bound on the makespan raised by so many units of work, on any number of threads. None
    unless `has_single_tasks`, and if the work is not enough for one round.
    """
    system = bound.system
    if bound.objective != MAKESPAN or not has_single_tasks(system) or bound.makespan <= 0:
        return None
    a_round = system.etc.size * _GRID / _CELLS_A_UNIT
    if a_round > max(units, _LONG_ROUND):
        return None
    worths = Worths(bound)
    with ThreadPoolExecutor(threads) as pool:
        while worths.hopeful and worths.units < units and not should_stop():
            worths.improve(pool)
    spent = worths.units if a_round <= _LONG_ROUND else max(worths.units, a_round)
    return Fitted(system, max(bound.value, worths.soonest), spent)


def fitted_within(budget: Budget, bound: Bound) -> Fitted | None:
    """The same for a share of a budget, counted as work, so that a busy computer proves as much."""
    units = min(_SHARE * budget.seconds * budget.threads, MOST_FITTING)
    found = fitted(bound, units, budget.threads, budget.should_stop)
    if found is not None:
        budget.spend(found.units)
    return found


def has_single_tasks(system: System) -> bool:
    """Whether every task and every machine has a type of its own, and there are not too many."""
    return (
        len(system.task_types) <= _MOST_TASKS
        and len(system.machine_types) > 1
        and int(system.task_counts.max(initial=0)) == 1
        and int(system.machine_counts.max(initial=0)) == 1
    )


class Worths:
    """The values of tasks, improved step by step. Times are in makespans of the divisible bound,
    values and costs are shares of it. No schedule has a makespan below 1 + `proven` cells; that
    took `units` of work.
    """

    def __init__(self, bound: Bound) -> None:
        system = bound.system
        self.unit = bound.makespan
        tasks, machines = system.task_counts > 0, system.machine_counts > 0
        runs = system.can_run[tasks][:, machines]
        self.seconds = np.where(runs, system.etc[tasks][:, machines], 0.0) / self.unit
        self.prices = bound.prices[machines] / bound.prices[machines].sum()
        self.priced = np.where(runs, self.prices * self.seconds, np.inf)
        costs = np.sort(np.column_stack([self.priced, np.full(len(runs), np.inf)]), axis=1)
        # The extra cost of a task's second best machine is shared equally by both machines.
        self.worth = costs[:, 0] + np.minimum(costs[:, 1] - costs[:, 0], _FIRST_LIMIT) / 2
        self.limits = np.full(len(self.prices), _FIRST_LIMIT)
        self.direction = np.zeros(len(self.worth))
        self.proven = 0
        self.aim = _FIRST_AIM
        self.rounds = self.vain = 0
        self.units = 0.0

    @property
    def soonest(self) -> float:
        """Seconds that no schedule gets below."""
        return (
            self.unit * (1 + self.proven / _GRID) * (1 - FITTING_ROUNDING) if self.proven else 0.0
        )

    @property
    def hopeful(self) -> bool:
        """Whether another step may prove more."""
        return self.rounds < _ROUNDS and self.aim > _LEAST_AIM

    def improve(self, pool: ThreadPoolExecutor) -> None:
        """Find every machine's best set, raise the proven makespan, and change the values."""
        aimed = self.proven + max(round(self.aim * self.proven), 1)
        longest = aimed + _BEYOND
        # From the longest makespan down to the proven one.
        cells = np.arange(longest, self.proven - 1, -1)
        # By how much the value of all tasks exceeds what machines earn; and for each task, how many
        # best sets contain it, less one.
        lacks = self.worth.sum() - (1 + cells / _GRID)
        held = np.full(len(self.worth), -1)
        asked = partial(self._best, longest=longest, aimed=aimed)
        for costs, best, cells_seen in pool.map(asked, range(len(self.prices))):
            lacks += costs
            held += best
            self.units += cells_seen / _CELLS_A_UNIT
        self.rounds += 1
        reached = int(cells[lacks > FITTING_ROUNDING].max(initial=0))
        self.vain = 0 if reached > self.proven else self.vain + 1
        self.proven = max(self.proven, reached)
        if self.vain == _PATIENCE:
            self.aim, self.vain = self.aim * _AIM_FALLS, 0
        self.direction = held + _MOMENTUM * self.direction
        length = float(self.direction @ self.direction)
        step = max(_TOO_FAR / _GRID - float(lacks[longest - aimed]), 0.0)
        if length > 0:
            self.worth = self.worth - step / length * self.direction

    def _best(self, machine: int, longest: int, aimed: int) -> tuple[FloatArray, IntArray, int]:
        """By how much the machine earns less than its price at least, within each makespan from the
        longest down to the proven one; whether its best set within `aimed` has each task; and how
        many cells of a table that took.
        """
        seconds, price = self.seconds[:, machine], self.prices[machine]
        costs = self.priced[:, machine] - self.worth
        gains = costs < 0
        limit = self.limits[machine]
        near = np.flatnonzero(np.abs(costs) <= limit)
        near = near[np.argsort(~gains[near], kind="stable")]
        leaves = gains[near]
        in_cells = seconds[near] * _GRID
        load = float(seconds[gains].sum())
        least, changes, cells = _fit(
            np.where(leaves, np.ceil(in_cells), np.floor(in_cells)).astype(np.int64),
            int(leaves.sum()),
            # The machine's time costs its price, used or not: a task that enters saves that.
            np.abs(costs[near]) + price * np.where(leaves, seconds[near], -seconds[near]),
            int(np.floor((1 - load) * _GRID + CELL_ROUNDING)) + longest,
            longest - self.proven,
            longest - aimed,
        )
        idle = 1 + np.arange(longest, self.proven - 1, -1) / _GRID - load
        # A set that changes any other task costs more than the limit.
        least = np.clip(least + price * idle, 0.0, limit)
        self.limits[machine] = max(_LEAST_LIMIT, _LIMITS * float(least[longest - aimed]))
        best = gains.astype(np.int64)
        best[near[changes]] ^= 1
        return float(costs[gains].sum()) + least, best, int(cells)


def load_kernels() -> None:
    """See `core.engines.kernels`."""
    _fit(np.ones(1, np.int64), 1, np.ones(1), 0, 1, 0)


@Kernel
def _fit(cells, leaving, costs, room, fewer, asked):
    """The least cost of tasks that leave (the first `leaving`) or enter, if they take at most
    `room` cells in all, one less, and so on down to `fewer` less; which tasks change in the best
    set that takes `asked` cells less than `room`; and how many cells the table has. If the room
    cannot be reached, the cost is infinite and no task changes. Costs may be negative, because of
    the price of time.
    """
    down = cells[:leaving].sum()
    size = down + max(room, 0) + 1
    found = np.full(fewer + 1, np.inf)
    changes = np.zeros(len(cells), np.bool_)
    if size * len(cells) > _MOST_CELLS:
        found[:] = -np.inf
        return found, changes, fewer + 1
    # Cell x of a row holds the least cost of tasks that take x - down cells.
    least, other = np.full(size, np.inf), np.full(size, np.inf)
    least[down] = 0.0
    changed = np.zeros((len(cells), size), np.bool_)
    for task in range(len(cells)):
        row = changed[task]
        moved = min(cells[task], size)
        begin, end = (moved, 0) if task < leaving else (0, moved)
        other[:] = least
        for x in range(size - moved):
            cost = least[begin + x] + costs[task]
            row[end + x] = cost < other[end + x]
            other[end + x] = min(cost, other[end + x])
        least, other = other, least
    best, place, x = np.inf, -1, 0
    for less in range(fewer, -1, -1):
        while x <= min(down + room - less, size - 1):
            if least[x] < best:
                best, place = least[x], x
            x += 1
        found[less] = best
        if less == asked:
            chosen = place
    for task in range(len(cells) - 1, -1, -1):
        if chosen >= 0 and changed[task, chosen]:
            changes[task] = True
            chosen += cells[task] if task < leaving else -cells[task]
    return found, changes, size * len(cells)
