"""What one stretch asks of links and machines: whether it is possible, and what is short if not."""

from dataclasses import dataclass

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import StretchSearch
from core.capabilities.fair_shares.plan import FluidPlan
from core.capabilities.fair_shares.routes import RouteShares
from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import SAME


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
    the stretch is possible, and `plan` has it, with tasks that end early.
    """

    bags: ArrivingBags
    stretch: float
    load: float
    plan: FluidPlan | None
    shortage: Shortage

    @property
    def is_possible(self) -> bool:
        return self.plan is not None


def try_stretch(
    bags: ArrivingBags, stretch: float, baseline: FloatArray | None = None
) -> TriedStretch:
    """Whether bags can have this stretch, as a multiple of the baseline (s, for each bag) or of
    their ideal durations. Raises `SolverFailed`.
    """
    search = StretchSearch.of(bags, baseline)
    within = stretch / search.unit
    search.program.at(search.epochs_at(within), within)
    found = search.program.solve()
    plan = None
    if found.size <= 1 + SAME:
        plan = FluidPlan.of(bags, search.early(within), within)
    return TriedStretch(bags, stretch, found.size, plan, _shortage(found, within))


def _shortage(found: RouteShares, stretch: float) -> Shortage:
    lengths = np.diff(found.epochs.dates(stretch))
    master = float(found.prices.master @ lengths)
    links, machines = found.prices.links @ lengths, found.prices.cpus @ lengths
    total = master + float(links.sum() + machines.sum())
    scale = 1 / total if total > 0 else 0.0
    return Shortage(master * scale, links * scale, machines * scale)
