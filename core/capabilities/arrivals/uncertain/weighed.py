"""What the method weighed knows: how much of its estimate a task really takes, and what a second of
each machine's cores is worth, by the front of the work that is left.

A task that still runs has taken at least its share so far. Leaving such tasks out would make tasks
look shorter than they are, since short ones end first; so shares are estimated as survival times
are (E. L. Kaplan, P. Meier, "Nonparametric estimation from incomplete observations", 1958).

For prices, work may be split. If every task speeds up alike from machine to machine, and a core
of machine m does s[m] of the work left in a second at p[m] watts, then the front of this work is
the optimum of

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

from typing import Final

import numpy as np

from core.engines.compute.compiled import InPlaceKernel, Kernel
from core.vocabulary.arrays import FloatArray

PARTS: Final = 50
"""Shares are told apart to a fiftieth."""
_ASSUMED: Final = 4.0
"""Before anything is known, all shares are equally likely; that counts as much as so many tasks."""


def nothing_learned() -> FloatArray:
    """How many tasks take more than k / PARTS of their estimate, for each k: all shares alike."""
    return np.linspace(1.0, 0.0, PARTS + 1)


@Kernel
def learn(bag, runs, now, longer):
    """Writes to `longer[k]` what share of tasks takes more than k / PARTS of its estimate, by what
    an administrator has seen until `now`.
    """
    parts = len(longer) - 1
    ended, running = np.full(parts, _ASSUMED / parts), np.zeros(parts)
    for task in range(len(runs.machine)):
        machine = runs.machine[task]
        if machine < 0:
            continue
        until = min(runs.end[task], now)
        share = (until - runs.start[task]) / bag.seconds[task, machine]
        part = min(int(share * parts), parts - 1)
        if runs.end[task] <= now:
            ended[part] += 1.0
        else:
            running[part] += 1.0
    at_risk = ended.sum() + running.sum()
    longer[0] = 1.0
    for part in range(parts):
        longer[part + 1] = longer[part] * (1.0 - ended[part] / at_risk)
        at_risk -= ended[part] + running[part]
    longer[parts] = 0.0


@InPlaceKernel
def expected_share(longer, taken):
    """The mean share of a task that has taken a share of its estimate and still runs."""
    parts = len(longer) - 1
    first = min(int(taken * parts), parts - 1)
    chance, total = 0.0, 0.0
    for part in range(first, parts):
        low, high = max(taken, part / parts), (part + 1) / parts
        likely = (longer[part] - longer[part + 1]) * (high - low) * parts
        chance += likely
        total += likely * (low + high) / 2
    return max(total / chance, taken) if chance > 0.0 else max(taken, 1.0)


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
