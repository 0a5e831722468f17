"""Sums over the tasks on single machines: the load of each machine, and the cost of all tasks.

`counts[m, i]` is how many tasks of type i machine m runs, and `machine_type[m]` is its type. Times
and costs of tasks that a machine does not run are ignored, and may be infinite.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engines.compute.compiled import Kernel


def load_kernels() -> None:
    """See `core.engines.kernels`."""
    one, none = np.ones((1, 1)), np.zeros((1, 1), np.int64)
    loads_of(none, one, none[0])
    cost_of(none, one, none[0])


@Kernel
def loads_of(counts, seconds, machine_type):
    """The load of each machine, where a task of type i takes `seconds[i, j]` on machine type j."""
    loads = np.zeros(len(counts))
    for machine in range(counts.shape[0]):
        kind = machine_type[machine]
        for task in range(counts.shape[1]):
            if counts[machine, task] > 0:
                loads[machine] += counts[machine, task] * seconds[task, kind]
    return loads


@Kernel
def cost_of(counts, costs, machine_type):
    """The cost of all tasks, where a task of type i costs `costs[i, j]` on machine type j."""
    paid = 0.0
    for machine in range(counts.shape[0]):
        for task in range(counts.shape[1]):
            if counts[machine, task] > 0:
                paid += counts[machine, task] * costs[task, machine_type[machine]]
    return paid
