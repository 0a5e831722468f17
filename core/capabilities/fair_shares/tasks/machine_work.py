"""What a replay of whole tasks needs of bags: numbers, one column a machine.

A task cannot run on a machine that cannot hold its data: while they are sent, wait and are
computed, they fill memory there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Self

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags, refuse
from core.capabilities.fair_shares.bags_reader import MEGABYTE
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.problems import Problem
from core.vocabulary.say.words import counted, typed
from core.vocabulary.system import System

MOST_TASKS: Final = 1_000_000
_MOST_STEPS: Final = 1_000_000_000
_MOST_PAIRS: Final = 20_000_000
"""What is replayed at most: a policy takes half a minute, the judge as long, and both 2 GB."""


@dataclass(frozen=True, eq=False)
class MachineWork:
    """Bags on single machines, one line a bag and one column a machine.

    `seconds` is what a task takes (infinite where it cannot run, or where its data do not fit), and
    `fitting` are the bags without such pairs. Releases count from the first, which is at 0.
    `machine_type` is that of each machine, and `worker` its column in `fitting.work`.
    """

    bags: ArrivingBags
    fitting: ArrivingBags
    counts: IntArray
    release: FloatArray
    data: FloatArray
    seconds: FloatArray
    links: FloatArray
    memory: FloatArray
    machine_type: IntArray
    worker: IntArray

    @classmethod
    def of(cls, bags: ArrivingBags) -> Self:
        """The bags with tasks, on each machine that can run any of them.

        Raises `InvalidInput` if the tasks of a bag fit on no machine, or if they are too many.
        """
        refuse(_too_many(bags))
        fitting = _fitting(bags)
        work, network = fitting.work, bags.network
        types = sorted((j, u) for u, group in enumerate(work.machine_types) for j in group)
        each = fitting.system.machine_counts[[j for j, _ in types]]
        machine_type = np.repeat([j for j, _ in types], each)
        return cls(
            bags,
            fitting,
            fitting.system.task_counts[bags.present].astype(np.int64),
            work.release,
            work.data,
            np.ascontiguousarray(fitting.system.etc[np.ix_(bags.present, machine_type)]),
            network.links[machine_type],
            network.memory[machine_type],
            machine_type,
            np.repeat([u for _, u in types], each),
        )

    @property
    def ideal(self) -> FloatArray:
        """Seconds that each bag takes at least if it has all machines for itself."""
        return self.bags.ideal

    @cached_property
    def alike(self) -> IntArray:
        """How many machines each worker has."""
        return np.bincount(self.worker)

    @property
    def machines(self) -> int:
        return len(self.links)


def _too_many(bags: ArrivingBags) -> Iterator[Problem]:
    system, kinds = bags.system, len(bags.present)
    tasks, machines = int(system.task_counts.sum()), system.machines
    most = ""
    if tasks > MOST_TASKS:
        most = f"{MOST_TASKS:,} tasks"
    elif kinds * machines > _MOST_PAIRS:
        most = f"{_MOST_PAIRS:,} pairs of a bag and a machine"
    elif tasks * (kinds + machines) > _MOST_STEPS:
        most = f"{_MOST_STEPS:,} tasks times bags and machines"
    if most:
        message = (
            f"policies replay whole tasks one by one, which takes too long for "
            f"{counted(tasks, 'task')} of {counted(kinds, 'bag')} on "
            f"{counted(machines, 'machine')}: at most {most}; ask for no policy, or take fewer "
            "and longer tasks"
        )
        yield Problem("tasks", "", "count", message)


def _fitting(bags: ArrivingBags) -> ArrivingBags:
    """The bags without pairs of tasks and machines that cannot hold their data."""
    too_large = bags.data[:, None] > bags.network.memory
    too_large[bags.system.task_counts == 0] = False
    if not (too_large & bags.system.can_run).any():
        return bags
    refuse(_that_fit_nowhere(bags, ~too_large))
    etc = np.where(too_large, np.inf, bags.system.etc)
    return replace(bags, system=System(bags.system.task_types, bags.system.machine_types, etc))


def _that_fit_nowhere(bags: ArrivingBags, fits: BoolArray) -> Iterator[Problem]:
    system = bags.system
    can_run = system.can_run & (system.machine_counts > 0)
    for i in bags.present.tolist():
        if not (can_run[i] & fits[i]).any():
            most = typed(float(bags.network.memory[can_run[i]].max()) / MEGABYTE)
            message = (
                f"a whole task has {typed(float(bags.data[i]) / MEGABYTE)} MB of data, and no "
                f"machine that can run it holds more than {most} MB; give machines more memory, or "
                "ask for no policy"
            )
            yield Problem("tasks", system.task_names[i], "data", message)
