"""Policies for whole tasks by name: an order of bags and a choice of machines, or a plan.

What is published says in which order bags come (FIFO, SPT, SRPT, SWRPT) and which machine is next
(RR in turn, MCT the one that is done first, DD the one that asks), how bags share a steady state
(MWMA), and how the plan for tasks that can be split becomes one for whole tasks (CBS3M). Policies
are compared on the same bags, and those that plan at each release say what they knew there.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from typing import Final, Literal, NamedTuple

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import LeastStretch
from core.capabilities.fair_shares.tasks import listing, planned
from core.capabilities.fair_shares.tasks.in_time import IN_TIME
from core.capabilities.fair_shares.tasks.judge import judged_scores, task_faults
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.outcome import StretchScores, TaskOutcome
from core.capabilities.fair_shares.tasks.planners import (
    Planner,
    PlanOfAll,
    PlanOfReleased,
    SteadyState,
    least_remaining,
    what_remains,
)
from core.capabilities.fair_shares.tasks.polishing import Polished
from core.capabilities.fair_shares.tasks.running import OpenTasks, compile_replays
from core.capabilities.fair_shares.tasks.state import TaskPlan, TaskRules
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import Budget, Effort
from core.vocabulary.tolerances import SAME

POLISH_EFFORT: Final = Effort(seconds=1.0)
"""At each release, by default."""


@dataclass(frozen=True, slots=True)
class TaskPolicy:
    """`planner` makes one for some bags, where the policy plans."""

    name: str
    label: str
    sentence: str
    rules: TaskRules
    planner: Callable[[MachineWork, Effort], Planner] | None = None
    mode: Literal["", "online", "offline"] = ""
    """For policies that plan either way: whether this one knows all bags from the beginning."""


class UnknownTaskPolicy(ValueError):
    """There is no policy of this name; the message says which there are."""


def _listed() -> dict[str, TaskPolicy]:
    orders = (
        ("FIFO", listing.FIFO, "the bag that was released first"),
        ("SPT", listing.SPT, "the bag of the shortest ideal duration"),
        ("SRPT", listing.SRPT, "the bag of which the shortest ideal duration is left"),
        ("SWRPT", listing.SWRPT, "the bag of which the least is left, times its ideal duration"),
    )
    choices = (
        ("RR", listing.IN_TURN, "to machines in turn"),
        ("MCT", listing.SOONEST, "to the machine that is done with it first"),
        ("DD", listing.ON_DEMAND, "to the machine that asks first"),
    )
    found = {}
    for order, number, first in orders:
        for choice, which, where in choices:
            name = f"{order}-{choice}".casefold()
            sentence = f"the next task is of {first}, and goes {where}"
            rules = TaskRules(number, which, by_deadline=False, ahead=True)
            found[name] = TaskPolicy(name, f"{order} {choice}", sentence, rules)
    return found


def _steady(name: str, what: str, weigh: Callable[[OpenTasks], FloatArray]) -> TaskPolicy:
    rules = TaskRules(0, planned.IN_STEADY_STATE, by_deadline=False, ahead=True)
    sentence = f"all bags advance at steady rates, in proportion to {what}"
    return TaskPolicy(
        f"mwma-{name.casefold()}",
        f"MWMA {name}",
        sentence,
        rules,
        lambda work, _: SteadyState(work, weigh),
    )


def _by_unsent(run: OpenTasks) -> FloatArray:
    weights: FloatArray = 1 / np.maximum(run.unsent, 1)
    return weights


def _by_ideal(run: OpenTasks) -> FloatArray:
    return run.work.ideal


def _bursts() -> dict[str, TaskPolicy]:
    modes: tuple[
        tuple[Literal["online", "offline"], type[PlanOfReleased | PlanOfAll], str], ...
    ] = (
        ("online", PlanOfReleased, "the bags that are known, made anew at each release"),
        ("offline", PlanOfAll, "all bags, known from the beginning"),
    )
    found = {}
    for mode, planner, of in modes:
        for rule, choice, how in (
            ("FIFO", planned.IN_PROPORTION, "in proportion to the plan"),
            ("EDF", planned.BY_DEADLINE, "by deadlines"),
        ):
            name = f"cbs3m-{rule}-{mode}".casefold()
            rules = TaskRules(0, choice, by_deadline=rule == "EDF", ahead=True)
            sentence = f"quotas of the plan with the least worst stretch of {of}; {how}"
            label = f"CBS3M {rule} {mode}"
            # Machines that take tasks by deadlines lose nothing by what waits there.
            made = partial(planner, sent_early=rule == "EDF")
            found[name] = TaskPolicy(name, label, sentence, rules, made, mode)
    return found


PUBLISHED_POLICIES: Final[Mapping[str, TaskPolicy]] = {
    **_listed(),
    "mwma-nbt": _steady("NBT", "1 over the tasks that are left", _by_unsent),
    "mwma-ms": _steady("MS", "their ideal durations", _by_ideal),
    **_bursts(),
}
"""The 18 that are published, by name."""


def _polished(mode: Literal["online", "offline"]) -> TaskPolicy:
    knows_all = mode == "offline"
    what = "the bags that are known"
    if knows_all:
        what = "all bags, known from the beginning; if a published policy does better, it is taken"
    return TaskPolicy(
        f"polished-{mode}",
        f"Polished {mode}",
        "the next task is of the bag that is due first, and goes to a machine that is done with it "
        f"in time; due dates and limits are polished at each release, for {what}",
        TaskRules(0, IN_TIME, by_deadline=True, ahead=True),
        lambda work, effort: Polished(work, effort, knows_all=knows_all),
        mode,
    )


OUR_POLICIES: Final[Mapping[str, TaskPolicy]] = {
    policy.name: policy for policy in (_polished("online"), _polished("offline"))
}
TASK_POLICIES: Final[Mapping[str, TaskPolicy]] = {**PUBLISHED_POLICIES, **OUR_POLICIES}
"""All, by name."""


def task_policy_named(name: str) -> TaskPolicy:
    """Raises `UnknownTaskPolicy`."""
    found = TASK_POLICIES.get(name)
    if found is None:
        close = get_close_matches(name.casefold(), TASK_POLICIES, 1)
        meant = f"did you mean {close[0]}? " if close else ""
        said = ", ".join(TASK_POLICIES)
        raise UnknownTaskPolicy(f"there is no policy '{name}'; {meant}There are: {said}")
    return found


def run_policy(
    work: MachineWork,
    policy: TaskPolicy,
    effort: Effort = POLISH_EFFORT,
    budget: Budget | None = None,
    *,
    known: Sequence[TaskOutcome] = (),
    baseline: FloatArray | None = None,
) -> TaskOutcome:
    """What comes of all tasks under a policy; one that polishes is allowed the effort at each
    release. Ours that knows all bags replays the published policies, too, but for those whose
    outcomes are `known`; it follows one that has a smaller worst stretch, as a multiple of the
    `baseline` (s, for each bag; without one, of ideal durations).

    Raises `SolverFailed`, and `NoScheduleFound` if the budget ends before.
    """
    budget = budget or Budget()
    found = [_followed(work, policy, effort, budget)]
    if policy.name in OUR_POLICIES and policy.mode == "offline":
        there = {one.policy: one for one in known}
        found += [
            there.get(other.name) or _followed(work, other, effort, budget)
            for other in PUBLISHED_POLICIES.values()
        ]
    measure = work.ideal if baseline is None else baseline
    best = min(found, key=lambda one: one.scores_over(measure).max_stretch)
    return replace(best, policy=policy.name)


def _followed(work: MachineWork, policy: TaskPolicy, effort: Effort, budget: Budget) -> TaskOutcome:
    """What comes of all tasks if they follow this policy alone."""
    run = OpenTasks(work, policy.rules)
    if policy.planner is None:
        run.run()
        return run.outcome(policy.name)
    planner = policy.planner(work, effort)
    releases = np.unique(work.release).tolist() if planner.at_releases else [0.0]
    for until in [*releases[1:], np.inf]:
        budget.check(f"replaying {policy.name}")
        run.follow(planner.plan(run))
        while run.run(until):
            run.follow(planner.plan(run))
    return run.outcome(policy.name)


_FIRST_IN_TURN: Final = task_policy_named("fifo-rr").rules


@dataclass(frozen=True)
class PolicyScores:
    """What came of the policy of this name, its faults by the judge, and how long it took (s)."""

    name: str
    scores: StretchScores
    faults: tuple[str, ...]
    seconds: float

    @property
    def verified(self) -> bool:
        return not self.faults


@dataclass(frozen=True, eq=False)
class PolicyRun(PolicyScores):
    """The same, with what became of each task."""

    outcome: TaskOutcome

    @property
    def policy(self) -> TaskPolicy:
        return TASK_POLICIES[self.name]

    @property
    def alone(self) -> PolicyScores:
        """The scores without the tasks."""
        return PolicyScores(self.name, self.scores, self.faults, self.seconds)


def compare_policies(
    optimum: LeastStretch,
    policies: Sequence[TaskPolicy],
    effort: Effort = POLISH_EFFORT,
    budget: Budget | None = None,
) -> list[PolicyRun]:
    """Each policy on the bags of an optimum, with an effort at each release for those that polish.
    Stretches in scores are multiples of its baseline; no outcome may have a smaller worst one.

    Raises `InvalidInput` if a task fits on no machine, `SolverFailed`, and `NoScheduleFound` if the
    budget ends before.
    """
    bags, baseline = optimum.bags, optimum.baseline
    # The judge measures by ideal durations, which are shorter after some changes.
    proven = optimum.proven * float((baseline / bags.ideal).min())
    work = MachineWork.of(bags)
    compile_replays(work, _FIRST_IN_TURN)  # no policy is timed with it
    found: list[PolicyRun] = []
    for policy in policies:
        begun = time.perf_counter()
        known = [run.outcome for run in found]
        outcome = run_policy(work, policy, effort, budget, known=known, baseline=baseline)
        seconds = time.perf_counter() - begun
        scores, wrong = outcome.scores_over(baseline), tuple(_faults(outcome, proven))
        found.append(PolicyRun(policy.name, scores, wrong, seconds, outcome))
    return found


def scores_of(runs: Iterable[PolicyRun]) -> dict[str, dict[str, float]]:
    """The five scores of each policy, by their names."""
    return {run.name: run.scores.as_dict() for run in runs}


def faults_of(runs: Iterable[PolicyRun]) -> tuple[str, ...]:
    """All that the judge finds wrong, and under which policy."""
    return tuple(f"{run.policy.label}: {fault}" for run in runs for fault in run.faults)


def _faults(outcome: TaskOutcome, proven: float) -> list[str]:
    wrong = task_faults(outcome)
    if not wrong and judged_scores(outcome).max_stretch < proven * (1 - SAME):
        wrong.append("the worst stretch is below what is proven")
    return wrong


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
