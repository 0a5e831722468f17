"""Problems whose fronts are known: genes x and y from 0 to 20, of which x is to be 5 or more; and a
standard one (ZDT1), with five genes in thousandths.
"""

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


def zdt1(rows: IntArray) -> Judged:
    first, others = rows[:, 0] / 1000, 1 + 9 * rows[:, 1:].mean(axis=1) / 1000
    return np.column_stack((first, others - np.sqrt(first * others))), np.zeros(len(rows))


def drawn(random: np.random.Generator, count: int) -> IntArray:
    return random.integers(0, 1001, (count, 5))


def beyond(random: np.random.Generator, one: IntArray, other: IntArray) -> Children:
    """Extended linear recombination, as ev-MOGA had it first: up to a quarter past both parents."""
    share = random.uniform(-0.25, 1.25, (len(one), 1))
    children = share * one + (1 - share) * other, (1 - share) * one + share * other
    first, second = (np.clip(np.rint(each), 0, 1000).astype(np.int64) for each in children)
    return first, second


def shaken(random: np.random.Generator, rows: IntArray) -> IntArray:
    by = random.normal(0, 50, rows.shape) * (random.random(rows.shape) < 0.4)
    return np.clip(np.rint(rows + by), 0, 1000).astype(np.int64)


ZDT1 = GeneProblem(2, zdt1, drawn, beyond, shaken)
"""Its front is 1 - sqrt(x) over x."""
