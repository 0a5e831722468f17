"""ev-MOGA, the epsilon-variable multi-objective genetic algorithm (Martínez-Iranzo et al. 2009).

Its archive divides the objectives, between the least and the largest value of the archive, into
boxes. It keeps one solution of a box, and none in a box that is behind another in all objectives.
So the archive stays small, and its ends are never lost, since a least value is in a box of its own.
"""

from collections.abc import Callable

import numpy as np

from core.engines.moea.dominance import dominated_by
from core.engines.moea.problem import EvolutionPace, GeneProblem, Solutions
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import Budget

BOXES = 50
"""Boxes of each objective; the publication does not say how many."""


def by_ev_moga(
    problem: GeneProblem,
    pace: EvolutionPace,
    *,
    brood: int = 8,
    budget: Budget,
    seed: int = 0,
    report: Callable[[int, int], None] | None = None,
) -> Solutions:
    """The archive after all generations, or when the budget is spent.

    In a generation, `brood` children have a parent in the population and one in the archive. Both
    are recombined, or else both are mutated. A child takes the place of a member of the population
    that is worse than it, if there is one. A solution that violates less is better, whatever its
    values. `report` gets the generations done, and how many there will be.
    """
    random = np.random.default_rng(seed)
    living = Solutions.of(problem, problem.begin(random, pace.population))
    archive = BoxArchive(living)
    for generation in range(pace.generations):
        if not budget.left or budget.should_stop():
            break
        pairs = (brood + 1) // 2
        one = living.genes[random.integers(0, len(living), pairs)]
        other = archive.kept.genes[random.integers(0, len(archive.kept), pairs)]
        crossed = np.tile(random.random(pairs) < pace.crossing, 2)[:, None]
        born = np.where(
            crossed,
            np.concatenate(problem.cross(random, one, other)),
            problem.mutate(random, np.concatenate((one, other))),
        )
        children = Solutions.of(problem, born[:brood])
        archive.offer(children)
        for child in range(len(children)):
            worse = np.flatnonzero(is_worse(living, children, child))
            if len(worse):
                place = random.choice(worse)
                living.genes[place] = children.genes[child]
                living.values[place] = children.values[child]
                living.violation[place] = children.violation[child]
        if report is not None:
            report(generation + 1, pace.generations)
    return archive.kept.best()


def is_worse(solutions: Solutions, than: Solutions, one: int) -> BoolArray:
    """Which solutions violate more than one of others, or as little and are dominated by it."""
    violation = than.violation[one]
    dominated = dominated_by(than.values[one], solutions.values)
    return np.asarray(
        (solutions.violation > violation) | ((solutions.violation == violation) & dominated)
    )


def boxes_of(
    values: FloatArray, least: FloatArray, most: FloatArray, boxes: int = BOXES
) -> FloatArray:
    """The number of the box of each value in each objective; 0 where all values are the same."""
    extent = most - least
    share = np.divide(values - least, extent, np.zeros_like(values), where=extent > 0)
    return np.asarray(np.ceil(share * boxes))


class BoxArchive:
    """The best solutions so far, one in a box; `kept` are all equally good as to violation."""

    def __init__(self, first: Solutions, boxes: int = BOXES) -> None:
        self.boxes = boxes
        self.kept = first[np.empty(0, np.int64)]
        self.offer(first)

    def offer(self, found: Solutions) -> None:
        """Take those in that belong in, and let go of those that no longer do."""
        for one in range(len(found)):
            kept = self.kept
            if (kept.violation < found.violation[one]).any():
                continue
            as_good = (kept.values <= found.values[one]).all(axis=1)
            if as_good[kept.violation == found.violation[one]].any():
                continue
            self.kept = _joined(kept[~is_worse(kept, found, one)], found[np.array([one])])
            while self._thinned():
                pass

    def _thinned(self) -> bool:
        """Keep of a box the solution nearest to its middle, and none in a box behind another.
        Returns whether the boxes are others now.
        """
        values = self.kept.values
        least, most = values.min(axis=0), values.max(axis=0)
        box = boxes_of(values, least, most, self.boxes)
        step = np.where(most > least, (most - least) / self.boxes, 1.0)
        middle = least + np.maximum(box - 0.5, 0.0) * step
        distance = (((values - middle) / step) ** 2).sum(axis=1)
        order = np.lexsort((distance, *box.T))
        ordered = box[order]
        first = np.ones(len(order), bool)
        first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        one_a_box: IntArray = np.sort(order[first])
        there = box[one_a_box]
        behind = dominated_by(there[:, None, :], there[None, :, :]).any(axis=0)
        self.kept = self.kept[one_a_box[~behind]]
        ends = self.kept.values.min(axis=0), self.kept.values.max(axis=0)
        return bool((ends[0] != least).any() or (ends[1] != most).any())


def _joined(one: Solutions, other: Solutions) -> Solutions:
    return Solutions(
        np.concatenate((one.genes, other.genes)),
        np.concatenate((one.values, other.values)),
        np.concatenate((one.violation, other.violation)),
    )
