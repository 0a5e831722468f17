"""Whole tasks on machine types within an energy limit, by a small integer program.

What the linear program splits between machine types is rounded best together: an unlucky task on
one type can be made up for on another. How the machines of a type share its tasks is left to
assignment and polish.
"""

import highspy
import numpy as np

from core.lp.highs import makespan_program, silent_highs
from core.model.arrays import FloatArray, IntArray
from core.model.system import System

# Columns a task type, the least wasteful; more make the program slow and its answers no better.
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
    lp = makespan_program(
        task,
        machine,
        system.etc[task, machine] / machines[machine] / unit,
        system.task_counts,
        len(machines),
        whole=True,
    )
    highs = silent_highs()
    highs.setOptionValue("time_limit", seconds)
    highs.setOptionValue("mip_rel_gap", _RELATIVE_GAP)
    highs.passModel(lp)
    cells = np.arange(len(task) + 1, dtype=np.int32)
    terms = np.append(joules, idle) / most_joules
    highs.addRow(-np.inf, energy_limit / most_joules, len(cells), cells, terms)
    highs.run()
    if highs.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return None
    placed = np.zeros(waste.shape, np.int64)
    placed[task, machine] = np.rint(np.array(highs.getSolution().col_value)[:-1])
    return placed if (placed.sum(axis=1) == system.task_counts).all() else None
