"""Cuts large systems into equal slices: a good schedule of one slice is good for all.

A tenth of the tasks on a tenth of the machines is the same problem, ten times smaller. So one slice
stands for nearly all of the system. The remainder of the division, with a few slices added, is a
second small system.
"""

from dataclasses import dataclass

import numpy as np

from core.engines.relaxed import Bound, lower_bound
from core.vocabulary.arrays import BoolArray, IntArray
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

# This many slices are added to the remainder, so that it is not too uneven. Tried on 40 systems
# like nine with 1,000 to 30,000 machines: 1, 2, 4 and 8 do alike; with 16 fewer can be sliced.
_ABSORBING = 4
# The bound of the parts must be below the current schedule by at least this share of its gap.
_WORTHWHILE = 0.5


@dataclass(frozen=True, eq=False)
class Slices:
    """`repeats` times the system of `slice`, and once that of `rest`, are the whole system."""

    slice: Bound
    repeats: int
    rest: Bound

    def together(self, system: System, one: Schedule, rest: Schedule) -> Schedule:
        """The schedule of the whole system from one of the slice and one of the rest."""
        return Schedule.from_groups(
            system,
            np.concatenate([one.machine_type, rest.machine_type]),
            np.concatenate([one.machines * self.repeats, rest.machines]),
            np.concatenate([one.tasks, rest.tasks]),
        )


def slice_system(bound: Bound, schedule: Schedule, most_cells: int) -> Slices | None:
    """Slices of at most `most_cells` machines x task types; None where slicing loses too much.

    It is only for makespans: the idle time of one part depends on the makespan of the other, so
    their energies do not add up.
    """
    system = bound.system
    cells = system.machines * len(system.task_types)
    least = -(-cells // most_cells)
    if bound.objective.energy > 0 or least <= _ABSORBING:
        return None
    pieces = _best_number(bound, least)
    repeats = pieces - _ABSORBING
    tasks, machines = system.task_counts // pieces, system.machine_counts // pieces
    if not _can_run(system, tasks, machines):
        return None
    one = system.with_counts(tasks, machines)
    rest = system.with_counts(
        system.task_counts - repeats * tasks, system.machine_counts - repeats * machines
    )
    bounds = [lower_bound(part, bound.objective) for part in (one, rest)]
    allowed = bound.value + (1 - _WORTHWHILE) * (schedule.makespan - bound.value)
    if max(part.value for part in bounds) > allowed:
        return None
    return Slices(bounds[0], repeats, bounds[1])


def _best_number(bound: Bound, least: int) -> int:
    """The number of pieces, from `least` to twice that, that divides the system most evenly.

    If tasks and machines, at the bound's prices, divide in the same proportion, the parts have the
    bound of the whole. The number is best whose worse part is nearest to that.
    """
    system = bound.system
    numbers = np.arange(least, 2 * least + 1)
    seconds = np.where(system.can_run, system.etc, 0.0)
    cheapest = np.where(system.can_run, seconds * bound.prices, np.inf).min(axis=1)
    work = np.where(system.task_counts > 0, cheapest, 0.0)
    shares = [
        (counts // numbers[:, None]) @ worth / (counts @ worth)
        for counts, worth in (
            (system.task_counts, work),
            (system.machine_counts, bound.prices),
        )
    ]
    repeats = numbers - _ABSORBING
    slices, rests = (
        tasks / np.maximum(machines, np.finfo(float).tiny)
        for tasks, machines in (shares, [1 - repeats * share for share in shares])
    )
    return int(numbers[np.argmin(np.maximum(slices, rests))])


def _can_run(system: System, tasks: IntArray, machines: IntArray) -> bool:
    runs: BoolArray = np.any(np.isfinite(system.etc) & (machines > 0), axis=1)
    return bool(tasks.any() and runs[tasks > 0].all())
