"""The sweep of the publication: it minimises many weighted sums of energy and makespan.

With energy and makespan as shares of the extent of the front, the sums are

    alpha x energy + (1 - alpha) x makespan,    alpha from 0 to 1 in even steps.

Vertices of the front that are best for none of these weights are missed. At alpha 0 and 1 the other
objective breaks ties, so that neither end is dominated.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from core.engines.relaxed import ENERGY, MAKESPAN, Lines, Objective
from core.engines.relaxed.front import Placements
from core.engines.relaxed.program import DivisibleProgram
from core.engines.relaxed.trace import Optimum
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME


@dataclass(frozen=True, eq=False)
class WeightedSweep:
    """The different optima of the weights, by rising energy.

    `points[k]` is (joules, seconds) of optimum k and `placements` are the divisible schedules.
    Lines `2 k` and `2 k + 1` are the bounds that its smallest and its largest alpha prove.
    """

    system: System
    points: FloatArray
    placements: Placements
    lines: Lines

    def __len__(self) -> int:
        return len(self.points)


def weighted_sweep(
    system: System,
    weights: int = 1000,
    *,
    budget: Budget | None = None,
    report: Callable[[int, int], None] | None = None,
) -> WeightedSweep:
    """The optima of so many weights, at least 2; only one point if both ends are the same.

    `report` gets how many weights are done, and how many there are.

    Raises `TooLong` or `Cancelled` if the sweep must end before the last weight.
    """
    if weights < 2:
        raise ValueError(f"a sweep has at least 2 weights, not {weights}")
    fastest = Optimum.of(DivisibleProgram(system), MAKESPAN, ENERGY)
    thriftiest = Optimum.of(DivisibleProgram(system), ENERGY, MAKESPAN)
    extent = np.abs(fastest.point - thriftiest.point)
    if (extent <= SAME * thriftiest.point).any():
        return _sweep(system, [(fastest, thriftiest)])
    runs = [(fastest, fastest)]
    inner = _between(system, extent, weights, budget or Budget())
    for done, optimum in enumerate(inner, start=2):
        _add(runs, optimum, extent)
        if report is not None:
            report(done, weights)
    _add(runs, thriftiest, extent)
    return _sweep(system, runs)


def _between(system: System, extent: FloatArray, weights: int, budget: Budget) -> Iterator[Optimum]:
    """The optima of all alphas but the first and the last, each from the last basis."""
    program = DivisibleProgram(system)
    for done, alpha in enumerate(np.linspace(0.0, 1.0, weights)[1:-1].tolist()):
        budget.check(f"sweeping weights: {done:,} of {weights:,} were done")
        objective = Objective(alpha / extent[0], (1 - alpha) / extent[1])
        yield Optimum.of(program, objective)


def _add(runs: list[tuple[Optimum, Optimum]], optimum: Optimum, extent: FloatArray) -> None:
    """Extend the run of this point, which is nearly always the last one; or begin a new one."""
    for place in reversed(range(len(runs))):
        first, _ = runs[place]
        if (np.abs(optimum.point - first.point) <= SAME * extent).all():
            runs[place] = first, optimum
            return
    runs.append((optimum, optimum))


def _sweep(system: System, runs: list[tuple[Optimum, Optimum]]) -> WeightedSweep:
    """The sweep from the first and the last optimum of each point.

    If times or powers differ too much for the solver, some of its optima may be dominated.
    """
    points = np.array([first.point for first, _ in runs])
    kept = np.flatnonzero(non_dominated(points))
    kept = kept[np.argsort(points[kept, 0])]
    runs = [runs[place] for place in kept]
    ends = [optimum for run in runs for optimum in run]
    return WeightedSweep(
        system,
        points[kept],
        Placements.dense([first.placed for first, _ in runs]),
        Lines.proven(
            system,
            np.array([(end.objective.energy, end.objective.makespan) for end in ends]),
            np.array([end.prices for end in ends]),
        ),
    )
