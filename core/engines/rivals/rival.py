"""A rival: a method of others to make a schedule, with the same interface for all.

Rivals number single machines in the order of the machine types.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.vocabulary.arrays import IntArray
from core.vocabulary.budget import Budget, never
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


class MissingExtra(ImportError):
    """The rival needs a package that is not installed; the message names the extra to install."""


class RivalMethod(Protocol):
    def __call__(self, system: System, budget: Budget, /) -> Schedule: ...


@dataclass(frozen=True, slots=True)
class Rival:
    """A named method.

    An `anytime` rival searches until its seconds are over, or its schedule is proven best, and
    returns the best one found. Others build one schedule, and take the time that they need.
    """

    name: str
    title: str
    method: RivalMethod
    anytime: bool = False

    def solve(
        self,
        system: System,
        *,
        seconds: float = math.inf,
        threads: int = 1,
        should_stop: Callable[[], bool] = never,
    ) -> Schedule:
        """The rival's schedule for the least makespan.

        Raises `TooLong` if the seconds are over before there is one, `Cancelled` if `should_stop`
        says so before, and `MissingExtra` if the rival is not installed.
        """
        return self.method(system, Budget(seconds, threads, should_stop))


def machine_kinds(system: System) -> IntArray:
    """The machine type of every single machine. Ties between machines go to the first."""
    return np.repeat(np.arange(len(system.machine_types)), system.machine_counts)


def schedule_of_machines(system: System, tasks: IntArray) -> Schedule:
    """The schedule in which single machine k runs `tasks[k, i]` tasks of type i."""
    kinds = machine_kinds(system)
    return Schedule.from_groups(system, kinds, np.ones(len(tasks), np.int64), tasks)
