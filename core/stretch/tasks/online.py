"""What is known at each release, if bags are known only when they arrive."""

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from core.model.arrays import FloatArray, IntArray
from core.stretch.bags import ArrivingBags
from core.stretch.tasks.machine_work import MachineWork
from core.stretch.tasks.policies import (
    POLISH_EFFORT,
    PUBLISHED_POLICIES,
    PlanOfReleased,
    run_policy,
)
from core.stretch.tasks.running import OpenTasks
from core.stretch.tasks.state import TaskPlan

ONLINE_POLICY: Final = "cbs3m-edf-online"


class OnlineStep(NamedTuple):
    """A plan for the bags that are known at a time (s).

    `stretch` is the least worst stretch of what is left of them, and `due` says by when each can be
    done (s); infinite for those that are not known. `unsent` and `unfinished` are tasks.
    """

    now: float
    stretch: float
    due: FloatArray
    unsent: IntArray
    unfinished: IntArray


class _Recorded:
    """A planner that keeps what it knew."""

    at_releases = True

    def __init__(self, work: MachineWork) -> None:
        self._work, self._planner = work, PlanOfReleased(work, POLISH_EFFORT)
        self.steps: list[OnlineStep] = []

    def plan(self, run: OpenTasks) -> TaskPlan:
        found, work = self._planner.plan(run), self._work
        begin = float(work.bags.release[work.bags.present].min())
        stretch = self._planner.stretch
        due = begin + work.release + stretch * work.ideal
        known = work.release <= run.now
        self.steps.append(
            OnlineStep(
                begin + run.now,
                stretch,
                np.where(known, due, np.inf),
                run.unsent,
                run.unfinished,
            )
        )
        return found


def online_steps(bags: ArrivingBags) -> list[OnlineStep]:
    """The plans of the policy `ONLINE_POLICY`, one for each time at which bags are released.

    Raises `InvalidInput` if a task fits on no machine, and `SolverFailed`.
    """
    work = MachineWork.of(bags)
    recorded = _Recorded(work)
    policy = PUBLISHED_POLICIES[ONLINE_POLICY]
    run_policy(work, replace(policy, planner=lambda *_: recorded))
    return recorded.steps
