"""Evolved plans: NSGA-II and ev-MOGA make excess, cost and lateness small.

Plans in which it gets too warm, or that some jobs do not fit into, come after all that are sound,
those with the least of both first: the publication does not say what becomes of them. Nor does it
have a least temperature: plans that are cooled too far are cooled less when evolution has ended.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final, Literal

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.plan import DayPlan, measured
from core.capabilities.centre.rivals.best_fit_hole import FirstHoles
from core.capabilities.centre.rivals.genes import DayGenes, HighReading
from core.engines.moea.dominance import front
from core.engines.moea.ev_moga import by_ev_moga
from core.engines.moea.nsga2_of_pymoo import by_nsga2
from core.engines.moea.problem import EvolutionPace, GeneProblem
from core.vocabulary.budget import Budget, NoScheduleFound
from core.vocabulary.say.words import Sense, amount

EvolvingMethod = Literal["nsga2", "ev-moga"]
EVOLVING_METHODS: Final[tuple[EvolvingMethod, ...]] = ("nsga2", "ev-moga")


@dataclass(frozen=True, slots=True)
class Evolving:
    """How a method evolves plans: each gene is mutated with the probability `mutating`."""

    pace: EvolutionPace
    mutating: float
    high: HighReading = "power"
    first_holes: FirstHoles = "awake"


PUBLISHED: Final[Mapping[EvolvingMethod, Evolving]] = MappingProxyType(
    {
        "nsga2": Evolving(EvolutionPace(20, 1000, 0.9), 0.01),
        "ev-moga": Evolving(EvolutionPace(100, 1000, 0.9), 0.01),
    }
)
"""What the publication sets. Pairs of ev-MOGA are recombined (0.9) or else mutated (0.1), as by its
authors; then each gene changes as often as in NSGA-II, whose operator it is. Of what else is left
open, this is the reading that does better.
"""


def evolved(
    day: CentreDay,
    method: EvolvingMethod,
    evolving: Evolving | None = None,
    *,
    budget: Budget | None = None,
    seed: int = 0,
    report: Callable[[int, int], None] | None = None,
) -> list[DayPlan]:
    """The plans that a method finds, none of which dominates another in excess, cost and lateness.

    When the budget is spent, those that were found until then. `report` gets the generations done,
    and how many there will be. The same seed gives the same plans.

    Raises `NoScheduleFound` if no sound plan was found, and `MissingExtra` for NSGA-II without
    pymoo.
    """
    how = evolving or PUBLISHED[method]
    genes = DayGenes(day, how.high, how.first_holes)
    cross = genes.cut if method == "nsga2" else genes.between
    mutate = partial(genes.mutated, each=how.mutating)
    problem = GeneProblem(3, genes.judged, genes.begun, cross, mutate)
    run = by_nsga2 if method == "nsga2" else by_ev_moga
    found = run(problem, how.pace, budget=budget or Budget(), seed=seed, report=report)
    plans = []
    for row in found.genes:
        with suppress(NoScheduleFound):
            plans.append(genes.plan(row))
    if not plans:
        raise NoScheduleFound(
            f"{method} found no plan that never exceeds "
            f"{amount(day.centre.limit, Sense.TYPED, '°C')} and ends all jobs "
            "within the day; allow more generations, or choose another method"
        )
    measures = [measured(day, plan) for plan in plans]
    values = np.array([(one.excess, one.cost, one.lateness) for one in measures])
    return [plans[place] for place in front(values)]
