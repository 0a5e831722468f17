"""An integer program over the pairs that could be in a better schedule, by HiGHS.

At the bound's prices a task on machine type j wastes `waste_ij`. A schedule better than the one
at hand wastes less, in all, than its gap; so pairs that waste more than the gap are out of it for
certain, and the cheapest few a task are most likely in it. Restricted to those, and started from
the schedule at hand, branch and bound finds in seconds what it would not find in hours.
"""

from collections.abc import Callable

import highspy
import numpy as np
from highspy.highs import HighsCallbackEvent

from core.arrays import FloatArray, IntArray
from core.highs import makespan_program, silent_highs


def branch(
    seconds: FloatArray,
    waste: FloatArray,
    counts: IntArray,
    *,
    pairs_per_task: float,
    limit: float,
    seed: int,
    should_stop: Callable[[], bool],
) -> IntArray:
    """Counts with a makespan at most that of `counts`, after `limit` seconds or when proven best.

    `seconds[i, m]` (relative to the bound; infinity where impossible), `waste[i, m]` (as a share of
    the bound) are by task type and single machine, as is `counts[m, i]`.
    """
    makespan = float((counts.T * np.where(np.isfinite(seconds), seconds, 0.0)).sum(axis=0).max())
    choices = int(pairs_per_task * len(seconds))
    ranked = np.sort(waste[np.isfinite(seconds)])
    dearest = min(makespan - 1.0, float(ranked[min(choices, len(ranked) - 1)]))
    task, machine = np.nonzero((np.isfinite(seconds) & (waste <= dearest)) | (counts.T > 0))
    lp = makespan_program(
        task, machine, seconds[task, machine], counts.sum(axis=0), counts.shape[0], whole=True
    )

    def interrupt_if_asked(event: HighsCallbackEvent) -> None:
        if should_stop():
            event.interrupt()

    highs = silent_highs()
    highs.setOptionValue("time_limit", limit)
    # Presolve spends a good part of the seconds and finds nothing: every row already is a choice.
    highs.setOptionValue("presolve", "off")
    highs.setOptionValue("random_seed", seed)
    highs.passModel(lp)
    start = highspy.HighsSolution()
    start.col_value = [*counts[machine, task].astype(float), makespan]
    highs.setSolution(start)
    highs.cbMipInterrupt.subscribe(interrupt_if_asked)
    highs.run()
    if highs.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return counts
    found = np.zeros_like(counts)
    found[machine, task] = np.rint(np.array(highs.getSolution().col_value)[:-1])
    return found if (found.sum(axis=0) == counts.sum(axis=0)).all() else counts
