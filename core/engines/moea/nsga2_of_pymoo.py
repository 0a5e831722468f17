"""NSGA-II as pymoo has it, with operators of ours (the extra `evolution`)."""

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

from core.engines.moea.problem import EvolutionPace, GeneProblem, Solutions
from core.engines.rivals.rival import MissingExtra
from core.vocabulary.arrays import IntArray
from core.vocabulary.budget import Budget


def by_nsga2(
    problem: GeneProblem,
    pace: EvolutionPace,
    *,
    budget: Budget,
    seed: int = 0,
    report: Callable[[int, int], None] | None = None,
) -> Solutions:
    """The best of the last generation, or of the current one when the budget is spent.

    A solution that violates less is better, whatever its values (constraint domination). `report`
    gets the generations done, and how many there will be.

    Raises `MissingExtra` without pymoo.
    """
    if importlib.util.find_spec("pymoo") is None:
        raise MissingExtra(
            "nsga2 needs pymoo, which is not installed: pip install 'wattfront[evolution]'"
        )
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.core.evaluator import Evaluator
    from pymoo.core.problem import Problem
    from pymoo.problems.static import StaticProblem

    first = problem.begin(np.random.default_rng(seed), pace.population)
    algorithm = NSGA2(
        pace.population,
        sampling=first,
        mating=_Mating(problem, pace.crossing),
        eliminate_duplicates=False,
    )
    stated = Problem(first.shape[1], n_obj=problem.objectives, n_ieq_constr=1, vtype=int)
    algorithm.setup(stated, termination=("n_gen", pace.generations + 1), seed=seed)
    for generation in range(pace.generations + 1):
        if generation and (not budget.left or budget.should_stop()):
            break
        asked = algorithm.ask()
        judged = Solutions.of(problem, asked.get("X").astype(np.int64))
        known = StaticProblem(stated, F=judged.values, G=judged.violation[:, None])
        Evaluator().eval(known, asked)
        algorithm.tell(infills=asked)
        if generation and report is not None:
            report(generation, pace.generations)
    last = algorithm.pop
    return Solutions(last.get("X").astype(np.int64), last.get("F"), last.get("CV")[:, 0]).best()


class _Mating:
    """Makes the next generation: parents by tournaments of pymoo, children by our operators."""

    def __init__(self, problem: GeneProblem, crossing: float) -> None:
        from pymoo.algorithms.moo.nsga2 import binary_tournament
        from pymoo.operators.selection.tournament import TournamentSelection

        self.problem, self.crossing = problem, crossing
        self.selection = TournamentSelection(func_comp=binary_tournament)

    def do(
        self,
        stated: Any,
        living: Any,
        number: int,
        *,
        random_state: np.random.Generator,
        **how: Any,
    ) -> Any:
        from pymoo.core.population import Population

        pairs = (number + 1) // 2
        chosen = self.selection.do(
            stated, living, pairs, 2, to_pop=False, random_state=random_state, **how
        )
        genes: IntArray = living.get("X")[chosen].astype(np.int64)
        one, other = genes[:, 0], genes[:, 1]
        crossed = random_state.random(pairs)[:, None] < self.crossing
        children = [
            np.where(crossed, child, parent)
            for child, parent in zip(
                self.problem.cross(random_state, one, other), (one, other), strict=True
            )
        ]
        born = self.problem.mutate(random_state, np.concatenate(children))
        return Population.new("X", born[:number])
