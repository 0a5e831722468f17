"""The assignment problem as a plain integer program, handed to HiGHS as it stands.

    minimise    MS
    subject to  sum_k n_ik = T_i                  each task type is done
                sum_i n_ik ETC_ik <= MS           each single machine
                n_ik = 0, 1, 2, ...               tasks of type i on machine k

It gets no hint, bound or start from us. Time is scaled to about one; values come back rounded to
whole numbers, and the makespan is computed anew from them.
"""

import highspy
import numpy as np
from highspy.highs import HighsCallbackEvent

from core.budget import Budget, NoScheduleFound
from core.rivals import machines
from core.schedule import Schedule
from core.system import IntArray, System


def integer_program(system: System, budget: Budget) -> Schedule:
    """The best schedule that HiGHS finds in time.

    HiGHS has one pool of threads a process: no other HiGHS may run in it meanwhile.
    """
    kinds = machines.kinds(system)
    needed = np.flatnonzero(system.task_counts)
    row, machine = np.nonzero(system.can_run[np.ix_(needed, kinds)])
    task = needed[row]

    def interrupt_if_asked(event: HighsCallbackEvent) -> None:
        if budget.should_stop():
            event.interrupt()

    highspy.Highs.resetGlobalScheduler(True)
    highs = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy leaves it untyped
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", budget.threads)
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.passModel(_model(system, kinds, needed, row, machine))
    highs.cbMipInterrupt.subscribe(interrupt_if_asked)
    budget.check("the model for HiGHS was being built")
    highs.setOptionValue("time_limit", budget.left)
    highs.run()
    if highs.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        budget.check("HiGHS was looking for its first schedule")
        status = highs.modelStatusToString(highs.getModelStatus())
        raise NoScheduleFound(f"HiGHS ended without a schedule: {status}")
    counts = np.array(highs.getSolution().col_value)[:-1]
    tasks = np.zeros((system.machines, len(system.task_types)), np.int64)
    tasks[machine, task] = np.rint(counts)
    return machines.schedule(system, tasks)


def _model(
    system: System, kinds: IntArray, needed: IntArray, row: IntArray, machine: IntArray
) -> highspy.HighsLp:
    """Columns: a count for each pair of task type `needed[row]` and `machine`; the makespan."""
    cells, tasks = len(row), len(needed)
    counts = system.task_counts[needed].astype(float)
    seconds = system.etc[needed[row], kinds[machine]]
    fastest = np.where(system.can_run, system.etc, np.inf).min(axis=1)
    even_spread = float(counts @ fastest[needed]) / system.machines

    lp = highspy.HighsLp()
    lp.num_col_ = cells + 1
    lp.num_row_ = tasks + system.machines
    lp.col_cost_ = np.append(np.zeros(cells), 1.0)
    lp.col_lower_ = np.zeros(cells + 1)
    lp.col_upper_ = np.append(counts[row], np.inf)
    lp.integrality_ = [highspy.HighsVarType.kInteger] * cells + [highspy.HighsVarType.kContinuous]
    lp.row_lower_ = np.append(counts, np.full(system.machines, -np.inf))
    lp.row_upper_ = np.append(counts, np.zeros(system.machines))
    every_machine = tasks + np.arange(system.machines)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.append(np.arange(cells + 1) * 2, 2 * cells + system.machines)
    lp.a_matrix_.index_ = np.append(np.column_stack([row, tasks + machine]), every_machine)
    lp.a_matrix_.value_ = np.append(
        np.column_stack([np.ones(cells), seconds / even_spread]), np.full(system.machines, -1.0)
    )
    return lp
