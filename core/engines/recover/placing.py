"""Whole tasks on machine types within an energy limit, by a small integer program.

It is best to round all task types together, because a task that is rounded the wrong way on one
machine type can be made up for on another. Assignment and polish decide later which machine of a
type runs which tasks.

    minimise    MS
    subject to  sum_j n_ij = T_i                           each task type is done
                sum_i n_ij ETC_ij <= M_j MS                each machine type
                sum_ij n_ij d_ij + idle power MS <= limit  joules
                n_ij = 0, 1, 2, ...                        tasks of type i on machine type j
"""

import numpy as np

from core.engines.lp.program import Program
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.system import System

# Each task type has this many columns, the least wasteful, because more make the program slower.
# The gap is where the solver stops. Both are set by judgement; `python -m benchmarks wishes`
# measures what wishes get.
_CHOICES = 9
_RELATIVE_GAP = 1e-5
# With more tasks, rounding each type for itself is as good, and whole numbers exceed the solver's
# tolerances.
_MOST_TASKS = 10**6


def place_within(
    system: System,
    waste: FloatArray,
    energy_limit: float,
    seconds: float,
) -> IntArray | None:
    """Tasks of each type on each machine type, of the least makespan within so many joules. The
    search ends when the answer is proven best, or after so many seconds. None if none was found.

    `waste[i, j]` is how much more a task costs there than on its best machine type, infinite where
    it cannot run. Of many pairs only the least wasteful are considered.
    """
    if system.tasks > _MOST_TASKS:
        return None
    machines = system.machine_counts
    least = np.sort(waste, axis=1)[:, : min(_CHOICES, len(machines))]
    task, machine = np.nonzero((waste <= least[:, -1:]) & np.isfinite(waste))
    joules = system.dynamic_energy[task, machine]
    most_joules = float(np.abs(joules).max(initial=0.0)) or 1.0
    unit = float(system.etc[task, machine].max())
    # Joules that all idle machines draw in the unit of time.
    idle = system.total_idle_power * unit
    load = system.etc[task, machine] / machines[machine] / unit
    counts = system.task_counts
    program = Program(time_limit=seconds, mip_rel_gap=_RELATIVE_GAP)
    done = program.add_rows(counts, counts)
    busy = program.add_rows(-np.inf, np.zeros(len(machines)))
    drawn = program.add_rows(-np.inf, energy_limit / most_joules)
    # The rows imply the bounds, but the search for whole numbers needs them explicitly.
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
