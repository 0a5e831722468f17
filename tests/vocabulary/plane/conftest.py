"""What the tests of the front share: known and nearly straight fronts, exact areas."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from chains import known_front, nearly_in_a_row

from core.vocabulary.arrays import FloatArray

__all__ = ["known_front", "nearly_in_a_row"]

Exact = tuple[Fraction, Fraction]


@pytest.fixture(scope="session")
def known_schedules() -> FloatArray:
    """What its vertices become when rounded."""
    return np.array([[900.0, 30.0], [1140.0, 18.0], [1360.0, 12.0]])


@pytest.fixture(scope="session")
def area_above() -> Callable[[FloatArray, FloatArray], Fraction]:
    """The area between a boundary and a nadir: trapezoid by trapezoid, in fractions."""

    def total(boundary: FloatArray, nadir: FloatArray) -> Fraction:
        most_energy, most_makespan = map(Fraction, nadir)
        below = [
            (Fraction(energy), most_makespan - Fraction(makespan)) for energy, makespan in boundary
        ]
        if not below or below[0][0] >= most_energy:
            return Fraction(0)
        below.append((max(most_energy, below[-1][0]), below[-1][1]))
        pieces = [piece for a, b in pairwise(below) for piece in _split(a, b, most_energy)]
        trapezoids = [(b[0] - a[0]) * (max(a[1], 0) + max(b[1], 0)) / 2 for a, b in pieces]
        return sum(trapezoids, Fraction(0))

    return total


def _split(a: Exact, b: Exact, most_energy: Fraction) -> Iterator[tuple[Exact, Exact]]:
    """The segment up to the most energy, in parts of which each is all above or all below 0."""
    (left, low), (right, high) = a, b
    if left >= most_energy or left == right:
        return
    slope = (high - low) / (right - left)
    if right > most_energy:
        right, high = most_energy, low + slope * (most_energy - left)
    if low < 0 < high:
        middle = left - low / slope
        yield (left, low), (middle, Fraction(0))
        left, low = middle, Fraction(0)
    yield (left, low), (right, high)
