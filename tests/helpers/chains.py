"""What hypothesis draws from: points of the trade-off, and convex fronts."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st

from core.vocabulary.arrays import FloatArray

_STEP = st.tuples(st.integers(1, 40), st.integers(1, 40))


def points(min_size: int = 0, max_size: int = 12) -> st.SearchStrategy[FloatArray]:
    """Any points, many of them equal, or equal in one coordinate."""
    pair = st.tuples(st.integers(0, 6), st.integers(0, 6))
    rows = st.lists(pair, min_size=min_size, max_size=max_size)
    return rows.map(lambda drawn: np.array(drawn, float).reshape(-1, 2))


@st.composite
def convex_chains(draw: st.DrawFn, min_size: int = 1, max_size: int = 9) -> FloatArray:
    """A convex front in whole numbers; some points may be in a row with their neighbours."""
    steps = draw(st.lists(_STEP, min_size=min_size - 1, max_size=max_size - 1))
    steps.sort(key=lambda step: Fraction(step[1], step[0]), reverse=True)
    energy, makespan = np.array(steps, float).reshape(-1, 2).T
    first = draw(st.integers(0, 1000))
    last = draw(st.integers(0, 1000))
    return np.column_stack(
        [
            first + np.append(0.0, np.cumsum(energy)),
            last + np.append(np.cumsum(makespan[::-1])[::-1], 0.0),
        ]
    )


def scales() -> st.SearchStrategy[FloatArray]:
    """Other units of energy and makespan, far from each other."""
    exponents = st.tuples(st.floats(-12, 30), st.floats(-12, 30))
    return exponents.map(lambda pair: 10.0 ** np.array(pair))


@pytest.fixture(scope="session")
def known_front() -> FloatArray:
    """The front of the 2 x 2 instance without idle power."""
    return np.array([[900.0, 30.0], [1140.0, 18.0], [1404.0, 10.8]])


@pytest.fixture(scope="session")
def nearly_in_a_row() -> list[FloatArray]:
    """Points from (0, 1) to (1, 0), bent either way by about as much as rounding does."""
    rng = np.random.default_rng(3)
    rows = []
    for points in range(3, 43):
        energy = np.linspace(0, 1, points)
        row = np.column_stack([energy, 1 - energy])
        row[1:-1] += 1e-14 * rng.standard_normal((points - 2, 2))
        rows.append(row)
    return rows
