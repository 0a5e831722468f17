"""What is found about bags that arrive: the optimum, that after a change, and one stretch tried."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core import System
from core.engine.task import Task
from core.model.arrays import FloatArray
from core.stretch.bags import ArrivingBags
from core.stretch.optimum import LeastStretch, least_stretch
from core.stretch.plan import FluidPlan
from core.stretch.recheck import faults
from core.stretch.trying import Shortage, TriedStretch, try_stretch
from dashboard.shell.background import Job
from dashboard.stretch.inputs import BagsInputs, bags_of, changed_of

_NEAR: Final = 1 + 1e-6
_BELOW: Final = 1 - 1e-4
"""What is short is asked so far below the best possible stretch, where something is."""


@dataclass(frozen=True, slots=True)
class AskedShares:
    """A question: bags, perhaps changed. `system` is known by its fingerprint."""

    fingerprint: str
    inputs: BagsInputs


@dataclass(frozen=True, eq=False, slots=True)
class SharesFound:
    """The optimum before and after the change; what is short just below it (None: nothing, as no
    bag can be faster than alone); and what an independent check finds wrong.
    """

    asked: AskedShares
    before: LeastStretch
    after: LeastStretch | None
    short: Shortage | None
    wrong: tuple[str, ...]

    @property
    def now(self) -> LeastStretch:
        """After the change, if there is one."""
        return self.before if self.after is None else self.after

    def promises(self, stretch: float | None = None) -> FloatArray:
        """By when each bag is done at a stretch of the present (s); without one, at the least."""
        now = self.now
        if stretch is None:
            return now.deadlines
        return now.bags.release[now.bags.present] + stretch * now.baseline


def answering(system: System, asked: AskedShares) -> Callable[[Job[SharesFound]], None]:
    """The work of a job that answers."""

    def work(job: Job[SharesFound]) -> None:
        job.begin("Looking for the best possible worst stretch")
        job.show(job.compute(Task(shares_found, (system, asked))))

    return work


def shares_found(system: System, asked: AskedShares) -> SharesFound:
    """The answer. Raises `InvalidInput` and `SolverFailed`."""
    before = least_stretch(bags_of(system, asked.inputs))
    wrong = faults(before.plan, before.plan_stretch)
    after = None
    if (changed := changed_of(system, asked.inputs)) is not None:
        baseline = changed.baseline
        after = least_stretch(changed.bags, baseline=baseline)
        wrong += faults(after.plan, after.plan_stretch, baseline.tolist())
    now = before if after is None else after
    short = None
    if now.stretch > _NEAR * float((now.bags.ideal / now.baseline).max()):
        short = try_stretch(now.bags, now.stretch * _BELOW, now.baseline).shortage
    return SharesFound(asked, before, after, short, tuple(wrong))


@dataclass(frozen=True, eq=False, slots=True)
class CheckedStretch:
    """One stretch: whether it is possible, its plan, and what an independent check finds wrong."""

    tried: TriedStretch
    wrong: tuple[str, ...]

    @property
    def plan(self) -> FluidPlan | None:
        return self.tried.plan


def trying(found: SharesFound, stretch: float) -> Callable[[Job[CheckedStretch]], None]:
    """The work of a job that tries a stretch."""

    def work(job: Job[CheckedStretch]) -> None:
        job.begin("Planning at this stretch")
        now = found.now
        job.show(job.compute(Task(checked_stretch, (now.bags, stretch, now.baseline))))

    return work


def checked_stretch(bags: ArrivingBags, stretch: float, baseline: FloatArray) -> CheckedStretch:
    """What is known at a stretch. Raises `SolverFailed`."""
    tried = try_stretch(bags, stretch, baseline)
    wrong = () if tried.plan is None else faults(tried.plan, stretch, baseline.tolist())
    return CheckedStretch(tried, tuple(wrong))


def moved(found: SharesFound) -> FloatArray | None:
    """By how many seconds the promise of each bag that was there before is later after the change;
    None without one.
    """
    if found.after is None:
        return None
    before = found.before.deadlines
    difference: FloatArray = found.after.deadlines[: len(before)] - before
    return np.where(np.abs(difference) < 1e-3, 0.0, difference)
