"""The best possible worst stretch of bags, for tasks that can be split, and the plan that has it.

A schedule of whole tasks has no smaller worst stretch, whether or not it knows what arrives. The
optimum is found from above. At a stretch, the program says by which factor all intervals could be
shorter, and its prices say at which stretch they could not: a bound that is proven, and the next
stretch to try. Once bound and best stretch lie between the same two milestones, the stretch itself
is a variable of the program, and its optimum is the answer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags, BagWork
from core.capabilities.fair_shares.epochs import LEAST_STRETCH, Epochs, epochs_between, milestones
from core.capabilities.fair_shares.plan import FluidPlan
from core.capabilities.fair_shares.prices import proven_stretch
from core.capabilities.fair_shares.routes import RouteProgram, RouteShares
from core.engines.lp.program import SolverFailed
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget
from core.vocabulary.tolerances import METHODS_AGREE, SAME

_MORE_STRETCH: Final = 1e-6
"""So much more of the stretch, as a share, lets all but the bags that decide it end earlier."""
_MOST_PROGRAMS: Final = 200


class StretchRange(NamedTuple):
    """No schedule has a worst stretch below `low`, and `high` is possible."""

    low: float
    high: float


@dataclass(frozen=True, eq=False)
class LeastStretch:
    """The best possible worst stretch, and what proves it.

    `stretch` is possible, and no schedule has one below `proven`; both are the same but for
    rounding. `plan` has the stretch `plan_stretch`: the same, or a millionth more if it is early.
    Stretches are multiples of the `baseline`: the ideal duration of each bag (s), unless others
    were given.
    `milestones` are the stretches from 1 on at which dates change their order, and
    `programs` says how many linear programs were solved.
    """

    bags: ArrivingBags
    stretch: float
    proven: float
    plan: FluidPlan
    plan_stretch: float
    baseline: FloatArray
    milestones: FloatArray
    programs: int

    @property
    def deadlines(self) -> FloatArray:
        """When each bag ends at the latest in the plan, in seconds: what can be promised."""
        bags = self.bags
        return bags.release[bags.present] + self.plan_stretch * self.baseline


def least_stretch(
    bags: ArrivingBags,
    budget: Budget | None = None,
    report: Callable[[StretchRange], None] | None = None,
    *,
    early: bool = True,
    sent_early: bool = False,
    baseline: FloatArray | None = None,
) -> LeastStretch:
    """The best possible worst stretch; `report` is told between which values it is.

    If `early`, the plan may have a millionth more, and of all such plans it is one in which tasks
    end earliest on average, weighed by the ideal durations of their bags; if `sent_early`, when
    they have been sent counts as much. A `baseline` (s, for each
    bag) takes the place of ideal durations, such as those before machines were added; then the
    stretch may be below 1. Raises `InvalidInput` if there are too many bags and workers,
    `SolverFailed`, and `NoScheduleFound` if the budget ends before.
    """
    search = StretchSearch.of(bags, baseline, budget, report)
    stretch, shares = search.least()
    planned = stretch
    if early:
        planned = stretch * (1 + _MORE_STRETCH)
        shares = search.early(planned, sent_early=sent_early)
    unit = search.unit
    return LeastStretch(
        bags,
        stretch * unit,
        min(search.proven, stretch) * unit,
        FluidPlan.of(bags, shares, planned),
        planned * unit,
        bags.ideal if baseline is None else baseline,
        search.milestones * unit,
        search.program.solves,
    )


class StretchSearch:
    """Which stretches are known to be possible, and which are proven not to be.

    Here stretches are multiples of `ideal` (s, of each bag). None is below 1.
    """

    def __init__(
        self,
        work: BagWork,
        ideal: FloatArray,
        unit: float = 1.0,
        budget: Budget | None = None,
        report: Callable[[StretchRange], None] | None = None,
    ) -> None:
        self.work, self.ideal, self.unit = work, ideal, unit
        # It refuses what is too large, before anything else takes long.
        self.program, self.report = RouteProgram(work, ideal, budget), report
        self.milestones = milestones(work.release, ideal, work.start)
        self.proven = float(self.milestones[0])

    @classmethod
    def of(
        cls,
        bags: ArrivingBags,
        baseline: FloatArray | None = None,
        budget: Budget | None = None,
        report: Callable[[StretchRange], None] | None = None,
        *,
        asked: float = LEAST_STRETCH,
    ) -> Self:
        """The search for all of some bags: in multiples of the baseline, or of so small a part of
        it (`unit`) that no bag alone is done in less, and that the stretch that is `asked` about
        is not below 1.
        """
        baseline = bags.ideal if baseline is None else baseline
        unit = min(LEAST_STRETCH, float((bags.ideal / baseline).min()), asked)
        ideal = np.minimum(unit * baseline, bags.ideal)
        return cls(bags.work, ideal, unit, budget, report)

    def least(self) -> tuple[float, RouteShares]:
        """The least stretch, and what the bags do at it."""
        work = self.work
        stretch = stretch_in_turns(work.release, work.alone, self.ideal, work.start)
        most, best, less = stretch, None, self.milestones[0] * (1 - SAME)
        for _ in range(_MOST_PROGRAMS):
            if self.report is not None:
                low = max(self.proven, less)
                self.report(StretchRange(self.unit * low, self.unit * most))
            self.program.at(self.epochs_at(stretch), stretch)
            found = self.program.solve()
            guess = found.balanced
            self._prove(found, guess)
            if found.size <= 1 + SAME:
                most, best = stretch, found
            else:
                less = stretch
            if best is not None and most <= max(self.proven, less) * (1 + SAME):
                return most, best
            epochs = self.epochs_at(most)
            if epochs.low <= self.proven:
                self.program.between(epochs)
                found = self.program.solve()
                self._prove(found, found.size)
                return max(found.size, float(self.milestones[0])), found
            within = max(less, self.proven) < guess < most
            stretch = guess if within else (max(less, self.proven) + most) / 2
        raise SolverFailed("the search for the least worst stretch came to no end")

    def early(self, stretch: float, *, sent_early: bool = False) -> RouteShares:
        """What the bags do at a possible stretch if tasks end and, if asked, are sent early."""
        self.program.early(self.epochs_at(stretch), stretch, sent_early=sent_early)
        return self.program.solve()

    def epochs_at(self, stretch: float) -> Epochs:
        """The order of dates at a stretch; at a milestone, the one below it."""
        at = max(int(np.searchsorted(self.milestones, stretch)) - 1, 0)
        high = self.milestones[at + 1] if at + 1 < len(self.milestones) else np.inf
        return epochs_between(
            self.work.release, self.ideal, float(self.milestones[at]), float(high), self.work.start
        )

    def _prove(self, found: RouteShares, guess: float) -> None:
        proven = proven_stretch(found.prices, self.work, self.ideal, found.epochs, guess)
        self.proven = max(self.proven, proven)


def stretch_in_turns(
    release: FloatArray,
    ideal: FloatArray,
    baseline: FloatArray | None = None,
    start: float = 0.0,
) -> float:
    """A worst stretch that bags have in turns, at most a millionth above the least of these. With a
    baseline, stretches are multiples of it. Nothing is done before the `start` (s).
    """
    baseline = ideal if baseline is None else baseline
    opens = np.maximum(release, start)
    if _fit(release, opens, ideal, baseline, LEAST_STRETCH):
        return LEAST_STRETCH
    low, high = LEAST_STRETCH, 2 * LEAST_STRETCH
    while not _fit(release, opens, ideal, baseline, high):
        low, high = high, 2 * high
    while high - low > METHODS_AGREE * high:
        middle = (low + high) / 2
        if _fit(release, opens, ideal, baseline, middle):
            high = middle
        else:
            low = middle
    return high


def _fit(
    release: FloatArray,
    opens: FloatArray,
    ideal: FloatArray,
    baseline: FloatArray,
    stretch: float,
) -> bool:
    due = release + stretch * baseline
    order = np.argsort(due)
    begins = np.unique(opens)[:, None]
    counts = opens[order] >= begins
    until_due = np.cumsum(np.where(counts, ideal[order], 0.0), axis=1)
    return bool((~counts | (until_due <= due[order] - begins)).all())
