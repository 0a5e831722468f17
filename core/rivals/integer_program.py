"""The assignment problem as a plain integer program, handed to HiGHS as it stands.

    minimise    MS
    subject to  sum_k n_ik = T_i                  each task type is done
                sum_i n_ik ETC_ik <= MS           each single machine
                n_ik = 0, 1, 2, ...               tasks of type i on machine k

It gets no hint, bound or start from us. Values come back rounded to
whole numbers, and the makespan is computed anew from them.
"""

import highspy
import numpy as np

from core.lp.highs import makespan_program, silent_highs
from core.model.budget import Budget, NoScheduleFound
from core.model.schedule import Schedule
from core.model.system import System
from core.rivals import machines


def integer_program(system: System, budget: Budget) -> Schedule:
    """The best schedule that HiGHS finds in time.

    HiGHS has one pool of threads a process: no other HiGHS may run in it meanwhile.
    """
    kinds = machines.kinds(system)
    needed = np.flatnonzero(system.task_counts)
    row, machine = np.nonzero(system.can_run[np.ix_(needed, kinds)])
    task = needed[row]

    def interrupt_if_asked(event: highspy.HighsCallbackEvent) -> None:
        if budget.should_stop():
            event.interrupt()

    highspy.Highs.resetGlobalScheduler(True)
    highs = silent_highs()
    highs.setOptionValue("threads", budget.threads)
    highs.setOptionValue("mip_rel_gap", 0.0)
    # Time in units of an even spread over the machines' fastest times, hence a makespan of about 1.
    counts = system.task_counts[needed]
    fastest = np.where(system.can_run, system.etc, np.inf).min(axis=1)
    even_spread = float(counts @ fastest[needed]) / system.machines
    load = system.etc[task, kinds[machine]] / even_spread
    highs.passModel(makespan_program(row, machine, load, counts, system.machines, whole=True))
    highs.cbMipInterrupt.subscribe(interrupt_if_asked)
    budget.check("the model for HiGHS was being built")
    highs.setOptionValue("time_limit", budget.left)
    highs.run()
    if highs.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        budget.check("HiGHS was looking for its first schedule")
        status = highs.modelStatusToString(highs.getModelStatus())
        raise NoScheduleFound(f"HiGHS ended without a schedule: {status}")
    found = np.array(highs.getSolution().col_value)[:-1]
    tasks = np.zeros((system.machines, len(system.task_types)), np.int64)
    tasks[machine, task] = np.rint(found)
    return machines.schedule(system, tasks)
