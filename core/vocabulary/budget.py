"""What a computation may spend, and the errors of one that found no schedule with it."""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final, Self

from core.vocabulary.ranges import Range

DEFAULT_SECONDS: Final = 2.0
"""Seconds of polish, by default."""
SECONDS: Final = Range(0, 1e6, "s")
"""Seconds that a computation may be allowed."""


class NoScheduleFound(RuntimeError):
    """A method ended without a schedule; the message says why, and what to do about it."""


class TooLong(NoScheduleFound):
    """The seconds passed before there was a schedule."""


class Cancelled(NoScheduleFound):
    """The computation was cancelled before it found a schedule."""


def never() -> bool:
    return False


class Work:
    """A clock that counts computed work, however long the computer took for it.

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

    By default it counts seconds. With a clock of `Work` it counts units of work, and the same
    computation then finds the same again. That needs one thread: which of several threads is first
    is chance.

    `should_stop` is called a few times a second, and not always from the thread that solves.
    """

    seconds: float = math.inf
    threads: int = 1
    should_stop: Callable[[], bool] = never
    clock: Callable[[], float] = time.perf_counter
    started: float = field(init=False)

    @classmethod
    def of_work(cls, units: float, should_stop: Callable[[], bool] = never) -> Self:
        """A budget of so many units of work, for runs that are compared."""
        return cls(units, 1, should_stop, Work())

    def __post_init__(self) -> None:
        object.__setattr__(self, "started", self.clock())
        if not self.seconds > 0:
            raise ValueError(f"a method needs time: seconds above 0, not {self.seconds:g}")
        if self.threads < 1:
            raise ValueError(f"a method needs at least one thread, not {self.threads}")
        if isinstance(self.clock, Work) and self.threads > 1:
            raise ValueError(f"work is counted on one thread, not on {self.threads}")

    def part(self, seconds: float) -> Self:
        """A part of the budget, `seconds` long, that starts now."""
        return replace(self, seconds=seconds)

    def spend(self, work: float) -> None:
        """Count units of work as done; a budget that counts seconds ignores them."""
        if isinstance(self.clock, Work):
            self.clock.add(work)

    @property
    def used(self) -> float:
        """Seconds, or units of work, since the start."""
        return self.clock() - self.started

    @property
    def left(self) -> float:
        """Seconds, or units of work, that remain; at least 0."""
        return max(self.seconds - self.used, 0.0)

    def check(self, doing: str) -> None:
        """Raise `Cancelled` if asked to stop, `TooLong` if the budget is spent; `doing` names the
        current step in the message.
        """
        if self.should_stop():
            raise Cancelled(f"stopped while {doing}")
        if not self.left:
            raise TooLong(f"{self.seconds:g} s passed while {doing}; allow more seconds")


@dataclass(frozen=True, slots=True)
class Effort:
    """What a computation is allowed; a budget is made of it when the computation begins.

    So many `seconds` on so many `threads`; nothing is searched for if 0. With `work` the clock does
    not matter: so many units of `Work` are counted, on one thread. Then the same `seed` of random
    numbers gives the same again.
    """

    seconds: float = DEFAULT_SECONDS
    work: float | None = None
    threads: int = 1
    seed: int = 0

    @property
    def allowed(self) -> float:
        """Seconds, or units of work."""
        return self.seconds if self.work is None else self.work

    def budget(self, should_stop: Callable[[], bool] = never) -> Budget:
        """All that is allowed, from now on."""
        if self.work is None:
            return Budget(self.seconds, self.threads, should_stop)
        return Budget.of_work(self.work, should_stop)

    def refuse_work_for(self, method: str, *, unless: bool) -> None:
        """Raise `ValueError` if work is given to a method that cannot count it."""
        if self.work is not None and not unless:
            raise ValueError(f"work is not counted for '{method}'")


USUAL_EFFORT: Final = Effort()
"""The default."""


class Stopwatch:
    """Seconds that each phase took in all, by its name; 0 for those of `phases` that never ran."""

    def __init__(self, phases: Iterable[str] = ()) -> None:
        self.seconds = dict.fromkeys(phases, 0.0)
        self.last = time.perf_counter()

    def lap(self, phase: str) -> None:
        """End the phase of this name now; a phase that comes again adds to its seconds."""
        now = time.perf_counter()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - self.last
        self.last = now
