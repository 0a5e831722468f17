"""What is computed for the page Fair shares: the answer, one stretch tried, one more of each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core import System
from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.energy import EnergyFront, energy_front
from core.capabilities.fair_shares.one_more import OneMore, one_more_of_each
from core.capabilities.fair_shares.optimum import LeastStretch
from core.capabilities.fair_shares.plan import FluidPlan
from core.capabilities.fair_shares.recheck import faults, front_faults
from core.capabilities.fair_shares.shares import AskedBags, FairShares, fair_shares
from core.capabilities.fair_shares.trying import Shortage, TriedStretch, try_stretch
from core.engines.compute.task import Task
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget
from dashboard.screens.fair_shares.inputs import BagsInputs, bags_of, work_of
from dashboard.server.background import Job

_QUICK_WORK: Final = 10_000
"""More than this takes long, and leaves room for others."""
FRONT_SECONDS: Final = 20.0
"""For the front of energy, which takes less than a second for a dozen bags."""


@dataclass(frozen=True, slots=True)
class AskedShares:
    """A question, to tell it from others. The system is known by its fingerprint."""

    fingerprint: str
    inputs: BagsInputs


def answering(system: System, inputs: BagsInputs, name: str) -> Callable[[Job[FairShares]], None]:
    """The work of a job that answers."""

    def work(job: Job[FairShares]) -> None:
        job.begin("Looking for the best possible worst stretch")
        task = Task(shares_found, (system, inputs, name))
        if work_of(bags_of(system, inputs)) <= _QUICK_WORK:
            job.show(job.compute(task))
            return
        with job.turn() as turn:
            job.show(turn.compute(task))

    return work


def shares_found(system: System, inputs: BagsInputs, name: str = "") -> FairShares:
    """The answer. Raises `InvalidInput` and `SolverFailed`."""
    return fair_shares(AskedBags(bags_of(system, inputs), name, inputs.change, inputs.clock))


@dataclass(frozen=True, eq=False, slots=True)
class CheckedStretch:
    """One stretch: whether it is possible, its plan, and what an independent check finds wrong."""

    tried: TriedStretch
    wrong: tuple[str, ...]

    @property
    def plan(self) -> FluidPlan | None:
        return self.tried.plan


def trying(found: FairShares, stretch: float) -> Callable[[Job[CheckedStretch]], None]:
    """The work of a job that tries a stretch."""

    def work(job: Job[CheckedStretch]) -> None:
        job.begin("Planning at this stretch")
        now = found.now
        job.show(job.compute(Task(checked_stretch, (now.bags, stretch, now.baseline))))

    return work


def checked_stretch(bags: ArrivingBags, stretch: float, baseline: FloatArray) -> CheckedStretch:
    """What is known at a stretch. Raises `SolverFailed`."""
    tried = try_stretch(bags, stretch, baseline)
    wrong = [] if tried.plan is None else faults(tried.plan, stretch, baseline.tolist())
    return CheckedStretch(tried, tuple(wrong))


def at_best(found: FairShares) -> CheckedStretch:
    """The best possible stretch, which is planned already."""
    now = found.now
    short = found.short or Shortage(0.0, np.zeros(0), np.zeros(0))
    tried = TriedStretch(now.bags, now.plan_stretch, 1.0, now.plan, short)
    return CheckedStretch(tried, found.wrong)


@dataclass(frozen=True, eq=False, slots=True)
class CheckedFront:
    """The front of worst stretch and energy, and what an independent check finds wrong."""

    front: EnergyFront
    wrong: tuple[str, ...]


def tracing(found: FairShares) -> Callable[[Job[CheckedFront]], None]:
    """The work of a job that traces the front."""

    def work(job: Job[CheckedFront]) -> None:
        job.begin("Tracing the front of energy", FRONT_SECONDS)
        with job.turn() as turn:
            job.show(turn.compute(Task(front_found, (found.now,))))

    return work


def front_found(now: LeastStretch) -> CheckedFront:
    """The front, as far as it is traced in time. Raises `SolverFailed` and `NoScheduleFound`."""
    front = energy_front(now, Budget(FRONT_SECONDS))
    return CheckedFront(front, tuple(front_faults(front, now.baseline.tolist())))


def adding(found: FairShares) -> Callable[[Job[tuple[OneMore, ...]]], None]:
    """The work of a job that tries one more of each kind of machines, and more bandwidth."""

    def work(job: Job[tuple[OneMore, ...]]) -> None:
        job.begin("Trying one more of each")
        with job.turn() as turn:
            job.show(turn.compute(Task(_one_more, (found.before,))))

    return work


def _one_more(before: LeastStretch) -> tuple[OneMore, ...]:
    return tuple(one_more_of_each(before))
