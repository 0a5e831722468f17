"""HiGHS as the house uses it: silent, and given its programs column by column, at once."""

import highspy
import numpy as np

from core.model.arrays import FloatArray, IntArray


def silent_highs() -> highspy.Highs:
    """A solver that prints nothing."""
    highs = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy leaves it untyped
    highs.setOptionValue("output_flag", False)
    return highs


def makespan_program(
    task: IntArray,
    machine: IntArray,
    load: FloatArray,
    amounts: FloatArray | IntArray,
    machines: int,
    *,
    whole: bool = False,
) -> highspy.HighsLp:
    """Shares of tasks on machines (or machine types) that end as soon as possible.

        minimise    MS
        subject to  sum of x over the cells of task t = amounts[t]
                    sum of load x over the cells of machine m <= MS
                    x >= 0, whole numbers if `whole`

    Cell c is the pair (task[c], machine[c]). Columns: a cell each, then MS. Rows: a task each, then
    a machine each.
    """
    cells, tasks = len(task), len(amounts)
    lp = highspy.HighsLp()
    lp.num_col_ = cells + 1
    lp.num_row_ = tasks + machines
    lp.col_cost_ = np.append(np.zeros(cells), 1.0)
    lp.col_lower_ = np.zeros(cells + 1)
    # Rows imply these bounds; whole numbers need them said, and simplex is quicker without.
    most = np.asarray(amounts, float)[task] if whole else np.full(cells, np.inf)
    lp.col_upper_ = np.append(most, np.inf)
    lp.row_lower_ = np.append(amounts, np.full(machines, -np.inf))
    lp.row_upper_ = np.append(amounts, np.zeros(machines))
    if whole:
        whole_number, real = highspy.HighsVarType.kInteger, highspy.HighsVarType.kContinuous
        lp.integrality_ = [whole_number] * cells + [real]
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.append(np.arange(cells + 1) * 2, 2 * cells + machines)
    lp.a_matrix_.index_ = np.append(
        np.column_stack([task, tasks + machine]), tasks + np.arange(machines)
    )
    lp.a_matrix_.value_ = np.append(
        np.column_stack([np.ones(cells), load]), np.full(machines, -1.0)
    )
    return lp
