"""What a second of each machine's cores is worth, by the front of the work that is left.

Work may be split here. If every task speeds up alike from machine to machine, and a core of
machine m does s[m] of the work left in a second at p[m] watts, then the front of this work is the
optimum of

    minimise    sum_m p[m] x[m] + c T
    subject to  sum_m s[m] x[m] = 1,  x[m] <= cores[m] T,  x >= 0

with c, what a second of makespan costs: the idle power of all machines, and what a second is worth.
The price of all work, v, makes both sides of the dual meet:

    sum_m cores[m] max(0, v s[m] - p[m]) = c

So the machines are used for which p[m] / s[m] < v, and max(0, v s[m] - p[m]) is the price of a
second of a core. No task runs where its energy alone costs more than energy and price elsewhere.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engines.compute.compiled import Kernel


@Kernel
def price_cores(cores, speed, watts, second, price):
    """Writes the price of a second of a core of each machine to `price` (W), and returns v (J).

    `speed[m]` is the share of the work that a core of machine m does in a second, at `watts[m]`;
    a second of makespan costs `second` (W).
    """
    by_cost = np.argsort(watts / speed)
    cost, done, total = second, 0.0, np.inf
    for place in range(len(by_cost)):
        machine = by_cost[place]
        if watts[machine] >= total * speed[machine]:
            break
        cost += cores[machine] * watts[machine]
        done += cores[machine] * speed[machine]
        total = cost / done
    for machine in range(len(price)):
        price[machine] = max(0.0, total * speed[machine] - watts[machine])
    return total


@Kernel
def price_work_left(bag, left, second, price):
    """Writes the price of a second of a core of each machine (W), for the tasks `left`.

    Machines on which tasks speed up differently count by their seconds and watts on average. One on
    which some task cannot run has no price.
    """
    machines = len(price)
    cores = (bag.first[1:] - bag.first[:-1]).astype(np.float64)
    seconds, joules = np.zeros(machines), np.zeros(machines)
    for task in range(len(left)):
        if left[task]:
            seconds += bag.seconds[task]
            joules += bag.seconds[task] * bag.watts[task]
    price[:] = 0.0
    if seconds.max() <= 0.0 or np.isinf(seconds.min()):
        return
    everywhere = np.isfinite(seconds)
    found = np.zeros(everywhere.sum())
    price_cores(
        cores[everywhere],
        1.0 / seconds[everywhere],
        joules[everywhere] / seconds[everywhere],
        second,
        found,
    )
    price[everywhere] = found
