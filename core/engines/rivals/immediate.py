"""OLB, MET and MCT: each task in turn goes to a machine, whatever tasks come after it.

The classic immediate-mode heuristics (Maheswaran et al. 1999; Braun et al. 2001). The tasks come
in the order of the task types; ties go to the first machine type, and there to the first machine.

For n equal tasks, placing one at a time has a closed form. Machine k offers places at `offer[k]`,
`offer[k] + seconds[k]`, `offer[k] + 2 seconds[k]`, ... (for example, the times at which it would
start its next tasks), and each task takes the earliest free place: together they take the n
earliest. So the time depends on types and machines, not on the number of tasks.
"""

from collections.abc import Callable

import numpy as np

from core.engines.rivals.rival import machine_kinds, schedule_of_machines
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

# (ready, seconds, kind) of each machine -> its first offer, infinity if it makes none.
OfferRule = Callable[[FloatArray, FloatArray, IntArray], FloatArray]


def opportunistic(system: System, _budget: Budget) -> Schedule:
    """OLB: each task goes to the machine that is free first among those that can run it, however
    slow.
    """
    return _in_turn(system, lambda ready, seconds, _: np.where(np.isinf(seconds), np.inf, ready))


def minimum_execution(system: System, _budget: Budget) -> Schedule:
    """MET: each task goes to its fastest machine type, however busy, and there to the first free
    machine.

    The textbook form does not know equal machines, and would put all tasks of a type on one of
    them.
    """
    return _in_turn(
        system,
        lambda ready, seconds, kind: np.where(kind == kind[seconds.argmin()], ready, np.inf),
    )


def minimum_completion(system: System, _budget: Budget) -> Schedule:
    """MCT: each task goes to the machine that would end it first."""
    return _in_turn(system, lambda ready, seconds, _: ready + seconds)


def _in_turn(system: System, offers: OfferRule) -> Schedule:
    kind = machine_kinds(system)
    ready = np.zeros(len(kind))
    tasks = np.zeros((len(kind), len(system.task_types)), np.int64)
    for i in np.flatnonzero(system.task_counts):
        seconds = system.etc[i, kind]
        offer = offers(ready, seconds, kind)
        takes_part = np.isfinite(offer)
        tasks[takes_part, i] = earliest_places(
            offer[takes_part], seconds[takes_part], int(system.task_counts[i])
        )
        ready[takes_part] += tasks[takes_part, i] * seconds[takes_part]
    return schedule_of_machines(system, tasks)


def earliest_places(offer: FloatArray, seconds: FloatArray, n: int) -> IntArray:
    """How many of the n earliest places each machine has; ties go to the first machine.

    Bisection finds the time of the n-th place, down to neighbouring floats. Every place before it
    is taken, and places at that time in the order of the machines.
    """

    def places_until(time: float) -> IntArray:
        places: IntArray = np.clip(np.floor((time - offer) / seconds) + 1, 0, n).astype(np.int64)
        return places

    before, until = -np.inf, float(offer.min())
    if places_until(until).sum() < n:
        before, until = until, float(2 * (offer + n * seconds).min())
        while before < (middle := (before + until) / 2) < until:
            if places_until(middle).sum() < n:
                before = middle
            else:
                until = middle
    sure = places_until(before)
    at_once = places_until(until) - sure
    left = n - sure.sum() - (np.cumsum(at_once) - at_once)
    taken: IntArray = sure + np.clip(left, 0, at_once)
    return taken
