"""What is known at each release, if bags are known only when they arrive."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.planners import Planner, least_remaining, what_remains
from core.capabilities.fair_shares.tasks.policies import (
    POLISH_EFFORT,
    TASK_POLICIES,
    TaskPolicy,
    run_policy,
)
from core.capabilities.fair_shares.tasks.running import OpenTasks
from core.capabilities.fair_shares.tasks.state import TaskPlan
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import Effort

ONLINE_POLICIES: Final[Mapping[str, TaskPolicy]] = {
    name: policy for name, policy in TASK_POLICIES.items() if policy.mode == "online"
}
"""The policies, by name, that plan what is left of the known bags anew at each release, by name."""


class OnlineStep(NamedTuple):
    """What is known when bags are released, at `now` (s).

    `stretch` is the least worst stretch that is possible for what is left of the known bags, as
    tasks that can be split, and `without_new` the same without the bags of this release (None:
    nothing is left of others). `due` says by when each bag can be done (s); infinite for those that
    are not known. `unsent` and `unfinished` are tasks. `planned` is what came until now, and what
    would come of the known bags if no others were released.
    """

    now: float
    stretch: float
    without_new: float | None
    due: FloatArray
    unsent: IntArray
    unfinished: IntArray
    planned: TaskOutcome


class _Recorded:
    """A planner that keeps what it knew."""

    at_releases = True

    def __init__(self, work: MachineWork, planner: Planner, policy: str) -> None:
        self._work, self._planner, self._policy = work, planner, policy
        self._known: BoolArray = np.zeros(len(work.counts), np.bool_)
        self.steps: list[OnlineStep] = []

    def plan(self, run: OpenTasks) -> TaskPlan:
        found, work = self._planner.plan(run), self._work
        begin = float(work.bags.release[work.bags.present].min())
        remaining = what_remains(work, run)
        others = replace(remaining, unsent=np.where(self._known, remaining.unsent, 0))
        without_new = None
        if len(others.left):
            without_new = least_remaining(others).stretch
        stretch = least_remaining(remaining).stretch
        self._known = work.release <= run.now
        due = begin + work.release + stretch * work.ideal
        self.steps.append(
            OnlineStep(
                begin + run.now,
                stretch,
                without_new,
                np.where(self._known, due, np.inf),
                run.unsent,
                run.unfinished,
                run.rehearsed(found, self._policy),
            )
        )
        return found


def online_steps(
    bags: ArrivingBags, policy: TaskPolicy, effort: Effort = POLISH_EFFORT
) -> list[OnlineStep]:
    """What one of `ONLINE_POLICIES` knows and plans, one step for each time at which bags are
    released.

    Raises `InvalidInput` if a task fits on no machine, and `SolverFailed`.
    """
    if policy.planner is None or policy.mode != "online":
        raise ValueError(f"{policy.name} does not plan at each release")
    work = MachineWork.of(bags)
    recorded = _Recorded(work, policy.planner(work, effort), policy.name)
    run_policy(work, replace(policy, planner=lambda *_: recorded))
    return recorded.steps
