"""How much of its estimate a task really takes, learned from tasks that have ended or still run.

A task that still runs has taken at least its share so far. Leaving such tasks out would make tasks
look shorter than they are, since short ones end first; so shares are estimated as survival times
are (E. L. Kaplan, P. Meier, "Nonparametric estimation from incomplete observations", 1958).
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
