"""What one more bag, more machines or another bandwidth do to every promise.

The stretch alone would mislead: with more machines, each bag would be faster alone, too, so that
the stretch may rise although all bags end earlier. So ideal durations before the change stay the
measure, the baseline, and times are compared.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import LeastStretch, least_stretch
from core.vocabulary.arrays import FloatArray
from core.vocabulary.kinds import TaskType
from core.vocabulary.system import System

_ANOTHER: Final = "another "
TENTH_MORE: Final = 1.1


class OneMoreBag(NamedTuple):
    """A bag like that of a task type, with so many tasks, released at a time (s)."""

    task_type: int
    tasks: int
    release: float


class MachinesAdded(NamedTuple):
    """So many machines more of a type; fewer, if it is below 0."""

    machine_type: int
    machines: int


@dataclass(frozen=True, slots=True)
class BagsChange:
    """What is different; the bandwidth of the master is in bytes a second."""

    bag: OneMoreBag | None = None
    machines: MachinesAdded | None = None
    bandwidth: float | None = None

    @property
    def is_any(self) -> bool:
        return self != NO_CHANGE


NO_CHANGE: Final = BagsChange()


class ChangedBags(NamedTuple):
    """Bags after a change, and of each the ideal duration before it (s). If there is one more bag,
    it is the last.
    """

    bags: ArrivingBags
    baseline: FloatArray


def changed_bags(bags: ArrivingBags, change: BagsChange) -> ChangedBags:
    """The bags after a change. Raises `InvalidInput` if they can no longer run."""
    if change.bag is not None:
        bags = _with_bag(bags, change.bag)
    baseline = bags.ideal
    if change.machines is not None:
        bags = _with_machines(bags, change.machines)
    if change.bandwidth is not None:
        bags = replace(bags, network=replace(bags.network, bandwidth=change.bandwidth))
    return ChangedBags(bags, baseline)


def _with_bag(bags: ArrivingBags, more: OneMoreBag) -> ArrivingBags:
    system, i = bags.system, more.task_type
    name, names = _ANOTHER + system.task_names[i], system.task_names
    while name in names:
        name = _ANOTHER + name
    grown = System(
        (*system.task_types, TaskType(name, more.tasks)),
        system.machine_types,
        np.vstack([system.etc, system.etc[i]]),
        None if system.apc is None else np.vstack([system.apc, system.apc[i]]),
        None if system.estimated is None else np.vstack([system.estimated, system.estimated[i]]),
    )
    return ArrivingBags(
        grown,
        np.append(bags.release, more.release),
        np.append(bags.data, bags.data[i]),
        bags.network,
    )


def _with_machines(bags: ArrivingBags, more: MachinesAdded) -> ArrivingBags:
    kinds = list(bags.system.machine_types)
    kind = kinds[more.machine_type]
    kinds[more.machine_type] = replace(kind, count=max(kind.count + more.machines, 0))
    return replace(bags, system=replace(bags.system, machine_types=tuple(kinds)))


class OneMore(NamedTuple):
    """A change, and the best possible worst stretch then, in ideal durations before it: each
    promise comes earlier by the difference of stretches, times its ideal duration.
    """

    change: BagsChange
    stretch: float


def one_more_of_each(before: LeastStretch) -> Iterator[OneMore]:
    """What one more machine of each type brings, in their order, and last a faster master if it has
    a limit. Raises `SolverFailed`.
    """
    for change in _changes(before.bags):
        after, baseline = changed_bags(before.bags, change)
        found = least_stretch(after, early=False, baseline=baseline)
        yield OneMore(change, min(found.stretch, before.stretch))


def _changes(bags: ArrivingBags) -> Iterator[BagsChange]:
    for j in range(len(bags.system.machine_types)):
        yield BagsChange(machines=MachinesAdded(j, 1))
    bandwidth = bags.network.bandwidth
    if math.isfinite(bandwidth):
        yield BagsChange(bandwidth=TENTH_MORE * bandwidth)
