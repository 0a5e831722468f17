"""Weighings of several objectives, spread over the simplex of weights that sum to 1."""

import math
from itertools import product
from typing import Final

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import SUM_ROUNDING

_FEWEST_LINES: Final = 3


def orthogonal_weighings(objectives: int, lines: int) -> FloatArray:
    """The points of a square grid in the plane of weights that sum to 1, around equal weights, that
    have no negative weight; and each objective alone.
    """
    basis = _basis(objectives)
    reach = math.sqrt(1 - 1 / objectives)
    grid = np.linspace(-reach, reach, lines)
    steps = np.array(list(product(grid, repeat=objectives - 1)))
    weights = 1 / objectives + steps @ basis
    alone = np.eye(objectives)
    kept = weights[(weights >= -SUM_ROUNDING).all(axis=1)]
    return np.vstack([alone, np.maximum(kept, 0.0)])


def lines_for(objectives: int, most: int) -> int:
    """The lines of the finest grid that has at most so many weighings, from 3 lines on."""
    lines = _FEWEST_LINES
    while len(orthogonal_weighings(objectives, lines + 1)) <= most:
        lines += 1
    return lines


def _basis(objectives: int) -> FloatArray:
    """Orthonormal directions, a line each, along which the sum of weights stays."""
    lines = np.zeros((objectives - 1, objectives))
    for k in range(objectives - 1):
        lines[k, : k + 1], lines[k, k + 1] = 1.0, -(k + 1.0)
    return np.asarray(lines / np.linalg.norm(lines, axis=1, keepdims=True))
