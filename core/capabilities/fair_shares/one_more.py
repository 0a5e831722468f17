"""What one machine more of each type, or a tenth more bandwidth, does to every promise."""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.changes import BagsChange, MachinesAdded, changed_bags
from core.capabilities.fair_shares.optimum import LeastStretch, least_stretch

TENTH_MORE: Final = 1.1


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
