"""The divisible-load linear program: tasks may be split, and the optimum bounds every schedule.

    minimise    sum_ij mu_ij c_ij + p MS
    subject to  sum_j mu_ij = T_i                        each task type is done
                sum_i mu_ij ETC_ij <= M_j MS             no machine type works beyond the makespan
                mu >= 0

It is solved by the dual simplex method, so an optimum is a vertex: at most (task types + machine
types) cells are in use, and rounding changes few.

HiGHS gets it in a form in which no two large terms cancel: the waiting time of a machine type is a
column, and energy is that of working plus that of waiting. It is also scaled: columns are fractions
of a task type; the unit of time and cost is what the task types take one after the other, each
spread over its best machine types, which is at most (task types) times the optimum.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.engines.lp.program import Program
from core.engines.relaxed.certificate import MAKESPAN, Objective, proven_bound
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System
from core.vocabulary.tolerances import (
    LARGEST_COEFFICIENT,
    LEAST_COEFFICIENT,
    NOT_DIVISIBLE,
    SOLVED_ZERO,
    SOLVER,
    TRACE,
)


@dataclass(frozen=True, eq=False)
class Bound:
    """A lower bound on all schedules, and the divisible schedule that attains it (nearly).

    `value` is proven (see `core.engines.relaxed.certificate`), in the unit of `objective`.
    `placed[i, j]` is the (fractional) number of tasks of type i on machine type j in the optimum,
    `prices` the machine prices of the proof.
    """

    system: System
    objective: Objective
    value: float
    placed: FloatArray
    prices: FloatArray

    @cached_property
    def finish(self) -> FloatArray:
        """Seconds after which each machine type is done, if its machines share its work equally."""
        seconds = np.where(self.placed > 0, self.system.etc, 0.0)
        work: FloatArray = np.einsum("ij,ij->j", self.placed, seconds)
        machines = self.system.machine_counts
        return np.divide(work, machines, out=np.zeros(len(work)), where=machines > 0)

    @property
    def makespan(self) -> float:
        """Seconds of the divisible schedule."""
        return float(self.finish.max())

    @property
    def energy(self) -> float:
        """Joules of the divisible schedule."""
        joules = np.where(self.placed > 0, self.system.dynamic_energy, 0.0)
        busy = float(np.einsum("ij,ij->", self.placed, joules))
        return busy + self.system.total_idle_power * self.makespan


def lower_bound(system: System, objective: Objective, then: Objective | None = None) -> Bound:
    """The optimum of `objective`; if there are several, the best of them for `then`, where given.

    The bound's value is the proven one of `objective`.
    """
    program = DivisibleProgram(system)
    program.minimise(objective)
    prices = program.machine_prices()
    if then is not None:
        program.stay_optimal()
        program.minimise(then)
    return Bound(
        system, objective, proven_bound(system, objective, prices), program.placed(), prices
    )


class DivisibleProgram:
    """The program of one system; costs may change between solves, and the basis is reused.

    Its columns are the fraction of each task type on each machine type, the waiting time of each
    machine type, and the makespan. Its rows say that each task type is done, and that working and
    waiting together last as long as the makespan. A solve of more than `seconds` raises
    `SolverFailed`.
    """

    def __init__(self, system: System, seconds: float = np.inf) -> None:
        self.system = system
        cells = system.can_run & (system.task_counts > 0)[:, None]
        self.task, self.machine = (index.astype(np.int64) for index in np.nonzero(cells))
        # Seconds that all tasks of a type take on one machine type alone.
        self.load = np.full(cells.shape, np.inf)
        np.multiply(system.etc, system.task_counts[:, None], out=self.load, where=cells)
        np.divide(self.load, system.machine_counts, out=self.load, where=cells)
        self.time_scale = self._in_turn(MAKESPAN)
        self.capped = self.load[self.task, self.machine] > LARGEST_COEFFICIENT * self.time_scale
        self.program = Program(
            time_limit=seconds,
            primal_feasibility_tolerance=SOLVER,
            dual_feasibility_tolerance=SOLVER,
            small_matrix_value=LEAST_COEFFICIENT,
            solver="simplex",
        )
        there = (system.task_counts > 0).astype(float)
        done = self.program.add_rows(there, there)
        time = self.program.add_rows(np.zeros(cells.shape[1]), 0.0)
        share = np.minimum(
            self.load[self.task, self.machine] / self.time_scale, LARGEST_COEFFICIENT
        )
        self.cells = self.program.add_columns([(done[self.task], 1.0), (time[self.machine], share)])
        self.waiting = self.program.add_columns([(time, 1.0)])
        self.makespan = self.program.add_columns([(time[None, :], -1.0)])

    def minimise(self, objective: Objective) -> None:
        """Solve for `objective`, starting from the basis of the last solve."""
        system = self.system
        scale = self._in_turn(objective)
        if scale < NOT_DIVISIBLE:
            # Where work costs nothing while no machine waits, only waiting has a size.
            scale = max(objective.price_of_time(system) * self.time_scale, NOT_DIVISIBLE)
        self.price_scale = scale / self.time_scale
        work = objective.work_costs(system)[self.task, self.machine]
        work = work * system.task_counts[self.task] / scale
        self.capped |= work > LARGEST_COEFFICIENT
        waiting = objective.waiting_prices(system) * system.machine_counts / self.price_scale
        makespan = objective.makespan / self.price_scale
        costs = np.minimum(np.concatenate([work, waiting, [makespan]]), LARGEST_COEFFICIENT)
        costs[costs < LEAST_COEFFICIENT] = 0.0
        columns = np.concatenate([self.cells, self.waiting, self.makespan])
        self.program.set_costs(columns, costs)
        # Presolve finds nothing to remove and takes a fifth of the time, so it is off at first. A
        # cold start with it has solved programs that were too ill-conditioned without it.
        self.solution = self.program.minimise(presolve=("off", "on"))

    def _in_turn(self, objective: Objective) -> float:
        """The value of `objective` if the task types run one after another.

        Each type is spread over the machine types where it costs least, over as many as is best,
        which all work until it is done.
        """
        system = self.system
        rows = system.task_counts > 0
        order = np.argsort(objective.task_costs(system)[rows], axis=1)
        speed = 1 / np.take_along_axis(self.load[rows], order, axis=1)
        work = np.take_along_axis(objective.work_costs(system)[rows], order, axis=1)
        work = np.where(speed > 0, work, 0.0) * system.task_counts[rows, None] * speed
        waiting = (objective.waiting_prices(system) * system.machine_counts)[order]
        still_waiting = np.cumsum(waiting[:, ::-1], axis=1)[:, ::-1] - waiting
        rate = objective.makespan + np.cumsum(work, axis=1) + still_waiting
        return float((rate / np.cumsum(speed, axis=1)).min(axis=1).sum())

    def stay_optimal(self) -> None:
        """Confine the program to the optima of the last solve, by complementary slackness."""
        unused = np.flatnonzero(self.solution.reduced_costs > SOLVED_ZERO)
        self.program.set_column_bounds(unused, 0.0, 0.0)

    def machine_prices(self) -> FloatArray:
        """The price of a machine-second of each machine type: the dual of its waiting time."""
        machines = self.system.machine_counts
        worth = np.maximum(self.solution.reduced_costs[self.waiting], 0.0) * self.price_scale
        return np.where(machines > 0, worth / np.maximum(machines, 1), 0.0)

    def placed(self) -> FloatArray:
        """Tasks of each type on each machine type; rows sum to the counts, but for rounding."""
        solution = self.solution.values[self.cells]
        fractions = np.where(self.capped & (solution < TRACE), 0.0, np.maximum(solution, 0.0))
        placed: FloatArray = np.zeros(self.system.etc.shape)
        placed[self.task, self.machine] = fractions
        total = placed.sum(axis=1, keepdims=True)
        np.divide(placed, total, out=placed, where=total > 0)
        placed *= self.system.task_counts[:, None]
        return placed
