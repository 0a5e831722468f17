"""What is evolved: rows of whole numbers, genes, and what comes of them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.engines.moea.dominance import front
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray

Judged = tuple[FloatArray, FloatArray]
"""Values of the objectives of each row, all to be minimised, and its violation of what must hold,
0 if all does.
"""


@dataclass(frozen=True, slots=True)
class GeneProblem:
    """A row of genes is a solution, with values of so many `objectives`.

    `begin` draws so many first rows, `cross` makes two children of two parents, `mutate` changes
    some genes of a row; each does so for many rows at a time.
    """

    objectives: int
    judge: Callable[[IntArray], Judged]
    begin: Callable[[np.random.Generator, int], IntArray]
    cross: Callable[[np.random.Generator, IntArray, IntArray], tuple[IntArray, IntArray]]
    mutate: Callable[[np.random.Generator, IntArray], IntArray]


@dataclass(frozen=True, slots=True)
class Solutions:
    """Rows of genes, the values of their objectives, and their violations."""

    genes: IntArray
    values: FloatArray
    violation: FloatArray

    @classmethod
    def of(cls, problem: GeneProblem, genes: IntArray) -> "Solutions":
        return cls(genes, *problem.judge(genes))

    def __len__(self) -> int:
        return len(self.genes)

    def __getitem__(self, rows: IntArray | BoolArray) -> "Solutions":
        return Solutions(self.genes[rows], self.values[rows], self.violation[rows])

    def best(self) -> "Solutions":
        """Who violates nothing and is dominated by no other of these; of equal ones, one."""
        allowed = self[self.violation == 0]
        return allowed[front(allowed.values)] if len(allowed) else allowed


@dataclass(frozen=True, slots=True)
class EvolutionPace:
    """How many solutions live at a time and for how many generations, and how often two parents
    are recombined.
    """

    population: int
    generations: int
    crossing: float
