"""The recipes that wrote the systems of `sample_data/`, and what else draws systems like them.

`python -m benchmarks.samples sample_data` writes their tables again, byte for byte; their READMEs
are written by hand. The committed files are what counts: recipes draw from seeds, and a later NumPy
may draw other numbers. `university` is derived from its log: see `benchmarks/university_log.py`.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from core.files import write_system
from core.files.samples.generate import CoefficientOfVariation, MachineLevels, RangeBased, redrawn
from core.vocabulary.arrays import FloatArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

SEED: Final = 2015

E1_SECONDS: Final = np.array([[1, 3, 100], [100, 3, 1.1]])

E2_SECONDS: Final = np.array(
    [
        [5, 10, 10, 101, 30],
        [15, 30, 30, 300, 90],
        [50, 101, 11, 1010, 303],
        [50, 101, 100, 1010, 303],
        [505, 1010, 1001, 10100, 3030],
        [15, 30, 12, 300, 90],
        [55, 110, 110, 1100, 330],
        [17, 34, 16, 340, 102],
        [6, 11, 10, 110, 33],
        [5, 10, 10, 100, 30],
    ],
    np.float64,
)

E3_SECONDS: Final = np.array(
    [
        [57, 28, 72, 45, 41, 19, 27, 28, 26],
        [98, 50, 120, 77, 70, 37, 49, 49, 45],
        [463, 303, 362, 342, 314, 311, 303, 290, 264],
        [165, 113, 113, 120, 111, 122, 114, 108, 98],
        [167, 91, 185, 129, 118, 74, 90, 88, 81],
        [162, 87, 185, 125, 114, 68, 85, 84, 77],
        [45, 22, 57, 36, 33, 15, 22, 22, 20],
        [57, 28, 74, 45, 41, 18, 27, 27, 25],
        [59, 36, 54, 44, 41, 34, 36, 35, 32],
        [39, 22, 41, 30, 27, 19, 21, 21, 19],
    ],
    np.float64,
)

# Invented: plausible watts of a machine of each type of the sample "nine".
NINE_WATTS: Final = np.array([115, 185, 80, 90, 110, 200, 150, 125, 140], np.float64)

HCSP_CLASSES: Final = {
    "hihi": RangeBased(3000.0, 1000.0),
    "hilo": RangeBased(3000.0, 10.0),
    "lohi": RangeBased(100.0, 1000.0),
    "lolo": RangeBased(100.0, 10.0),
}
"""Heterogeneity of tasks, then of machines, as the classes of the HCSP benchmark are named."""


def _nine() -> System:
    rng = np.random.default_rng(SEED)
    etc = _grown_from_e3(30, rng)
    apc = np.round(MachineLevels().draw_about(NINE_WATTS, len(etc), rng), 2)
    counts = skewed_counts(len(etc), 1100, 11, 75, rng)
    return System(task_types_of(counts), machine_types_of([4] * 9), etc, apc)


def _six() -> System:
    return first_machine_types(_nine(), 6)


def _two() -> System:
    return first_machine_types(_nine(), 2)


def _ten() -> System:
    rng = np.random.default_rng(SEED)
    etc = CoefficientOfVariation(10.0, 0.35, 0.35).draw(50, 10, rng)
    apc = CoefficientOfVariation(100.0, 0.1, 0.2).draw(50, 10, rng)
    # The added hundredth of a second keeps the shortest times above 0 when they are rounded.
    system = System(
        task_types_of([1] * 50),
        machine_types_of([5] * 10),
        np.round(etc + 0.01, 3),
        np.round(apc, 2),
    )
    return resample(system, 1000, rng)


def _e1() -> System:
    return System(task_types_of([1] * 2), machine_types_of([1] * 3), E1_SECONDS)


def _e2() -> System:
    return System(task_types_of([1] * 10), machine_types_of([1, 1, 1, 1, 10]), E2_SECONDS)


def _e3() -> System:
    return System(task_types_of([1] * 10), machine_types_of([1] * 9), E3_SECONDS)


def _testbed() -> System:
    """90 tasks, mixed 40 : 10 : 10 : 40; a machine is a whole cluster that runs one task at a time.

    As slots of eight cores it would let MG.16, which needs sixteen, share a cluster with another
    task.
    """
    never, blank = np.inf, np.nan
    return System(
        (TaskType("IS.8", 36), TaskType("MG.8", 9), TaskType("MG.16", 9), TaskType("IS_CG.8", 36)),
        tuple(MachineType(f"cluster {number}") for number in range(1, 5)),
        np.array(
            [
                [1675, 750, 552, 430],
                [1100, 712, never, never],
                [702, 500, 380, 326],
                [1039, 900, 700, 1366],
            ]
        ),
        np.array(
            [[15.5, 47, 31.5, 66], [25, 58, blank, blank], [49, 110, 80, 155], [23, 53, 39.5, 77.5]]
        ),
    )


def _two_by_two() -> System:
    return System(
        task_types_of([6, 6]),
        (MachineType("A"), MachineType("B")),
        np.array([[1.0, 2.0], [2.0, 3.0]]),
        np.array([[100.0, 30.0], [100.0, 30.0]]),
    )


def resample(system: System, tasks: int, rng: np.random.Generator) -> System:
    """The same system with another batch: `tasks` tasks drawn from its mix of types, with
    replacement.
    """
    return system.with_counts(redrawn(system.task_counts, tasks, rng), system.machine_counts)


def task_types_of(counts: Sequence[int]) -> tuple[TaskType, ...]:
    return tuple(TaskType(f"T{i}", count) for i, count in enumerate(counts, start=1))


def machine_types_of(counts: Sequence[int]) -> tuple[MachineType, ...]:
    return tuple(MachineType(f"M{j}", count) for j, count in enumerate(counts, start=1))


def first_machine_types(system: System, kept: int) -> System:
    """The same machines in number, but all of the first `kept` types, equally many of each."""
    return System(
        system.task_types,
        machine_types_of([system.machines // kept] * kept),
        system.etc[:, :kept],
        None if system.apc is None else system.apc[:, :kept],
    )


def _grown_from_e3(task_types: int, rng: np.random.Generator) -> FloatArray:
    """E3's rows, then mixtures of them: the machine profiles of two rows interpolated, and a new
    size.

    A profile is a row divided by its mean. Profiles are mixed geometrically, with 5 % noise, and
    sizes are log-uniform over the range of E3's.
    """
    sizes = E3_SECONDS.mean(axis=1)
    profiles = E3_SECONDS / sizes[:, None]
    smallest, largest = np.log([sizes.min(), sizes.max()])
    rows = list(E3_SECONDS)
    while len(rows) < task_types:
        one, other = rng.choice(len(profiles), 2, replace=False)
        share = rng.random()
        noise = np.exp(rng.normal(0.0, 0.05, profiles.shape[1]))
        profile = profiles[one] ** share * profiles[other] ** (1.0 - share) * noise
        rows.append(np.exp(rng.uniform(smallest, largest)) * profile / profile.mean())
    return np.round(np.array(rows), 2)


def skewed_counts(
    types: int, total: int, least: int, most: int, rng: np.random.Generator
) -> list[int]:
    """Counts from `least` to `most`, small ones more often, then changed one by one to sum to
    `total`.
    """
    counts = least + np.round((most - least) * rng.random(types) ** 1.5).astype(np.int64)
    while (lacking := total - counts.sum()) != 0:
        i = rng.integers(types)
        mended = counts[i] + np.sign(lacking)
        if least <= mended <= most:
            counts[i] = mended
    return [int(count) for count in counts]


RECIPES: Final[dict[str, Callable[[], System]]] = {
    "nine": _nine,
    "six": _six,
    "two": _two,
    "ten": _ten,
    "e1": _e1,
    "e2": _e2,
    "e3": _e3,
    "testbed": _testbed,
    "two-by-two": _two_by_two,
}


if __name__ == "__main__":
    for name, recipe in RECIPES.items():
        write_system(recipe(), Path(sys.argv[1]) / name)
