"""The assignment problem as a plain integer program for HiGHS.

    minimise    MS
    subject to  sum_k n_ik = T_i                  each task type is done
                sum_i n_ik ETC_ik <= MS           each single machine
                n_ik = 0, 1, 2, ...               tasks of type i on machine k

It gets no hint, bound or start from Wattfront. Its values are rounded to whole numbers, and the
makespan is computed again from them.
"""

import numpy as np

from core.engines.lp.program import Program, end_threads
from core.engines.rivals.rival import machine_kinds, schedule_of_machines
from core.vocabulary.budget import Budget, NoScheduleFound
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


def integer_program(system: System, budget: Budget) -> Schedule:
    """The best schedule that HiGHS finds in time.

    HiGHS has one pool of threads for each process, so no other HiGHS may run in it meanwhile.
    """
    kinds = machine_kinds(system)
    needed = np.flatnonzero(system.task_counts)
    row, machine = np.nonzero(system.can_run[np.ix_(needed, kinds)])
    task = needed[row]

    # The unit of time spreads the tasks' fastest times evenly over machines, so the makespan is
    # about 1.
    counts = system.task_counts[needed]
    fastest = np.where(system.can_run, system.etc, np.inf).min(axis=1)
    even_spread = float(counts @ fastest[needed]) / system.machines
    load = system.etc[task, kinds[machine]] / even_spread
    end_threads()
    program = Program(threads=budget.threads, mip_rel_gap=0.0)
    done = program.add_rows(counts, counts)
    busy = program.add_rows(-np.inf, np.zeros(system.machines))
    # The rows imply the bounds, but the search for whole numbers needs them explicitly.
    cells = program.add_columns(
        [(done[row], 1.0), (busy[machine], load)], upper=counts[row], whole=True
    )
    program.add_columns([(busy[None, :], -1.0)], costs=1.0)
    budget.check("the model for HiGHS was being built")
    program.set_options(time_limit=budget.left)
    solution = program.search(budget.should_stop)
    if solution is None:
        budget.check("HiGHS was looking for its first schedule")
        raise NoScheduleFound(f"HiGHS ended without a schedule: {program.status}")
    tasks = np.zeros((system.machines, len(system.task_types)), np.int64)
    tasks[machine, task] = np.rint(solution.values[cells])
    return schedule_of_machines(system, tasks)
