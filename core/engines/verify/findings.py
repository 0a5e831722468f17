"""Collects what a judge finds: of each kind only as many as a person would read."""

from collections.abc import Callable
from typing import Final

import numpy as np

from core.vocabulary.arrays import BoolArray
from core.vocabulary.problems import Problem

LISTED_PER_CHECK: Final = 10


class Faults:
    """The problems found of a table: of each kind the first few, and the number of the rest."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.problems: list[Problem] = []

    def add(self, row: str, column: str, message: str) -> None:
        self.problems.append(Problem(self.table, row, column, message))

    def each(
        self, faulty: BoolArray, column: str, row: Callable[[int], str], say: Callable[[int], str]
    ) -> None:
        positions = np.flatnonzero(faulty).tolist()
        for position in positions[:LISTED_PER_CHECK]:
            self.add(row(position), column, say(position))
        rest = len(positions) - LISTED_PER_CHECK
        if rest > 0:
            self.add("", column, f"and {rest:,} more like the one above")
