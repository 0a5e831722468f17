"""Whole tasks on machine types within an energy limit, by a small integer program.

What the linear program splits between machine types is rounded best together: an unlucky task on
one type can be made up for on another. How the machines of a type share its tasks is left to
assignment and polish.

    minimise    MS
    subject to  sum_j n_ij = T_i                           each task type is done
                sum_i n_ij ETC_ij <= M_j MS                each machine type
                sum_ij n_ij d_ij + idle power MS <= limit  joules
                n_ij = 0, 1, 2, ...                        tasks of type i on machine type j
"""

import numpy as np

from core.lp.program import Program
from core.model.arrays import FloatArray, IntArray
from core.model.system import System

# Each task type has this many columns, the least wasteful. More make the program slower, and its
# answers no better.
_CHOICES = 9
_RELATIVE_GAP = 1e-5
# Beyond, rounding one by one is as good, and whole numbers are beyond the solver's tolerances.
_MOST_TASKS = 10**6


def place_within(
    system: System,
    waste: FloatArray,
    energy_limit: float,
    seconds: float,
) -> IntArray | None:
    """Tasks of each type on each machine type: of least makespan within so many joules, after so
    many seconds of search or when proven best. None if none was found.

    `waste[i, j]` is what a task costs more there than at best, infinite where it cannot run: of
    many pairs the least wasteful are considered.
    """
    if system.tasks > _MOST_TASKS:
        return None
    machines = system.machine_counts
    least = np.sort(waste, axis=1)[:, : min(_CHOICES, len(machines))]
    task, machine = np.nonzero((waste <= least[:, -1:]) & np.isfinite(waste))
    joules = system.dynamic_energy[task, machine]
    most_joules = float(np.abs(joules).max(initial=0.0)) or 1.0
    unit = float(system.etc[task, machine].max())
    # Joules that all machines draw idling for the unit of time.
    idle = system.total_idle_power * unit
    load = system.etc[task, machine] / machines[machine] / unit
    counts = system.task_counts
    program = Program(time_limit=seconds, mip_rel_gap=_RELATIVE_GAP)
    done = program.add_rows(counts, counts)
    busy = program.add_rows(-np.inf, np.zeros(len(machines)))
    drawn = program.add_rows(-np.inf, energy_limit / most_joules)
    # Rows imply the bounds, but whole numbers need them said.
    cells = program.add_columns(
        [
            (done[task], 1.0),
            (busy[machine], load),
            (np.full(len(task), drawn), joules / most_joules),
        ],
        upper=counts[task],
        whole=True,
    )
    program.add_columns([(busy[None, :], -1.0), (drawn[None, :], idle / most_joules)], costs=1.0)
    solution = program.search()
    if solution is None:
        return None
    placed = np.zeros(waste.shape, np.int64)
    placed[task, machine] = np.rint(solution.values[cells])
    return placed if (placed.sum(axis=1) == system.task_counts).all() else None
