"""What a rival is: a way that others would make a schedule, called like every other one."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from core.schedule import Schedule
from core.system import System


class NoScheduleFound(RuntimeError):
    """The rival ended without a schedule; the message says why, and what to do about it."""


class TooLong(NoScheduleFound):
    """The seconds passed before there was a schedule."""


class Cancelled(NoScheduleFound):
    """Whoever asked for the schedule asked to stop before there was one."""


class MissingExtra(ImportError):
    """The rival needs a package that is not installed; the message names the extra to install."""


def never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """What a rival may spend, counted from when the budget is made.

    `should_stop` is asked a few times a second, not always from the thread that solves.
    """

    seconds: float = math.inf
    threads: int = 1
    should_stop: Callable[[], bool] = never
    started: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise ValueError(f"a rival needs time: seconds above 0, not {self.seconds:g}")
        if self.threads < 1:
            raise ValueError(f"a rival needs at least one thread, not {self.threads}")

    @property
    def used(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started

    @property
    def left(self) -> float:
        """Seconds that remain, 0 when none do."""
        return max(self.seconds - self.used, 0.0)

    def check(self, doing: str) -> None:
        """Raise `Cancelled` or `TooLong` if it is time to; `doing` says what was going on."""
        if self.should_stop():
            raise Cancelled(f"stopped while {doing}")
        if not self.left:
            raise TooLong(f"{self.seconds:g} s passed while {doing}; allow more seconds")


class Method(Protocol):
    def __call__(self, system: System, budget: Budget, /) -> Schedule: ...


@dataclass(frozen=True, slots=True)
class Rival:
    """A named method.

    `anytime`: it searches until the seconds pass (or its schedule is proved best) and returns the
    best it has; the others build one schedule, and need what time they need.
    """

    name: str
    title: str
    method: Method
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
