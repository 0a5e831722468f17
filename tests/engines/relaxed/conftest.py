"""What the tests of the bounds share: exact optima, random systems, small tables."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from core.engines.relaxed import fitting
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


@pytest.fixture(scope="session")
def exact_optimum():
    """The least objective of any schedule, by trying all of them in rational arithmetic."""

    def search(system, objective):
        kinds = np.repeat(np.arange(len(system.machine_types)), system.machine_counts).tolist()
        tasks = np.repeat(np.arange(len(system.task_types)), system.task_counts).tolist()
        idle = [Fraction(watts) for watts in system.idle_power]
        able = [[m for m, kind in enumerate(kinds) if system.can_run[i, kind]] for i in tasks]
        values = []
        for places in itertools.product(*able):
            busy = [Fraction(0)] * len(kinds)
            joules = Fraction(0)
            for i, machine in zip(tasks, places, strict=True):
                seconds = Fraction(system.etc[i, kinds[machine]])
                busy[machine] += seconds
                if system.apc is not None:
                    joules += seconds * Fraction(system.apc[i, kinds[machine]])
            makespan = max(busy)
            for kind, seconds in zip(kinds, busy, strict=True):
                joules += idle[kind] * (makespan - seconds)
            values.append(
                Fraction(objective.energy) * joules + Fraction(objective.makespan) * makespan
            )
        return min(values)

    return search


@pytest.fixture(scope="session")
def random_system():
    """A middling system by its seed: 6 x 4 types, a fifth of the pairs impossible, idle watts."""

    def make(seed):
        rng = np.random.default_rng(seed)
        etc = rng.uniform(1, 100, (6, 1)) * rng.uniform(1, 10, (6, 4))
        etc[:, 1:][rng.random((6, 3)) < 0.25] = np.inf
        apc = np.where(np.isfinite(etc), rng.uniform(50, 200, etc.shape), np.nan)
        return System(
            tuple(TaskType(f"T{i}", int(n)) for i, n in enumerate(rng.integers(0, 200, 6))),
            tuple(
                MachineType(f"M{j}", int(n), float(watts))
                for j, (n, watts) in enumerate(
                    zip(rng.integers(1, 9, 4), rng.uniform(0, 80, 4), strict=True)
                )
            ),
            etc,
            apc,
        )

    return make


@pytest.fixture(scope="module")
def coarse_fitting():
    """Tables of a twentieth of the size: in plain Python those that people get take seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fitting, "_GRID", 1000)
        yield
