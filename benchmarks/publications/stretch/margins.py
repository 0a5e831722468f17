"""Whether what is said of means holds, by margins in the same scenarios."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import Interval


class Judged(NamedTuple):
    """Whether a sentence `holds` for the means of a sample, and whether that is `undecided`: a
    margin may be above 0 or below it, by its interval of 95 %. `closest` is the least margin, that
    of number `at`.
    """

    holds: bool
    undecided: bool
    closest: Interval
    at: int

    @property
    def said(self) -> str:
        return f"{self.closest.mean:+.3f} ± {self.closest.half_width:.3f}"


def judged(*margins: FloatArray) -> Judged:
    """A sentence says that all of these margins are at least 0 on average; each has a value for
    every scenario.
    """
    found = [Interval.of(margin) for margin in margins]
    at = min(range(len(found)), key=lambda number: found[number].mean)
    surely = all(one.low >= 0 for one in found)
    never = any(one.high < 0 for one in found)
    return Judged(found[at].mean >= 0, not surely and not never, found[at], at)


def all_pairs(groups: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Each of a group with each of the next one."""
    return [
        (one, other)
        for group, following in pairwise(groups)
        for one in group
        for other in following
    ]
