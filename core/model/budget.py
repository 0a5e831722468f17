"""What a computation may spend, and what is raised when it found nothing with it."""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final, Self

DEFAULT_SECONDS: Final = 2.0
"""Of polish, where nobody says otherwise."""


class NoScheduleFound(RuntimeError):
    """A method ended without a schedule; the message says why, and what to do about it."""


class TooLong(NoScheduleFound):
    """The seconds passed before there was a schedule."""


class Cancelled(NoScheduleFound):
    """Whoever asked for the schedule asked to stop before there was one."""


def never() -> bool:
    return False


class Work:
    """A clock that goes on by what was computed, however long the computer took over it.

    A unit is about what one thread of an ordinary computer (machine 1 of benchmarks/RESULTS.md)
    does in a second. Kernels count their steps, and say how many make a unit, roughly.
    """

    def __init__(self) -> None:
        self.done = 0.0

    def __call__(self) -> float:
        return self.done

    def add(self, units: float) -> None:
        self.done += units


@dataclass(frozen=True, slots=True)
class Budget:
    """What a method may spend, counted from when the budget is made.

    By the clock it is seconds. With a clock of `Work` it is units of work, and the same again finds
    the same; on one thread, for of several one comes first by chance.

    `should_stop` is asked a few times a second, not always from the thread that solves.
    """

    seconds: float = math.inf
    threads: int = 1
    should_stop: Callable[[], bool] = never
    clock: Callable[[], float] = time.perf_counter
    started: float = field(init=False)

    @classmethod
    def of_work(cls, units: float, should_stop: Callable[[], bool] = never) -> Self:
        """So much work, for runs that are compared."""
        return cls(units, 1, should_stop, Work())

    @classmethod
    def allowing(
        cls, seconds: float, threads: int, work: float | None, should_stop: Callable[[], bool]
    ) -> Self:
        """So many seconds, or so much work where that is given."""
        if work is None:
            return cls(seconds, threads, should_stop)
        return cls.of_work(work, should_stop)

    def __post_init__(self) -> None:
        object.__setattr__(self, "started", self.clock())
        if not self.seconds > 0:
            raise ValueError(f"a method needs time: seconds above 0, not {self.seconds:g}")
        if self.threads < 1:
            raise ValueError(f"a method needs at least one thread, not {self.threads}")
        if isinstance(self.clock, Work) and self.threads > 1:
            raise ValueError(f"work is counted on one thread, not on {self.threads}")

    def part(self, seconds: float) -> Self:
        """So much of it, from now on."""
        return replace(self, seconds=seconds)

    def spend(self, work: float) -> None:
        """So many units of work were done, which costs nothing where the clock counts seconds."""
        if isinstance(self.clock, Work):
            self.clock.add(work)

    @property
    def used(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.started

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


class Stopwatch:
    """How many seconds each phase took in all, by its name; `phases` that never come took none."""

    def __init__(self, phases: Iterable[str] = ()) -> None:
        self.seconds = dict.fromkeys(phases, 0.0)
        self.last = time.perf_counter()

    def lap(self, phase: str) -> None:
        """The phase of this name, which may have come before, ends now."""
        now = time.perf_counter()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - self.last
        self.last = now
