"""The kinds of tasks and of machines that a system has."""

from dataclasses import dataclass
from typing import Literal

TypeKind = Literal["task type", "machine type"]


@dataclass(frozen=True, slots=True)
class TaskType:
    """A kind of task, and how many tasks of it there are to run."""

    name: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class MachineType:
    """A kind of machine, how many there are, and the watts that one draws while it runs no task."""

    name: str
    count: int = 1
    idle_power: float = 0.0
