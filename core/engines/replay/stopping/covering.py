"""Which jobs to stop for the units that are missing: those of which the loss is the least."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engines.compute.compiled import Kernel

_MOST_CELLS = 20_000_000
"""Up to so many cells of its table the least loss is exact (a byte each); above that, jobs come by
their loss for each unit.
"""


@Kernel
def cover(units, loss, missing, taken):
    """Marks the jobs of the least total loss that have at least so many units together, and none
    that is not needed; whether there are enough. Losses are 0 or more.
    """
    count = len(units)
    taken[:] = False
    total = 0
    for one in range(count):
        total += units[one]
    if total < missing:
        return False
    if count * (missing + 1) <= _MOST_CELLS:
        _cover_exactly(units, loss, missing, taken)
    else:
        _cover_by_ratio(units, loss, missing, taken)
    return True


@Kernel
def _cover_exactly(units, loss, missing, taken):
    """`least[m]` is the least loss of jobs so far that have at least m units together."""
    least = np.full(missing + 1, np.inf)
    least[0] = 0.0
    chosen = np.zeros((len(units), missing + 1), np.bool_)
    for one in range(len(units)):
        for amount in range(missing, 0, -1):
            found = least[max(amount - units[one], 0)] + loss[one]
            if found < least[amount]:
                least[amount] = found
                chosen[one, amount] = True
    amount = missing
    for one in range(len(units) - 1, -1, -1):
        if amount > 0 and chosen[one, amount]:
            taken[one] = True
            amount = max(amount - units[one], 0)


@Kernel
def _cover_by_ratio(units, loss, missing, taken):
    cover_in_order(units, np.argsort(loss / units), missing, taken)


@Kernel
def cover_in_order(units, order, missing, taken):
    """Marks jobs in this order until they have so many units, then leaves out those that are not
    needed, the last ones first; whether there are enough.
    """
    taken[:] = False
    for one in order:
        if missing <= 0:
            break
        taken[one] = True
        missing -= units[one]
    if missing > 0:
        return False
    for place in range(len(order) - 1, -1, -1):
        one = order[place]
        if taken[one] and missing + units[one] <= 0:
            taken[one] = False
            missing += units[one]
    return True
