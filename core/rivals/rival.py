"""What a rival is: a way that others would make a schedule, called like every other one."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from core.model.budget import Budget, never
from core.model.schedule import Schedule
from core.model.system import System


class MissingExtra(ImportError):
    """The rival needs a package that is not installed; the message names the extra to install."""


class RivalMethod(Protocol):
    def __call__(self, system: System, budget: Budget, /) -> Schedule: ...


@dataclass(frozen=True, slots=True)
class Rival:
    """A named method.

    `anytime`: it searches until the seconds pass (or its schedule is proved best) and returns the
    best it has; the others build one schedule, and need what time they need.
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

        Raises `TooLong` when the seconds pass before there is one, `Cancelled` when `should_stop`
        says so before, and `MissingExtra` when the rival cannot run here.
        """
        return self.method(system, Budget(seconds, threads, should_stop))
