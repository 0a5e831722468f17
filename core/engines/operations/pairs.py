"""Known pairs, and which types they connect: the scale of others cannot be told."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Several sets of pairs of one shape (sets x task types x machine types).

    `logs` are the natural logarithms of known values. `weights` are about 1 where a value is known,
    and 0 elsewhere. `possible` pairs are known, or may have estimates: known pairs connect their
    types.
    """

    logs: FloatArray
    weights: FloatArray
    possible: BoolArray

    @classmethod
    def of(cls, values: FloatArray, weights: FloatArray | None = None) -> Self:
        """One set. Known values are above 0; NaN is unknown, and infinity impossible."""
        known = np.isfinite(values)
        weight = np.where(known, 1.0 if weights is None else weights, 0.0)
        if known.any():
            weight *= np.count_nonzero(known) / weight.sum()
        possible = connected(known) & ~np.isinf(values)
        return cls(np.log(np.where(known, values, 1.0))[None], weight[None], possible[None])

    @property
    def known(self) -> BoolArray:
        return self.weights > 0

    @property
    def lonely(self) -> BoolArray:
        """Pairs whose task type or machine type has a single known pair, or none: that tells how
        much faster or slower the type is, and no more.
        """
        tasks = np.count_nonzero(self.known, axis=2) < 2
        machines = np.count_nonzero(self.known, axis=1) < 2
        either: BoolArray = tasks[:, :, None] | machines[:, None]
        return either

    def copies(self, number: int) -> "Pairs":
        """The first set so many times."""
        return self.without(np.zeros((number, *self.logs.shape[1:]), bool))

    def without(self, held_out: BoolArray) -> "Pairs":
        """The first set once for each mask of pairs, which are no longer known."""
        weights = np.where(held_out, 0.0, self.weights[:1])
        sets = len(held_out)
        return Pairs(self.logs[:1].repeat(sets, 0), weights, self.possible[:1].repeat(sets, 0))

    def relative_to(self, logs: FloatArray) -> "Pairs":
        """The same pairs, their values divided by those of these logarithms."""
        return Pairs(self.logs - logs, self.weights, self.possible)

    def pulled(self, shrinkage: float) -> tuple[FloatArray, FloatArray]:
        """Target and weights of a fit in which each possible pair also pulls to 1, with the weight
        `shrinkage`: two squares have the same slope as one of both weights at their mean.
        """
        weights = self.weights + shrinkage * self.possible
        target = np.divide(self.weights * self.logs, weights, where=weights > 0, out=0 * weights)
        return target, weights

    def of_tasks(self, chosen: IntArray) -> "Pairs":
        """Only these task types."""
        return Pairs(self.logs[:, chosen], self.weights[:, chosen], self.possible[:, chosen])


def connected(known: BoolArray) -> BoolArray:
    """Whether known pairs lead from the task type to the machine type, over others if need be.

    Task types and machine types are the nodes of a graph, and the known pairs are its edges.
    """
    from scipy.sparse.csgraph import connected_components  # only who estimates waits for SciPy

    _, part = connected_components(_graph(known, known.astype(float)), directed=False)
    joined: BoolArray = part[: len(known), None] == part[len(known) :]
    return joined


def dispensable(known: BoolArray, wanted: BoolArray, order: FloatArray) -> BoolArray:
    """The wanted pairs that can all go, while the known pairs that are left connect the same types.

    Where some must stay, those of a smaller `order` (0 to less than 1) do.
    """
    from scipy.sparse.csgraph import minimum_spanning_tree

    # 2, since an order just below 1 is rounded up: no other pair is to tie with a wanted one.
    tree = minimum_spanning_tree(_graph(known, 1 + order + 2 * wanted)).tocoo()
    needed = np.zeros_like(known)
    needed[tree.row, tree.col - len(known)] = True
    return wanted & known & ~needed


def _graph(known: BoolArray, lengths: FloatArray) -> Any:
    from scipy.sparse import csr_array

    task, machine = np.nonzero(known)
    size = sum(known.shape)
    return csr_array((lengths[task, machine], (task, len(known) + machine)), shape=(size, size))
