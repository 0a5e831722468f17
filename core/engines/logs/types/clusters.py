"""Task types found in the data: groups of jobs that asked for similar resources.

Jobs are compared by what they asked for (cores, GPUs, memory, time limit), on logarithmic scales.
How long they took is left out: it depends on the machine, and the times of a task type on slow and
fast machines must stay together.
"""

import re
from typing import Any, Final

import numpy as np

from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.rule_parts import RuleRefused, RunBlock
from core.files.findings import shown
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import Sense, counted, duration, rounded, typed
from core.vocabulary.tolerances import SAME

CLUSTERS: Final = Range(2, 50, "clusters")
_MOST_FOUND: Final = 12
_EXPLAINED: Final = 0.9
"""So much of the variance is explained by the number of clusters that is chosen."""
_STARTS: Final = 4
_STEPS: Final = 50
_MOST_CELLS: Final = 2_000
"""Different requests that clusters are made of, the most frequent; the others go to the nearest."""
_BITS: Final = (5, 4, 6, 6)
_COLUMNS: Final = ("cores", "gpus", "memory", "limit")
_HALVES: Final = (1, 1, 2, 2)
"""Steps of each feature in a doubling."""
_UNITS: Final = (1.0, 1.0, 256.0, 60.0)
"""What counts as 1: a core, a GPU, 256 MiB, a minute."""


class Clusters:
    """A part of a rule for task types: the cluster of each run."""

    columns = _COLUMNS

    def __init__(self, store: RunStore, wanted: str) -> None:
        number = _number(wanted)
        cells = np.zeros(1 << sum(_BITS), np.int64)
        for block in store.blocks(_COLUMNS):
            cells += np.bincount(_cells(block), minlength=len(cells))
        there = np.flatnonzero(cells)
        order = there[np.argsort(-cells[there], kind="stable")][:_MOST_CELLS]
        points, weights = _features(order), cells[order].astype(np.float64)
        if len(order) < 2:
            raise RuleRefused(
                "all jobs asked for the same resources, so there are no clusters; choose another "
                "rule"
            )
        self._centres = _clustered(points, weights, number)
        self.count = len(self._centres)
        self._lookup = np.zeros(len(cells), np.int64)
        self._lookup[there] = _nearest(_features(there), self._centres)

    def keys(self, block: RunBlock) -> IntArray:
        return self._lookup[_cells(block)]

    def label(self, key: int) -> str:
        cores, gpus, memory, limit = (
            unit * 2 ** ((value - 1) / halves) if value >= 0.5 else 0.0
            for value, halves, unit in zip(
                self._centres[key].tolist(), _HALVES, _UNITS, strict=True
            )
        )
        said = [counted(max(round(cores), 1), "core")] if cores else []
        if gpus:
            said.append(counted(max(round(gpus), 1), "GPU"))
        if memory:
            said.append(f"{typed(rounded(memory / 1024, Sense.PLAIN, 3))} GiB")
        if limit:
            said.append(f"up to {_duration(limit)}")
        return " ".join(said) or "(nothing asked for)"


def _duration(limit: float) -> str:
    """In whole minutes or hours, since clusters are no more exact."""
    unit = 60.0 if limit < 2 * 3600 else 3600.0
    return duration(max(round(limit / unit), 1) * unit, Sense.PLAIN)


def _number(wanted: str) -> int | None:
    """How many clusters were asked for; None for as many as the data show."""
    if not wanted:
        return None
    if not re.fullmatch(r"[0-9]{1,3}", wanted) or int(wanted) not in CLUSTERS:
        raise RuleRefused(f"'{shown(wanted)}' is no number of clusters; give {CLUSTERS}")
    return int(wanted)


def _cells(block: RunBlock) -> IntArray:
    """The cell of each run: its features in steps, packed into one number."""
    packed = np.zeros(len(block["cores"]), np.int64)
    for name, bits, halves, unit in zip(_COLUMNS, _BITS, _HALVES, _UNITS, strict=True):
        packed = (packed << bits) | _steps(block[name], bits, halves, unit)
    return packed


def _steps(values: np.ndarray[Any, Any], bits: int, halves: int, unit: float) -> IntArray:
    """0 for none, 1 for up to 1, and so on."""
    known = np.nan_to_num(values.astype(np.float64)) / unit
    powers = np.ceil(np.log2(np.maximum(known, 1.0)) * halves - SAME) + 1
    return np.where(known > 0, np.minimum(powers, (1 << bits) - 1), 0).astype(np.int64)


def _features(cells: IntArray) -> FloatArray:
    """The features of cells, in steps."""
    found = np.zeros((len(cells), len(_BITS)))
    for k in range(len(_BITS) - 1, -1, -1):
        found[:, k] = cells & ((1 << _BITS[k]) - 1)
        cells = cells >> _BITS[k]
    return found


def _clustered(points: FloatArray, weights: FloatArray, wanted: int | None) -> FloatArray:
    """The centres of the wanted number of clusters, or of the least number that explains most of
    the variance.
    """
    mean = np.average(points, axis=0, weights=weights)
    whole = float(weights @ ((points - mean) ** 2).sum(axis=1))
    for count in range(2, _MOST_FOUND + 1) if wanted is None else (wanted,):
        centres, left = _best(points, weights, min(count, len(points)))
        if left <= (1 - _EXPLAINED) * whole or count >= len(points):
            break
    return centres[np.lexsort(centres.T[::-1])]


def _best(points: FloatArray, weights: FloatArray, count: int) -> tuple[FloatArray, float]:
    """The centres of the best of some k-means, and the variance that they leave."""
    found = [
        _k_means(points, weights, count, np.random.default_rng(start)) for start in range(_STARTS)
    ]
    return min(found, key=lambda pair: pair[1])


def _k_means(
    points: FloatArray, weights: FloatArray, count: int, rng: np.random.Generator
) -> tuple[FloatArray, float]:
    centres = points[rng.choice(len(points), 1, p=weights / weights.sum())]
    while len(centres) < count:
        distance = weights * _squared(points, centres).min(axis=1)
        if not distance.any():
            break
        more = rng.choice(len(points), 1, p=distance / distance.sum())
        centres = np.concatenate([centres, points[more]])
    for _ in range(_STEPS):
        nearest = _nearest(points, centres)
        total = np.bincount(nearest, weights, len(centres))
        sums = [np.bincount(nearest, weights * column, len(centres)) for column in points.T]
        means = np.stack(sums, 1) / np.where(total > 0, total, 1.0)[:, None]
        moved = np.where(total[:, None] > 0, means, centres)
        if np.array_equal(moved, centres):
            break
        centres = moved
    return centres, float(weights @ _squared(points, centres).min(axis=1))


def _squared(points: FloatArray, centres: FloatArray) -> FloatArray:
    squared: FloatArray = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    return squared


def _nearest(points: FloatArray, centres: FloatArray) -> IntArray:
    """The number of each point's nearest centre, some points at a time."""
    parts = range(0, len(points), 1 << 14)
    found = [_squared(points[k : k + (1 << 14)], centres).argmin(axis=1) for k in parts]
    return np.concatenate(found)
