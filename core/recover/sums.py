"""What the tasks on single machines add up to: what each machine takes, what all of them cost.

`counts[m, i]` is how many tasks of type i machine m runs, `machine_type[m]` its type. What a task
takes or costs on a machine that runs none of it does not matter, and may be infinite.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engine.compiled import Kernel


def load_kernels() -> None:
    """See `core.kernels`."""
    one, none = np.ones((1, 1)), np.zeros((1, 1), np.int64)
    loads_of(none, one, none[0])
    cost_of(none, one, none[0])


@Kernel
def loads_of(counts, seconds, machine_type):
    """The time that each machine takes, `seconds[i, j]` a task of type i on machine type j."""
    loads = np.zeros(len(counts))
    for machine in range(counts.shape[0]):
        kind = machine_type[machine]
        for task in range(counts.shape[1]):
            if counts[machine, task] > 0:
                loads[machine] += counts[machine, task] * seconds[task, kind]
    return loads


@Kernel
def cost_of(counts, costs, machine_type):
    """What all tasks cost, `costs[i, j]` a task of type i on machine type j."""
    paid = 0.0
    for machine in range(counts.shape[0]):
        for task in range(counts.shape[1]):
            if counts[machine, task] > 0:
                paid += counts[machine, task] * costs[task, machine_type[machine]]
    return paid
