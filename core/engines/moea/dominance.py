"""Which points of several objectives, all to be minimised, are not dominated."""

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray, IntArray


def dominated_by(one: FloatArray, points: FloatArray) -> BoolArray:
    """Whether a point is as good as each of the points in all objectives, and better in one."""
    return np.asarray((one <= points).all(axis=-1) & (one < points).any(axis=-1))


def front(points: FloatArray) -> IntArray:
    """The places of the points that no other dominates; of equal ones, the first."""
    _, first = np.unique(points, axis=0, return_index=True)
    different = points[first]
    dominated = dominated_by(different[:, None, :], different[None, :, :]).any(axis=0)
    return np.asarray(np.sort(first[~dominated]))


def hypervolume(points: FloatArray, reference: FloatArray) -> float:
    """The volume that points dominate, up to a reference point; those beyond that add nothing.

    Slices along the last objective, each a problem with one objective less.
    """
    points = points[(points < reference).all(axis=1)]
    if not len(points):
        return 0.0
    if len(reference) == 1:
        return float(reference[0] - points.min())
    points = points[np.argsort(points[:, -1], kind="stable")]
    heights = np.diff(points[:, -1], append=reference[-1])
    return sum(
        float(height) * hypervolume(points[: place + 1, :-1], reference[:-1])
        for place, height in enumerate(heights)
        if height > 0
    )
