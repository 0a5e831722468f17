"""Recombination of rows of genes, two parents for two children, for many pairs at a time."""

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray

Children = tuple[IntArray, IntArray]


def cut_in_blocks(one: IntArray, other: IntArray, cut: IntArray, steps: int) -> Children:
    """Three-point crossover of rows that are blocks of so many steps: each child has the first
    `cut` genes of every block from one parent, and the rest from the other parent.
    """
    first = np.arange(one.shape[1]) % steps < cut[:, None]
    return np.where(first, one, other), np.where(first, other, one)


def linear(one: IntArray, other: IntArray, share: FloatArray) -> Children:
    """Linear recombination: between both parents, at a `share` of its own for each gene, rounded.

    The second child is as far from the second parent as the first is from the first.
    """
    there = share * one + (1 - share) * other
    back = (1 - share) * one + share * other
    return np.rint(there).astype(np.int64), np.rint(back).astype(np.int64)
