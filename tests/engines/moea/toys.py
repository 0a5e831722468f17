"""A problem whose front is known: genes x and y from 0 to 20, and x is to be 5 or more."""

import numpy as np

from core.engines.moea.operators import Children, cut_in_blocks
from core.engines.moea.problem import GeneProblem, Judged
from core.vocabulary.arrays import IntArray

FRONT = [(x, 20 - x) for x in range(5, 21)]
"""Of x + y and 20 - x + y: where y is 0."""


def judged(rows: IntArray) -> Judged:
    x, y = rows.T.astype(float)
    return np.column_stack((x + y, 20 - x + y)), np.maximum(5 - x, 0)


def begun(random: np.random.Generator, count: int) -> IntArray:
    return random.integers(0, 21, (count, 2))


def crossed(random: np.random.Generator, one: IntArray, other: IntArray) -> Children:
    return cut_in_blocks(one, other, random.integers(1, 2, len(one)), 2)


def mutated(random: np.random.Generator, rows: IntArray) -> IntArray:
    return np.where(random.random(rows.shape) < 0.3, begun(random, len(rows)), rows)


TOY = GeneProblem(2, judged, begun, crossed, mutated)
