"""What is computed for the page Fair shares, each in a job of its own."""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

import numpy as np

from core import System
from core.capabilities.fair_shares.energy import EnergyFront, energy_front
from core.capabilities.fair_shares.optimum import LeastStretch
from core.capabilities.fair_shares.recheck import front_faults
from core.capabilities.fair_shares.shares import (
    AskedBags,
    FairShares,
    OneMore,
    Shortage,
    TriedStretch,
    one_more_of_each,
    promises_of,
)
from core.engines.compute.task import Task
from core.vocabulary.budget import Budget
from dashboard.screens.fair_shares.inputs import BagsInputs, bags_of, work_of
from dashboard.screens.fair_shares.state import BagsDesk
from dashboard.server.background import Job
from dashboard.workspace import asking

PAGE: Final = "fair_shares"
_QUICK_WORK: Final = 10_000
"""More than this takes long, and leaves room for others."""
FRONT_SECONDS: Final = 20.0
"""For the front of energy, which takes less than a second for a dozen bags."""
T = TypeVar("T")


def ask(name: str, desk: BagsDesk, work: Callable[[Job[T]], None], *more: object) -> Job[T]:
    """The job of this name, for what is asked on the desk, and what it is about `more`."""
    return asking.jobs(PAGE).ask(name, (desk.asked, *more), work)


def again(name: str) -> Callable[[], None]:
    """A step that lets a job begin anew that ended early."""

    def drop() -> None:
        asking.jobs(PAGE).drop(name)

    return drop


def computed(
    said: str, task: Task[T], seconds: float = 0.0, *, at_once: bool = False
) -> Callable[[Job[T]], None]:
    """The work of a job of one computation. It leaves room for others unless done `at_once`."""

    def work(job: Job[T]) -> None:
        job.begin(said, seconds)
        if at_once:
            job.show(job.compute(task))
            return
        with job.turn() as turn:
            job.show(turn.compute(task))

    return work


def answering(desk: BagsDesk) -> Callable[[Job[FairShares]], None]:
    """The work of a job that answers."""
    system, inputs, title = desk.system, desk.inputs, desk.title

    def work(job: Job[FairShares]) -> None:
        quick = work_of(bags_of(system, inputs)) <= _QUICK_WORK
        task = Task(shares_found, (system, inputs, title))
        computed("Looking for the best possible worst stretch", task, at_once=quick)(job)

    return work


def shares_found(system: System, inputs: BagsInputs, name: str = "") -> FairShares:
    """The answer. Raises `InvalidInput` and `SolverFailed`."""
    return promises_of(AskedBags(bags_of(system, inputs), name, inputs.change, inputs.clock))


def at_best(found: FairShares) -> TriedStretch:
    """The best possible stretch, which is planned already."""
    now = found.now
    short = found.short or Shortage(0.0, np.zeros(0), np.zeros(0))
    return TriedStretch(now.bags, now.plan_stretch, 1.0, now.plan, short, found.wrong)


class CheckedFront(NamedTuple):
    """The front of worst stretch and energy, and what an independent check finds wrong."""

    front: EnergyFront
    wrong: tuple[str, ...]


def front_found(now: LeastStretch) -> CheckedFront:
    """The front, as far as it is traced in time. Raises `SolverFailed` and `NoScheduleFound`."""
    front = energy_front(now, Budget(FRONT_SECONDS))
    return CheckedFront(front, tuple(front_faults(front, now.baseline.tolist())))


def one_more(before: LeastStretch) -> tuple[OneMore, ...]:
    """What one more of each kind of machines brings, and more bandwidth."""
    return tuple(one_more_of_each(before))
