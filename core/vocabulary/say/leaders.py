"""Which types have a colour of their own, and which share one: the tail."""

from dataclasses import dataclass

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.system import System

MOST_TASK_TYPES = 24
MOST_MACHINE_TYPES = 8


@dataclass(frozen=True, eq=False, slots=True)
class Leaders:
    """`own` are the types with a colour of their own, the heaviest first. `rank[k]` is the position
    of type k in `own`, or `tail` for all others.
    """

    own: tuple[int, ...]
    rank: IntArray

    @property
    def tail(self) -> int:
        return len(self.own)

    @property
    def others(self) -> int:
        """How many types are in the tail."""
        return len(self.rank) - len(self.own)


def leaders(weight: FloatArray, most: int) -> Leaders:
    """The `most` heaviest types; one more if the tail would be a single type."""
    own = np.argsort(-weight, kind="stable")[: most + (len(weight) == most + 1)]
    rank = np.full(len(weight), len(own))
    rank[own] = np.arange(len(own))
    return Leaders(tuple(own.tolist()), rank)


def leading_task_types(system: System) -> Leaders:
    """The leaders by machine-seconds on each task type's fastest machine type, which are the same
    for every schedule of a system.
    """
    return leaders(system.task_counts * system.etc.min(axis=1), MOST_TASK_TYPES)
