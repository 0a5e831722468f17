"""The whole answer on fair shares: promises before and after a change, and what is short."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.day_clock import USUAL_CLOCK, DayClock
from core.capabilities.fair_shares.energy import EnergyFront
from core.capabilities.fair_shares.optimum import LeastStretch, StretchSearch, least_stretch
from core.capabilities.fair_shares.plan import FluidPlan
from core.capabilities.fair_shares.recheck import faults
from core.capabilities.fair_shares.routes import RouteShares
from core.vocabulary.arrays import FloatArray
from core.vocabulary.kinds import TaskType
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME

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


_BELOW: Final = 1 - 1e-4
"""To find the bottleneck, the program is solved at this share of the best possible stretch, where
at least one resource runs out.
"""


@dataclass(frozen=True, eq=False)
class Shortage:
    """What there is too little of, as shares that sum to 1: what a bit more speed of each would
    bring. `links` and `machines` have one for each worker of `bags.work`.
    """

    master: float
    links: FloatArray
    machines: FloatArray


@dataclass(frozen=True, eq=False)
class TriedStretch:
    """What is known at a stretch.

    `load` is by which factor all links, machines and the master would have to be faster; at most 1:
    the stretch is possible, and `plan` has it, with tasks that end early; `wrong` is what an
    independent check finds in that.
    """

    bags: ArrivingBags
    stretch: float
    load: float
    plan: FluidPlan | None
    shortage: Shortage
    wrong: tuple[str, ...] = ()

    @property
    def is_possible(self) -> bool:
        return self.plan is not None


def try_stretch(
    bags: ArrivingBags, stretch: float, baseline: FloatArray | None = None
) -> TriedStretch:
    """Whether bags can have this stretch, as a multiple of the baseline (s, for each bag) or of
    their ideal durations. Raises `SolverFailed`.
    """
    search = StretchSearch.of(bags, baseline, asked=stretch)
    within = stretch / search.unit
    search.program.at(search.epochs_at(within), within)
    found = search.program.solve()
    plan, wrong = None, []
    if found.size <= 1 + SAME:
        plan = FluidPlan.of(bags, search.early(within), within)
        wrong = faults(plan, stretch, None if baseline is None else baseline.tolist())
    return TriedStretch(bags, stretch, found.size, plan, _shortage(found, within), tuple(wrong))


def _shortage(found: RouteShares, stretch: float) -> Shortage:
    lengths = np.diff(found.epochs.dates(stretch))
    master = float(found.prices.master @ lengths)
    links, machines = found.prices.links @ lengths, found.prices.cpus @ lengths
    total = master + float(links.sum() + machines.sum())
    scale = 1 / total if total > 0 else 0.0
    return Shortage(master * scale, links * scale, machines * scale)


@dataclass(frozen=True, eq=False, slots=True)
class BesidePromises:
    """What was computed of bags beside their promises: the five scores of policies for whole tasks,
    by their names; the front of worst stretch and energy; and what checks find wrong with both.
    """

    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    front: EnergyFront | None = None
    wrong: tuple[str, ...] = ()
    front_wrong: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class AskedBags:
    """Bags by the name of their file, what is different in a what-if, and how times are said. What
    is known `beside` the promises is for reports; study files do not keep it.
    """

    bags: ArrivingBags
    name: str = ""
    change: BagsChange = NO_CHANGE
    clock: DayClock = USUAL_CLOCK
    beside: BesidePromises | None = None


@dataclass(frozen=True, eq=False, slots=True)
class FairShares:
    """The optimum before and after the change; what is short just below it (None: nothing, as no
    bag can be faster than alone); and what an independent check finds wrong.
    """

    asked: AskedBags
    before: LeastStretch
    after: LeastStretch | None
    short: Shortage | None
    wrong: tuple[str, ...]

    @property
    def now(self) -> LeastStretch:
        """After the change, if there is one."""
        return self.before if self.after is None else self.after

    @property
    def span(self) -> float:
        """Seconds from the first release to the last promise."""
        now = self.now
        return float(now.deadlines.max() - now.bags.release[now.bags.present].min())

    def promises(self, stretch: float | None = None) -> FloatArray:
        """By when each bag is done at a stretch of the present (s); without one, at the least."""
        now = self.now
        if stretch is None:
            return now.deadlines
        return now.bags.release[now.bags.present] + stretch * now.baseline


def promises_of(asked: AskedBags) -> FairShares:
    """By when each bag can be done, before and after the change, and what is short then. Raises
    `InvalidInput` if bags can no longer run, and `SolverFailed`.
    """
    before = least_stretch(asked.bags)
    wrong = faults(before.plan, before.plan_stretch)
    after = None
    if asked.change.is_any:
        bags, baseline = changed_bags(asked.bags, asked.change)
        after = least_stretch(bags, baseline=baseline)
        wrong += faults(after.plan, after.plan_stretch, baseline.tolist())
    now = before if after is None else after
    short = None
    below = _BELOW * now.stretch
    if below > float((now.bags.ideal / now.baseline).max()):
        short = try_stretch(now.bags, below, now.baseline).shortage
    return FairShares(asked, before, after, short, tuple(wrong))
