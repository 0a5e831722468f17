"""Limits that no purchase keeps together: which they are, and how much each would have to give."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from core.capabilities.provision.first_stage import FirstStage
from core.capabilities.provision.plan import Plan
from core.engines.lp.program import Infeasible
from core.vocabulary.arrays import IntArray
from core.vocabulary.problems import InvalidInput, Problem, placed
from core.vocabulary.say.words import Sense, rounded, typed
from core.vocabulary.tolerances import SOLVED_ZERO

_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Give:
    """A limit that has to give: where it stands, what it is, and what it would have to be. `by` is
    the difference; a limit from below has to fall.
    """

    table: str
    row: str
    column: str
    limit: float
    by: float
    falls: bool

    @property
    def needed(self) -> float:
        """A limit that is wide enough, with few digits."""
        wide = self.limit - self.by if self.falls else self.limit + self.by
        if abs(wide) <= 2 * SOLVED_ZERO * max(self.by, abs(self.limit)):
            return 0.0
        # No more than what a limit of this size may be broken by.
        unsure = SOLVED_ZERO * max(abs(wide), 1.0)
        if self.falls:
            return rounded(wide + unsure, Sense.LOWER_BOUND, _DIGITS)
        return rounded(wide - unsure, Sense.UPPER_BOUND, _DIGITS)

    @property
    def remedy(self) -> str:
        """What to do, such as "raise budget from 5 to 7.5"."""
        if self.column == "rules":
            by = rounded(self.by * (1 - SOLVED_ZERO), Sense.UPPER_BOUND)
            return f'loosen the rule "{self.row}" by {typed(by)}'
        of_type = f" of {self.row}" if self.row else ""
        verb = "lower" if self.falls else "raise"
        return f"{verb} {self.column}{of_type} from {typed(self.limit)} to {typed(self.needed)}"


@dataclass(frozen=True, slots=True)
class Clash:
    """Limits of which each is enough, if it alone gives; if there is none, some that are enough
    together, with the least sum of what each gives as a share of itself. `whole`: machines in parts
    would keep them all.
    """

    alone: tuple[Give, ...]
    together: tuple[Give, ...]
    whole: bool = False

    def problems(self) -> Iterable[Problem]:
        """A problem for each limit that may give, or has to."""
        none = f"no purchase{' of whole machines' if self.whole else ''} keeps all limits"
        others = ", or change one of the others named" if len(self.alone) > 1 else ""
        for give in self.alone:
            said = f"{none}; {give.remedy}{others}"
            yield Problem(give.table, give.row, give.column, said)
        remedies = " and ".join(give.remedy for give in self.together)
        for give in () if self.alone else self.together:
            said = f"{none}, whichever one of them gives; {remedies}"
            yield Problem(give.table, give.row, give.column, said)


def find_clash(plan: Plan, *, whole: bool = False) -> Clash | None:
    """The limits that clash; None if some purchase, `whole` if asked, keeps them all."""
    clash = _clash_of(_Elastic(plan))
    if clash is None and whole:
        clash = _clash_of(_Elastic(plan, whole=True))
        return None if clash is None else replace(clash, whole=True)
    return clash


def refuse_clash(
    plan: Plan, *, whole: bool = False, labels: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Raise `InvalidInput` if no purchase keeps all limits; it names those that may give. `labels`
    say where the file of the plan has its tables and limits.
    """
    clash = find_clash(plan, whole=whole)
    if clash is not None:
        raise InvalidInput(placed(problem, labels) for problem in clash.problems())


def _clash_of(elastic: "_Elastic") -> Clash | None:
    if elastic.least(range(0)) is not None:
        return None
    alone: dict[tuple[str, str, str], Give] = {}
    for k in range(len(elastic.gives)):
        for give in elastic.least([k]) or ():
            # A rule with "=" may give upwards or downwards: the lesser of both is said.
            known = alone.setdefault((give.table, give.row, give.column), give)
            if give.by < known.by:
                alone[give.table, give.row, give.column] = give
    together = () if alone else elastic.least(range(len(elastic.gives))) or ()
    return Clash(tuple(alone.values()), tuple(together))


class _Elastic:
    """The first stage, of which each limit may give."""

    def __init__(self, plan: Plan, *, whole: bool = False) -> None:
        stage = FirstStage(plan, whole=whole)
        self.program = stage.program
        self.program.set_options(
            primal_feasibility_tolerance=SOLVED_ZERO, dual_feasibility_tolerance=SOLVED_ZERO
        )
        types = len(plan.offers)
        limits = plan.limits
        # Limits of types are rows here, since bounds of columns cannot give.
        self.program.set_column_bounds(stage.counts, 0.0, np.inf)
        floors = self.program.add_cuts(stage.counts[:, None], -np.ones((types, 1)), -plan.least)
        roofs = self.program.add_cuts(stage.counts[:, None], np.ones((types, 1)), plan.most)
        self.gives: list[Give] = []
        rows: list[tuple[int, float]] = []

        def add(row: IntArray, give: Give, direction: float) -> None:
            if math.isfinite(give.limit):
                self.gives.append(give)
                rows.append((int(row[0]), direction))

        add(stage.budget, Give("plan", "", "budget", limits.budget, 0.0, False), -1.0)
        least, most = limits.least_machines, limits.most_machines
        add(stage.total, Give("plan", "", "min_machines", least, 0.0, True), 1.0)
        add(stage.total, Give("plan", "", "max_machines", most, 0.0, False), -1.0)
        add(stage.power, Give("plan", "", "power", limits.power, 0.0, False), -1.0)
        for j, offer in enumerate(plan.offers):
            if offer.least:
                give = Give("machines", offer.name, "min", offer.least, 0.0, True)
                add(floors[j : j + 1], give, -1.0)
            add(roofs[j : j + 1], Give("machines", offer.name, "max", offer.most, 0, False), -1.0)
        for k, rule in enumerate(plan.rules):
            give = Give("plan", rule.text, "rules", rule.most, 0.0, False)
            add(stage.rules[k : k + 1], give, -1.0)
        self.columns = self.program.add_columns(
            [(np.array([row for row, _ in rows])[:, None], np.array([[d] for _, d in rows]))],
            costs=np.array([1 / max(abs(give.limit), 1.0) for give in self.gives]),
        )

    def least(self, may_give: Iterable[int]) -> tuple[Give, ...] | None:
        """What these have to give at least; None if that is not enough."""
        upper = np.zeros(len(self.gives))
        for k in may_give:
            give = self.gives[k]
            upper[k] = give.limit if give.falls else np.inf
        self.program.set_column_bounds(self.columns, 0.0, upper)
        try:
            found = self.program.minimise(("off", "on"), feasible=False).values[self.columns]
        except Infeasible:
            return None
        return tuple(
            Give(g.table, g.row, g.column, g.limit, float(by), g.falls)
            for g, by in zip(self.gives, found, strict=True)
            if by > SOLVED_ZERO * max(abs(g.limit), 1.0)
        )
