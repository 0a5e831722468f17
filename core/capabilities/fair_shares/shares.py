"""The whole answer on fair shares: promises before and after a change, and what is short."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.changes import NO_CHANGE, BagsChange, changed_bags
from core.capabilities.fair_shares.day_clock import USUAL_CLOCK, DayClock
from core.capabilities.fair_shares.energy import EnergyFront
from core.capabilities.fair_shares.optimum import LeastStretch, StretchSearch, least_stretch
from core.capabilities.fair_shares.plan import FluidPlan
from core.capabilities.fair_shares.recheck import faults
from core.capabilities.fair_shares.routes import RouteShares
from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import SAME

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
