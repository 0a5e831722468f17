"""Settles small systems: the best of all possible schedules, by dynamic programming.

For some machines and some of the tasks there is a list of (seconds, cost): the least cost within
each makespan. One more machine may run any part of these tasks, so its lists follow from those
without it. Machines of a type are alike, so only their number counts.

The average power of a schedule depends on its makespan, too, and a schedule that is slower on
purpose may draw less. So the machine that ends last is added at the end: each part of the tasks
that it may run is combined with the cheapest schedule of all other machines that is done by then.
That gives the least cost of each possible makespan.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.recover.part_lists import PartLists, Parts
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import never
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import ULP

# Limits that keep the search below about half a second (tried: 60 tasks of two types on four
# machines take 0.6 s): the ways to split the tasks between one machine and the others, for all
# machines; and the entries of the others' lists, for all these ways.
MOST_SPLITS: Final = 4_000_000
MOST_PAIRS: Final = 20_000_000
# Multiples of _GRAIN are added and multiplied without rounding errors, as long as sums and products
# stay below _MOST.
_GRAIN: Final = 2.0**-10
_MOST: Final = 2.0**53 * _GRAIN**2


@dataclass(frozen=True, eq=False)
class Settled:
    """The best of all possible schedules, by rising makespan: each needs less energy, or draws less
    on average, than any that is as fast.

    No other schedule is better in makespan and energy, nor in makespan and average power, but for a
    share of `rounding` by which sums may be off (0 if they are exact). For a system without APC it
    is only the fastest one.
    """

    schedules: tuple[Schedule, ...]
    rounding: float

    @property
    def fastest(self) -> Schedule:
        """The schedule of the least makespan, and of the least energy among these."""
        return self.schedules[0]

    @property
    def thriftiest(self) -> Schedule:
        """The schedule of the least energy, and of the least makespan among these."""
        return min(self.schedules, key=lambda schedule: schedule.energy)


def settle(system: System, should_stop: Callable[[], bool] = never) -> Settled | None:
    """The best of all schedules; None if the system is not small, or if asked to stop.

    The result does not depend on the speed of the computer.
    """
    machines = _machines_that_matter(system)
    if not _small(system, machines):
        return None
    parts = Parts.of(system)
    lasts = _all_last(parts, machines, should_stop)
    if lasts is None:
        return None
    exact = _adds_up_exactly(system)
    error = 0.0 if exact else 2 * ULP * (system.tasks + len(system.machine_types) + 4)
    schedules = tuple(_schedules(parts, lasts, error))
    if exact or system.apc is None:
        return Settled(schedules, error)
    # Energy is that of work and that of waiting, and the latter is a difference, which loses
    # digits.
    idle = system.total_idle_power
    waiting = (idle * s.makespan / s.energy for s in schedules if s.energy > 0)
    return Settled(schedules, 2 * error * (1 + max(waiting, default=0.0)))


def _machines_that_matter(system: System) -> list[int]:
    """The number of machines of each type that could get a task."""
    return [
        min(int(count), sum(system.task_counts[runs].tolist()))
        for count, runs in zip(system.machine_counts, system.can_run.T, strict=True)
    ]


def _small(system: System, machines: Sequence[int]) -> bool:
    kinds = sum(number > 0 for number in machines)
    layers = sum(machines) + kinds * kinds.bit_length()
    splits = math.prod((n + 1) * (n + 2) // 2 for n in system.task_counts.tolist())
    return bool(layers * splits <= MOST_SPLITS)


def _adds_up_exactly(system: System) -> bool:
    """Whether no sum of times or joules of a schedule is rounded."""
    seconds = system.etc[system.can_run]
    longest = float(system.tasks * seconds.max())
    watts = np.append(system.idle_power, 0.0 if system.apc is None else system.apc[system.can_run])
    grains = np.append(seconds, watts) / _GRAIN
    most = longest * (1.0 + float(watts.max()) * system.machines)
    whole = bool((grains == np.rint(grains)).all())
    return whole and bool(most < _MOST)


@dataclass(frozen=True, eq=False)
class _Last:
    """Schedules in which a machine of type `kind` ends last: it runs part `part[k]`, and the others
    are entry `entry[k]` of their lists. Schedule k takes `seconds[k]` and costs `costs[k]`.
    """

    others: PartLists
    kind: int
    part: IntArray
    entry: IntArray
    seconds: FloatArray
    costs: FloatArray


def _all_last(
    parts: Parts, machines: Sequence[int], should_stop: Callable[[], bool]
) -> list[_Last] | None:
    """For each machine type, the schedules in which one of its machines ends last, the cheapest
    first; None if there are too many to compare, or if asked to stop.
    """
    kinds = [kind for kind, number in enumerate(machines) if number]
    lists = PartLists.of_no_machines(len(parts.counts))
    left = MOST_PAIRS
    found: list[_Last] = []
    # Each entry has the lists of some machines, the machines still to add to them, and the types
    # whose last machine is still missing. Lists that several types share are made once.
    open_ = [(lists, [kind for kind in kinds for _ in range(machines[kind] - 1)], kinds)]
    while open_:
        lists, more, ending = open_.pop()
        for kind in more:
            if should_stop():
                return None
            lists, pairs = lists.with_machine(parts, kind, left)
            left -= pairs
            if left < 0:
                return None
        if len(ending) == 1:
            found.append(_ending_last(parts, lists, ending[0]))
            continue
        half = len(ending) // 2
        open_ += [(lists, ending[half:], ending[:half]), (lists, ending[:half], ending[half:])]
    return found


def _ending_last(parts: Parts, others: PartLists, kind: int) -> _Last:
    loads, costs = parts.loads[kind], parts.costs[kind]
    part = np.flatnonzero((loads > 0) & np.isfinite(loads))
    entry = others.beside(loads, part)
    part, entry = part[entry >= 0], entry[entry >= 0]
    return _Last(others, kind, part, entry, loads[part], costs[part] + others.costs[entry])


def _schedules(parts: Parts, lasts: Sequence[_Last], error: float) -> Iterator[Schedule]:
    """The schedules of less energy or less average power than all that are as fast, by rising
    makespan.
    """
    seconds = np.concatenate([last.seconds for last in lasts])
    costs = np.concatenate([last.costs for last in lasts])
    begin = np.cumsum([0, *(len(last.part) for last in lasts)])
    idle = 0.0 if parts.system.apc is None else parts.system.total_idle_power
    joules = costs + idle * seconds
    least_energy = least_power = np.inf
    for k in np.lexsort((joules, seconds)).tolist():
        energy, power = float(joules[k]), float(joules[k] / seconds[k])
        if energy < least_energy * (1 - error) or power < least_power * (1 - error):
            last = int(np.searchsorted(begin, k, side="right")) - 1
            yield _schedule(parts, lasts[last], k - int(begin[last]))
            least_energy, least_power = min(energy, least_energy), min(power, least_power)


def _schedule(parts: Parts, last: _Last, place: int) -> Schedule:
    system = parts.system
    own = int(last.part[place])
    others = last.others.machines(parts, len(parts.counts) - 1 - own, int(last.entry[place]))
    kinds, ran = np.array([(last.kind, own), *others]).T
    waiting = system.machine_counts - np.bincount(kinds, minlength=len(system.machine_types))
    idle = np.flatnonzero(waiting)
    return Schedule.from_groups(
        system,
        np.append(kinds, idle),
        np.append(np.ones(len(kinds), np.int64), waiting[idle]),
        np.concatenate([parts.counts[ran], np.zeros((len(idle), len(parts.most)), np.int64)]),
    )
