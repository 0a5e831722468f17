"""The divisible-load linear program: tasks may be split, and the optimum bounds every schedule.

    minimise    sum_ij mu_ij c_ij + p MS
    subject to  sum_j mu_ij = T_i                        each task type is done
                sum_i mu_ij ETC_ij <= M_j MS             no machine type works beyond the makespan
                mu >= 0

It is solved by dual simplex, so an optimum is a vertex: at most (task types + machine types) cells
are in use, hence rounding touches few. Scaled before it is passed on: columns are fractions of a
task type, time is in units of a rough makespan, cost in units of a rough objective.
"""

from dataclasses import dataclass
from functools import cached_property

import highspy
import numpy as np

from core.relaxed.certificate import proven_bound
from core.relaxed.objective import Objective
from core.system import FloatArray, IntArray, System

_REDUCED_COST_IS_ZERO = 1e-9


class SolverFailed(RuntimeError):
    """The linear program has an optimum, yet the solver did not return one."""


@dataclass(frozen=True, eq=False)
class Bound:
    """What no schedule can beat, and the divisible schedule that shows how near one could come.

    `value` is proven (see `core.relaxed.certificate`), in the unit of `objective`. `placed[i, j]`
    is the (fractional) number of tasks of type i on machine type j in the optimum, `prices` the
    machine prices of the proof.
    """

    system: System
    objective: Objective
    value: float
    placed: FloatArray
    prices: FloatArray

    @cached_property
    def finish(self) -> FloatArray:
        """Seconds after which each machine type would have done its share, all machines equally."""
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
    """The optimum of `objective`; among its optima one that is best for `then`, where given.

    The bound's value is the proven one of `objective`.
    """
    program = _Program(system)
    program.minimise(objective)
    prices = program.machine_prices()
    if then is not None:
        program.stay_optimal()
        program.minimise(then)
    return Bound(
        system, objective, proven_bound(system, objective, prices), program.placed(), prices
    )


class _Program:
    """One HiGHS model of a system; costs may change between solves, and the basis is reused."""

    def __init__(self, system: System) -> None:
        self.system = system
        cells = system.can_run & (system.task_counts > 0)[:, None]
        self.task, self.machine = (index.astype(np.int64) for index in np.nonzero(cells))
        # Far from the optimum at worst by the number of machine types; it only sets the scale.
        fastest = np.where(system.can_run, system.etc, np.inf).min(axis=1)
        there = system.task_counts > 0
        self.time_scale = float(system.task_counts[there] @ fastest[there]) / system.machines
        self.price_scale = 1.0
        self.highs = highspy.Highs()
        self.highs.setOptionValue("output_flag", False)
        # Presolve finds nothing to remove here and costs a fifth of the time.
        self.highs.setOptionValue("presolve", "off")
        self.highs.setOptionValue("solver", "simplex")
        self._check(self.highs.passModel(self._model()))

    def _model(self) -> highspy.HighsLp:
        system, cells = self.system, len(self.task)
        tasks, machines = len(system.task_types), len(system.machine_types)
        lp = highspy.HighsLp()
        lp.num_col_ = cells + 1
        lp.num_row_ = tasks + machines
        lp.col_cost_ = np.zeros(cells + 1)
        lp.col_lower_ = np.zeros(cells + 1)
        lp.col_upper_ = np.full(cells + 1, np.inf)
        done = (system.task_counts > 0).astype(float)
        lp.row_lower_ = np.concatenate([done, np.full(machines, -np.inf)])
        lp.row_upper_ = np.concatenate([done, np.zeros(machines)])
        index = np.empty(2 * cells + machines, np.int32)
        index[0 : 2 * cells : 2] = self.task
        index[1 : 2 * cells : 2] = tasks + self.machine
        index[2 * cells :] = tasks + np.arange(machines)
        value = np.ones(2 * cells + machines)
        value[1 : 2 * cells : 2] = self._load()
        value[2 * cells :] = np.where(system.machine_counts > 0, -1.0, 0.0)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.append(np.arange(cells + 1) * 2, 2 * cells + machines)
        lp.a_matrix_.index_ = index
        lp.a_matrix_.value_ = value
        return lp

    def _load(self) -> FloatArray:
        """Finish time of its machine type, in time units, if a cell had all tasks of its type."""
        system = self.system
        work: FloatArray = system.task_counts[self.task] * system.etc[self.task, self.machine]
        return work / (system.machine_counts[self.machine] * self.time_scale)

    def minimise(self, objective: Objective) -> None:
        """Solve for `objective`, starting from the basis of the last solve."""
        system = self.system
        costs = objective.task_costs(system)[self.task, self.machine]
        costs = np.append(
            costs * system.task_counts[self.task],
            objective.price_of_time(system) * self.time_scale,
        )
        largest = float(np.abs(costs).max())
        self.price_scale = largest / self.time_scale if largest > 0 else 1.0
        costs /= largest if largest > 0 else 1.0
        columns: IntArray = np.arange(len(costs))
        self._check(self.highs.changeColsCost(len(costs), columns.astype(np.int32), costs))
        self._check(self.highs.run())
        status = self.highs.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverFailed(
                f"HiGHS ended with '{self.highs.modelStatusToString(status)}' on a program that "
                "always has an optimum; the range of times or counts may be too wide for it"
            )

    def stay_optimal(self) -> None:
        """Confine the program to the optima of the last solve, by complementary slackness."""
        solution = self.highs.getSolution()
        reduced = np.array(solution.col_dual)
        for column in np.flatnonzero(reduced > _REDUCED_COST_IS_ZERO):
            self._check(self.highs.changeColBounds(int(column), 0.0, 0.0))
        tasks = len(self.system.task_types)
        duals = np.array(solution.row_dual)[tasks:]
        for row in np.flatnonzero(duals < -_REDUCED_COST_IS_ZERO):
            self._check(self.highs.changeRowBounds(tasks + int(row), 0.0, 0.0))

    def machine_prices(self) -> FloatArray:
        """Prices a machine-second of each machine type, from the duals of the load rows."""
        duals = np.array(self.highs.getSolution().row_dual)[len(self.system.task_types) :]
        machines = self.system.machine_counts
        return np.divide(
            np.maximum(-duals, 0.0) * self.price_scale,
            machines,
            out=np.zeros(len(machines)),
            where=machines > 0,
        )

    def placed(self) -> FloatArray:
        """Tasks on each machine type, rows summing to the counts to within rounding."""
        system = self.system
        fractions = np.maximum(np.array(self.highs.getSolution().col_value)[:-1], 0.0)
        placed = np.zeros(system.etc.shape)
        placed[self.task, self.machine] = fractions
        total = placed.sum(axis=1, keepdims=True)
        np.divide(placed, total, out=placed, where=total > 0)
        return placed * system.task_counts[:, None]

    def _check(self, status: highspy.HighsStatus) -> None:
        if status == highspy.HighsStatus.kError:
            raise SolverFailed("HiGHS refused the linear program")
