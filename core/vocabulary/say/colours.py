"""The colours of pages and reports by the part they play, on a light and on a dark background.

Shapes have a contrast of at least 3 to their background, and text of at least 4.5, as WCAG 2 asks.
Task types have strong colours and machine types muted ones, so that they are not confused. Within
each kind the lightness differs too, so that colour-blind people can tell them apart.
`tests/vocabulary/say/test_colours.py` computes all of this.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.system import System


@dataclass(frozen=True, slots=True)
class Colour:
    """The colour of one part on a light page, and on a dark one."""

    light: str
    dark: str


PAPER: Final = Colour("#ffffff", "#12181f")
INK: Final = Colour("#1c2733", "#e3e9ef")
QUIET: Final = Colour("#586673", "#9fadba")
"""Text that explains."""

OURS: Final = Colour("#0b6a9e", "#5ab4e6")
BOUND: Final = Colour("#b04a00", "#ff9a4d")
"""Proven bounds."""
RIVAL: Final = Colour("#00694a", "#2fb98a")
CHOSEN: Final = Colour("#c2185b", "#ff7fb5")
OTHERS: Final = Colour("#68727d", "#93a3b4")
GHOST: Final = Colour("#76689c", "#b3a8dc")
"""The state before the last change."""
GAIN: Final = Colour("#00734f", "#4fd1a1")
LOSS: Final = Colour("#b3261e", "#ff7a70")

ACHIEVED: Final = Colour("#c6e1f4", "#163a56")
POSSIBLE: Final = Colour("#f6d999", "#5f4a17")
FORBIDDEN: Final = Colour("#e9ebed", "#262c33")

TASK_TYPES: Final = (
    Colour("#0080a2", "#75deff"),
    Colour("#c14271", "#dc5e2d"),
    Colour("#1e6735", "#bff6bd"),
    Colour("#6c45b6", "#a6a0f9"),
    Colour("#727c02", "#fecf28"),
    Colour("#692301", "#ff966b"),
    Colour("#1b2e91", "#537feb"),
    Colour("#5c375e", "#a870a1"),
)
MACHINE_TYPES: Final = (
    Colour("#65849b", "#7795ae"),
    Colour("#433525", "#d1d3c4"),
    Colour("#a1906f", "#91785d"),
    Colour("#4f6d57", "#9ab699"),
    Colour("#594964", "#626585"),
)
MIXED: Final = Colour("#5b6068", "#aab3bd")
"""Several types together, or types without a colour of their own."""
IDLE: Final = Colour("#8a929b", "#66717c")

SCALE: Final = (
    Colour("#e9f0f6", "#1e2a36"),
    Colour("#bfd8ea", "#23415c"),
    Colour("#8db9da", "#306088"),
    Colour("#4f8fc0", "#4484b5"),
    Colour("#1f6398", "#66abda"),
)
"""From none to most."""


def place_of(rank: int, colours: tuple[Colour, ...]) -> tuple[int, int]:
    """The place of the colour of the `rank`-th type, and how often all colours were used before it:
    0 means a plain fill, 1 the first kind of stripes, and so on.
    """
    rounds, place = divmod(rank, len(colours))
    return place, rounds


MOST_TASK_TYPES = 24
NO_COLOUR = MOST_TASK_TYPES + 1
"""The rank of the colour of task types that have none of their own, above the ranks of all others:
one more than `MOST_TASK_TYPES` may have their own."""
MOST_MACHINE_TYPES = 8


@dataclass(frozen=True, eq=False, slots=True)
class Leaders:
    """`own` are the types with a colour of their own, the heaviest first. `rank[k]`, by which its
    colour is chosen, is the position of type k in `own`, or `tail` for all others.
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


def colour_ranks(names: Sequence[str], weight: FloatArray, study: System | None) -> IntArray:
    """The rank of the colour of each type of these names. If all are task types of a study, each
    has the colour that it has on all its pages; else the heaviest have colours of their own.
    """
    of_study = {} if study is None else {name: i for i, name in enumerate(study.task_names)}
    if study is not None and of_study.keys() >= set(names):
        lead = leading_task_types(study)
        rank = lead.rank[[of_study[name] for name in names]]
    else:
        lead = leaders(weight, MOST_TASK_TYPES)
        rank = lead.rank
    return np.where(rank < lead.tail, rank, NO_COLOUR)
