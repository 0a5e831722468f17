"""Would-be systems: a sound one, and ways to spoil it in one place."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import Problem
from core.vocabulary.system import System
from core.vocabulary.system_problems import find_problems

INF, NAN = math.inf, math.nan


@dataclass
class Draft:
    """A sound would-be system, to be spoilt in one place: T2 cannot run on the GPU."""

    tasks: list[TaskType] = field(default_factory=lambda: [TaskType("T1", 5), TaskType("T2", 7)])
    machines: list[MachineType] = field(
        default_factory=lambda: [MachineType("CPU", 3, 10.0), MachineType("GPU", 2, 20.0)]
    )
    etc: FloatArray = field(default_factory=lambda: np.array([[1.0, 2.0], [3.0, INF]]))
    apc: FloatArray | None = field(default_factory=lambda: np.array([[50.0, 60.0], [70.0, NAN]]))
    estimated: BoolArray | None = None

    def problems(self) -> list[Problem]:
        return find_problems(self.tasks, self.machines, self.etc, self.apc, self.estimated)

    def system(self) -> System:
        return System(tuple(self.tasks), tuple(self.machines), self.etc, self.apc, self.estimated)


Spoil = Callable[[Draft], None]


def name_task(name: str) -> Spoil:
    return lambda draft: draft.tasks.__setitem__(0, TaskType(name, 5))


def name_machine(name: str) -> Spoil:
    return lambda draft: draft.machines.__setitem__(1, MachineType(name, 2, 20.0))


def count_tasks(count: Any) -> Spoil:
    """Any, as what a file or an editor holds may be no number."""
    return lambda draft: draft.tasks.__setitem__(1, TaskType("T2", count))


def count_machines(count: Any) -> Spoil:
    return lambda draft: draft.machines.__setitem__(1, MachineType("GPU", count, 20.0))


def idle(watts: float, asleep: float | None = None) -> Spoil:
    return lambda draft: draft.machines.__setitem__(1, MachineType("GPU", 2, watts, asleep))


def etc(i: int, j: int, seconds: float) -> Spoil:
    return lambda draft: draft.etc.__setitem__((i, j), seconds)


def apc(i: int, j: int, watts: float) -> Spoil:
    def spoil(draft: Draft) -> None:
        assert draft.apc is not None
        draft.apc[i, j] = watts

    return spoil


def only_absent_machines_for_t2(draft: Draft) -> None:
    draft.machines[0] = MachineType("CPU", 0, 10.0)


def mark(*cells: tuple[int, int]) -> Spoil:
    def spoil(draft: Draft) -> None:
        draft.estimated = np.zeros(draft.etc.shape, bool)
        for cell in cells:
            draft.estimated[cell] = True

    return spoil
