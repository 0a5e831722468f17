"""Environments in place of those of the publication, whose matrices are not available.

They are drawn by the recipe of the publication. Nine, six and two: it prints the measured times of
ten task types on nine machine types. These are extended to 30 task types by the method that it
names (Friese et al. 2013): the sizes of task types, and the times relative to the size on each
machine type, have the mean, variance, skewness and kurtosis of the measured ones. It prints no
powers; these are extended in the same way from ten rows about a level for each machine type. Six
and two have the first machine types of nine. Ten: times and powers are drawn by coefficients of
variation.

Of ten seeds, the one is kept that `calibration` finds nearest to the published areas and averages.
The samples in `sample_data/` are drawn in another way, and are not used here.
"""

from functools import cache
from typing import Final

import numpy as np

from benchmarks.samples import (
    E3_SECONDS,
    first_machine_types,
    machine_types_of,
    resample,
    skewed_counts,
    task_types_of,
)
from core.files.samples.generate import CoefficientOfVariation, MachineLevels
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System

NAMES: Final = ("nine", "six", "two", "ten")
KINDS: Final = {"nine": 9, "six": 6, "two": 2}
"""The numbers of machine types of the environments that are parts of nine."""

SEED: Final = 2015
CANDIDATES: Final = tuple(range(10))
KEPT: Final = {"nine": 6, "six": 6, "two": 6, "ten": 7}
"""The candidates nearest to the published numbers; a test does the calibration again."""

TASK_TYPES: Final = 30
MACHINES: Final = 4
TEN_SECONDS: Final = CoefficientOfVariation(10.0, 0.6, 0.6)
TEN_WATTS: Final = CoefficientOfVariation(100.0, 0.6, 0.6)

_GRID: Final = 4001


@cache
def stand_in(name: str) -> System:
    """The environment of the candidate kept, without idle power."""
    return drawn(name, KEPT[name])


def drawn(name: str, candidate: int) -> System:
    """The environment of a candidate. Nine, six and two are parts of one system, so one seed draws
    all three.
    """
    if name == "ten":
        return _ten(np.random.default_rng([SEED, 100, candidate]))
    nine = _nine(np.random.default_rng([SEED, candidate]))
    return nine if name == "nine" else first_machine_types(nine, KINDS[name])


def _nine(rng: np.random.Generator) -> System:
    powers = MachineLevels()
    measured, kinds = E3_SECONDS.shape
    levels = rng.uniform(powers.low, powers.high, (kinds,))
    etc = grown(E3_SECONDS, TASK_TYPES, rng)
    apc = grown(powers.draw_about(levels, measured, rng), TASK_TYPES, rng)
    counts = skewed_counts(TASK_TYPES, 1100, 11, 75, rng)
    return System(
        task_types_of(counts),
        machine_types_of([MACHINES] * kinds),
        np.round(etc, 2),
        np.round(apc, 2),
    )


def _ten(rng: np.random.Generator) -> System:
    shape = 50, 10
    # The added hundredth of a second keeps the shortest times above 0 when they are rounded.
    etc = np.round(TEN_SECONDS.draw(*shape, rng) + 0.01, 3)
    apc = np.round(TEN_WATTS.draw(*shape, rng), 2)
    system = System(task_types_of([1] * shape[0]), machine_types_of([5] * shape[1]), etc, apc)
    return resample(system, 1000, rng)


def grown(measured: FloatArray, rows: int, rng: np.random.Generator) -> FloatArray:
    """The measured rows, and random ones of the same distribution: `rows` in all."""
    more = rows - len(measured)
    sizes = measured.mean(axis=1)
    profiles = measured / sizes[:, None]
    new_sizes = like(sizes, more, rng)
    new_profiles = np.column_stack([like(profile, more, rng) for profile in profiles.T])
    return np.vstack([measured, new_sizes[:, None] * new_profiles])


def like(values: FloatArray, count: int, rng: np.random.Generator) -> FloatArray:
    """Draws from the Gram-Charlier expansion of the normal density, with the mean, variance,
    skewness and kurtosis of the values.

    It is cut off where it is negative, below half the least value and above one and a half times
    the largest.
    """
    mean, deviation = values.mean(), values.std()
    standard = (values - mean) / deviation
    skewness, excess = (standard**3).mean(), (standard**4).mean() - 3
    x = np.linspace(values.min() / 2, 1.5 * values.max(), _GRID)
    t = (x - mean) / deviation
    bend = skewness / 6 * (t**3 - 3 * t) + excess / 24 * (t**4 - 6 * t**2 + 3)
    density = np.maximum(np.exp(-(t**2) / 2) * (1 + bend), 0.0)
    mass = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
    return np.interp(rng.random(count), mass / mass[-1], x)
